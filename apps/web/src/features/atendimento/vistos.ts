import type { Conversa } from '@balcao/contract/entities/conversa'
import { useSyncExternalStore } from 'react'

/** How far this browser's person has read each conversation; the server only knows who answered. */

interface Visto {
  /** The last message that was on screen. */
  readonly ate: string
  /** How many of the server's unread ones were read here. */
  readonly lidas: number
}

/** Put back among the unread by a person, for later. */
const PARA_DEPOIS = '!'

const chave = (conversaId: string): string => `visto:${conversaId}`
const ouvintes = new Set<() => void>()

function lerVisto(conversaId: string): string {
  return sessionStorage.getItem(chave(conversaId)) ?? ''
}

function entender(guardado: string): Visto | null {
  const [ate = '', lidas = '0'] = guardado.split(' ')
  return ate === '' ? null : { ate, lidas: Number(lidas) }
}

function guardar(conversaId: string, visto: string): void {
  if (visto === lerVisto(conversaId)) return
  if (visto === '') sessionStorage.removeItem(chave(conversaId))
  else sessionStorage.setItem(chave(conversaId), visto)
  for (const ouvinte of ouvintes) ouvinte()
}

/** Everything the conversation has was on screen, in a window somebody was looking at. */
export function marcarVista({ id, ultimaMensagem, naoLidas }: Conversa): void {
  if (ultimaMensagem !== undefined) guardar(id, `${ultimaMensagem.timestamp} ${naoLidas}`)
}

/** Leaves the conversation among the unread until it is opened again. */
export function marcarNaoLida(conversaId: string): void {
  guardar(conversaId, PARA_DEPOIS)
}

/** The server began to count again: somebody answered. */
export function esquecerVista(conversaId: string): void {
  guardar(conversaId, '')
}

/** The messages of the customer that nobody here read yet: never more than the server counts. */
function contar({ naoLidas, ultimaMensagem }: Conversa, guardado: string): number {
  if (guardado === PARA_DEPOIS) return naoLidas
  const visto = entender(guardado)
  if (naoLidas === 0 || visto === null) return naoLidas
  if (ultimaMensagem === undefined || ultimaMensagem.timestamp <= visto.ate) return 0
  return naoLidas > visto.lidas ? naoLidas - visto.lidas : naoLidas
}

export function useNaoLidas(conversa: Conversa): number {
  const visto = useSyncExternalStore(
    (ouvinte) => {
      ouvintes.add(ouvinte)
      return () => void ouvintes.delete(ouvinte)
    },
    () => lerVisto(conversa.id),
  )
  const quantas = contar(conversa, visto)
  return visto === PARA_DEPOIS ? Math.max(1, quantas) : quantas
}

export function naoLidasAgora(conversa: Conversa): number {
  return contar(conversa, lerVisto(conversa.id))
}
