import type { EventoServidor } from '@balcao/contract/realtime'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onEvento } from '#shared/socket.ts'

/** Lists that are read once and follow the socket from then on. */

export type Aplicar<T> = (lida: T, evento: EventoServidor) => T

/** An answer with what the socket told while it was on its way: neither is lost, whichever is newer. */
export async function semPerder<T>(pedir: () => Promise<T>, aplicar: Aplicar<T>): Promise<T> {
  const vistos: EventoServidor[] = []
  const parar = onEvento((evento) => vistos.push(evento))
  try {
    const lida = await pedir()
    return vistos.reduce(aplicar, lida)
  } finally {
    parar()
  }
}

/** Each event over what the cache holds under a key, while the screen is there. */
export function useAoVivo<T>(chave: QueryKey, aplicar: Aplicar<T>): void {
  const cliente = useQueryClient()
  const receber = useEffectEvent((evento: EventoServidor) => {
    cliente.setQueryData<T>(chave, (lida) => (lida === undefined ? undefined : aplicar(lida, evento)))
  })
  useEffect(() => onEvento((evento) => receber(evento)), [])
}
