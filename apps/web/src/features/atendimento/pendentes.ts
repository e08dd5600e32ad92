import { DUPLICATA_TEMPORARIA_MS } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useSyncExternalStore } from 'react'

/** Unconfirmed bubbles live outside the query cache, so a refetch cannot drop them. */

export interface Pendente {
  readonly mensagem: Mensagem
  /** Upload progress from 0 to 1. */
  readonly progresso?: number
  /** Still queued, so no incoming mensagem can be its confirmation. */
  readonly naFila?: true
  /** Only failed files stay here for a retry. A failed text returns to the draft. */
  readonly erro?: string
}

const NENHUM: readonly Pendente[] = []
let pendentes: ReadonlyMap<string, readonly Pendente[]> = new Map()
const ouvintes = new Set<() => void>()

function trocar(conversaId: string, novos: readonly Pendente[]): void {
  const mapa = new Map(pendentes)
  if (novos.length === 0) mapa.delete(conversaId)
  else mapa.set(conversaId, novos)
  pendentes = mapa
  for (const ouvinte of ouvintes) ouvinte()
}

// Logout clears the pending bubbles. Requests in flight still complete.
addEventListener('saiu', () => {
  for (const conversaId of pendentes.keys()) trocar(conversaId, NENHUM)
})

const de = (conversaId: string): readonly Pendente[] => pendentes.get(conversaId) ?? NENHUM

export function incluirPendente(conversaId: string, mensagem: Mensagem): void {
  trocar(conversaId, [...de(conversaId), { mensagem: { ...mensagem, temporaria: true }, naFila: true }])
}

export const espera = (conversaId: string, id: string): boolean =>
  de(conversaId).some(({ mensagem }) => mensagem.id === id)

export function mudarPendente(conversaId: string, id: string, campos: Omit<Pendente, 'mensagem'>): void {
  trocar(
    conversaId,
    de(conversaId).map((um) => (um.mensagem.id === id ? { mensagem: um.mensagem, ...campos } : um)),
  )
}

/** Returns false if it was already removed, for example by the socket confirmation. */
export function retirarPendente(conversaId: string, idTemporario: string): boolean {
  const restantes = de(conversaId).filter(({ mensagem }) => mensagem.id !== idTemporario)
  if (restantes.length === de(conversaId).length) return false
  trocar(conversaId, restantes)
  return true
}

/** Removes the bubble that `mensagem` confirms: by id, or without id by equal text at about the same time. */
export function confirmarPendente(conversaId: string, mensagem: Mensagem, idTemporario: string | undefined): void {
  if (mensagem.tipo !== 'enviada') return
  const igual = ({ mensagem: { id, texto, timestamp, midia }, naFila }: Pendente): boolean =>
    idTemporario === undefined
      ? naFila === undefined &&
        midia === undefined &&
        texto === mensagem.texto &&
        Math.abs(Date.parse(timestamp) - Date.parse(mensagem.timestamp)) <= DUPLICATA_TEMPORARIA_MS
      : id === idTemporario
  const confirmado = de(conversaId).find(igual)
  if (confirmado !== undefined) retirarPendente(conversaId, confirmado.mensagem.id)
}

export function usePendentes(conversaId: string): readonly Pendente[] {
  return useSyncExternalStore(
    (ouvinte) => {
      ouvintes.add(ouvinte)
      return () => void ouvintes.delete(ouvinte)
    },
    () => de(conversaId),
  )
}
