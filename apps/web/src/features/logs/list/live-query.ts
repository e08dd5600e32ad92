import type { ServerEvent } from '@balcao/contract/realtime'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onSocketEvent } from '#shared/realtime/socket.ts'

/** Lists that are fetched once and then updated by socket events. */

export type ApplyToQuery<T> = (parsed: T, event: ServerEvent) => T

/** Fetches and then applies the events that arrived during the request, so none is lost. */
export async function fetchWithEvents<T>(request: () => Promise<T>, apply: ApplyToQuery<T>): Promise<T> {
  const seen: ServerEvent[] = []
  const stop = onSocketEvent((event) => seen.push(event))
  try {
    const parsed = await request()
    return seen.reduce(apply, parsed)
  } finally {
    stop()
  }
}

export function useLiveQuery<T>(key: QueryKey, apply: ApplyToQuery<T>): void {
  const client = useQueryClient()
  const receive = useEffectEvent((event: ServerEvent) => {
    client.setQueryData<T>(key, (parsed) => (parsed === undefined ? undefined : apply(parsed, event)))
  })
  useEffect(() => onSocketEvent((event) => receive(event)), [])
}
