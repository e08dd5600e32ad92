import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { useSyncExternalStore } from 'react'

/** The bubbles shown until the server confirms them, one per conversation at most; refetching a list never loses one. */

let pendentes: ReadonlyMap<string, Mensagem> = new Map()
const ouvintes = new Set<() => void>()

function trocar(novas: ReadonlyMap<string, Mensagem>): void {
  pendentes = novas
  for (const ouvinte of ouvintes) ouvinte()
}

export function incluirPendente(conversaId: string, mensagem: Mensagem): void {
  trocar(new Map(pendentes).set(conversaId, mensagem))
}

/** True when it was still waiting: whoever takes it away decides what became of it. */
export function retirarPendente(conversaId: string, idTemporario: string): boolean {
  if (pendentes.get(conversaId)?.id !== idTemporario) return false
  const restantes = new Map(pendentes)
  restantes.delete(conversaId)
  trocar(restantes)
  return true
}

/** The server's word on one of our bubbles: by its id, or by the same text when it tells none (spec §4). */
export function confirmarPendente(conversaId: string, mensagem: Mensagem, idTemporario: string | undefined): void {
  const pendente = pendentes.get(conversaId)
  if (pendente === undefined || mensagem.tipo !== 'enviada') return
  if (idTemporario === undefined ? pendente.texto === mensagem.texto : pendente.id === idTemporario) {
    retirarPendente(conversaId, pendente.id)
  }
}

export function usePendente(conversaId: string): Mensagem | undefined {
  return useSyncExternalStore(
    (ouvinte) => {
      ouvintes.add(ouvinte)
      return () => void ouvintes.delete(ouvinte)
    },
    () => pendentes.get(conversaId),
  )
}
