import type { Conversa } from '@balcao/contract/entities/conversa'

/** The fallback copy of the conversations, one per account (spec §3): shown when the server cannot be asked. */

const CONVERSAS_NA_COPIA = 50

const chave = (contaId: string): string => `copia:conversas:${contaId}`

export function guardarCopia(contaId: string, conversas: readonly Conversa[]): void {
  const curtas = conversas.slice(0, CONVERSAS_NA_COPIA)
  try {
    localStorage.setItem(chave(contaId), JSON.stringify(curtas))
  } catch {
    // A full or forbidden storage costs the fallback, nothing else.
  }
}

export function lerCopia(contaId: string): readonly Conversa[] | null {
  try {
    const lida: unknown = JSON.parse(localStorage.getItem(chave(contaId)) ?? 'null')
    return Array.isArray(lida) && lida.every(isConversa) ? lida : null
  } catch {
    return null
  }
}

/** Written by this panel; an older copy that lacks a part is left aside. */
function isConversa(valor: unknown): valor is Conversa {
  if (typeof valor !== 'object' || valor === null) return false
  return ['id', 'setor', 'status', 'cliente', 'mensagens', 'ultimaAtividade', 'aguardandoDesde'].every(
    (parte) => parte in valor,
  )
}
