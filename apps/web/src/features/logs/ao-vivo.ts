import type { ServerEvent } from '@balcao/contract/realtime'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onSocketEvent } from '#shared/socket.ts'

/** Lists that are fetched once and then updated by socket events. */

export type ApplyToQuery<T> = (lida: T, evento: ServerEvent) => T

/** Fetches and then applies the events that arrived during the request, so none is lost. */
export async function fetchWithEvents<T>(request: () => Promise<T>, apply: ApplyToQuery<T>): Promise<T> {
  const vistos: ServerEvent[] = []
  const parar = onSocketEvent((evento) => vistos.push(evento))
  try {
    const lida = await request()
    return vistos.reduce(apply, lida)
  } finally {
    parar()
  }
}

export function useLiveQuery<T>(key: QueryKey, apply: ApplyToQuery<T>): void {
  const cliente = useQueryClient()
  const receber = useEffectEvent((evento: ServerEvent) => {
    cliente.setQueryData<T>(key, (lida) => (lida === undefined ? undefined : apply(lida, evento)))
  })
  useEffect(() => onSocketEvent((evento) => receber(evento)), [])
}
