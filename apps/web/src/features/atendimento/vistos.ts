import type { Conversa } from '@balcao/contract/entities/conversa'
import { useSyncExternalStore } from 'react'

/** Read positions of this browser tab. The server only stores who replied. */

interface Visto {
  readonly ate: string
  /** Number of the server's unread mensagens that were read here. */
  readonly lidas: number
}

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

export function marcarVista({ id, ultimaMensagem, naoLidas }: Conversa): void {
  if (ultimaMensagem !== undefined) guardar(id, `${ultimaMensagem.timestamp} ${naoLidas}`)
}

/** Keeps the conversa unread until it is opened again. */
export function marcarNaoLida(conversaId: string): void {
  guardar(conversaId, PARA_DEPOIS)
}

/** An operador replied: the server's count starts again. */
export function esquecerVista(conversaId: string): void {
  guardar(conversaId, '')
}

/** Unread mensagens in this browser, never more than the server's count. */
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
