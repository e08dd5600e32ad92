import type { Conversa } from '@balcao/contract/entities/conversa'

/** Local copy of the conversas, one per account, shown when the server cannot be reached. */

const COPY_CONVERSAS_MAX = 50

const copyKey = (contaId: string): string => `copia:conversas:${contaId}`

export function storeConversasCopy(contaId: string, conversas: readonly Conversa[]): void {
  try {
    localStorage.setItem(copyKey(contaId), JSON.stringify(conversas.slice(0, COPY_CONVERSAS_MAX)))
  } catch {
    // Storage may be full or blocked: then there is no local copy.
  }
}

export function readConversasCopy(contaId: string): readonly Conversa[] | null {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(copyKey(contaId)) ?? 'null')
    return Array.isArray(parsed) && parsed.every(isConversa) ? parsed : null
  } catch {
    return null
  }
}

/** Ignores copies of an older version that lack a field. */
function isConversa(value: unknown): value is Conversa {
  if (typeof value !== 'object' || value === null) return false
  return ['id', 'setor', 'status', 'cliente', 'mensagens', 'ultimaAtividade', 'aguardandoDesde'].every(
    (part) => part in value,
  )
}
