import { DUPLICATA_TEMPORARIA_MS } from '@balcao/contract/constants'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useSyncExternalStore } from 'react'

/** The bubbles shown until the server confirms them; refetching a list never loses one. One text at a time, files as many as chosen. */

export interface Pendente {
  readonly mensagem: Mensagem
  /** Of a file on its way, from 0 to 1. */
  readonly progresso?: number
  /** Waits for what was written before it: nothing that arrives meanwhile is this one. */
  readonly naFila?: true
  /** A file that could not be sent waits here for another try; a text goes back to the field instead. */
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

// What is on its way arrives all the same; whoever comes next neither sees it nor hears how it ended.
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

/** True when it was still waiting: whoever takes it away decides what became of it. */
export function retirarPendente(conversaId: string, idTemporario: string): boolean {
  const restantes = de(conversaId).filter(({ mensagem }) => mensagem.id !== idTemporario)
  if (restantes.length === de(conversaId).length) return false
  trocar(conversaId, restantes)
  return true
}

/** The server's word on one of our bubbles: by its id, or by the same text when it tells none (spec §4). */
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
