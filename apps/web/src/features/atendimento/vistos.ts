import type { Conversa } from '@balcao/contract/entities/conversa'
import { useSyncExternalStore } from 'react'

/** How far this browser's person has read each conversation; the server only knows who answered. */

const chave = (conversaId: string): string => `visto:${conversaId}`
const ouvintes = new Set<() => void>()

function lerVisto(conversaId: string): string {
  return sessionStorage.getItem(chave(conversaId)) ?? ''
}

export function marcarVista({ id, mensagens }: Conversa): void {
  const ultima = mensagens.at(-1)?.timestamp
  if (ultima === undefined || ultima <= lerVisto(id)) return
  sessionStorage.setItem(chave(id), ultima)
  for (const ouvinte of ouvintes) ouvinte()
}

/** The messages of the customer that nobody here read yet: never more than the server counts. */
function contar({ naoLidas, mensagens }: Conversa, visto: string): number {
  if (naoLidas === 0 || visto === '') return naoLidas
  const depois = mensagens.filter(({ tipo, timestamp }) => tipo === 'recebida' && timestamp > visto).length
  return Math.min(naoLidas, depois)
}

export function useNaoLidas(conversa: Conversa): number {
  const visto = useSyncExternalStore(
    (ouvinte) => {
      ouvintes.add(ouvinte)
      return () => void ouvintes.delete(ouvinte)
    },
    () => lerVisto(conversa.id),
  )
  return contar(conversa, visto)
}

/** Where the unread ones begin: the message above which the divider stands. */
export function primeiraNaoLida(conversa: Conversa): { readonly id: string; readonly quantas: number } | null {
  const quantas = contar(conversa, lerVisto(conversa.id))
  const recebidas = conversa.mensagens.filter(({ tipo }) => tipo === 'recebida')
  const primeira = quantas === 0 ? undefined : recebidas.at(-Math.min(quantas, recebidas.length))
  return primeira === undefined ? null : { id: primeira.id, quantas }
}
