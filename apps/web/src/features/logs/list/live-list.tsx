import type { ServerEvent } from '@balcao/contract/realtime'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { Skeleton } from '#shared/ui/states.tsx'

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

const REFETCH_PAUSE_MS = 2_000

/** For a list of one line: the events do not carry theirs. Reads the list again, at most once per 2 s. */
export function useRefetchOn(evento: ServerEvent['evento'], key: QueryKey, enabled: boolean): void {
  const client = useQueryClient()
  const refetch = useEffectEvent(() => void client.invalidateQueries({ queryKey: key }))
  useEffect(() => {
    if (!enabled) return
    let wait: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent((event) => {
      if (event.evento !== evento) return
      wait ??= setTimeout(() => {
        wait = undefined
        refetch()
      }, REFETCH_PAUSE_MS)
    })
    return () => {
      stop()
      clearTimeout(wait)
    }
  }, [evento, enabled])
}

export function ListSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} aria-busy="true" className="divide-y divide-line">
      {[0, 1, 2, 3, 4, 5].map((line) => (
        <div key={line} className="flex items-center gap-3 px-4 py-3">
          <Skeleton className="h-4 w-11" />
          <Skeleton className="h-5 w-24 rounded-full" />
          <Skeleton className="h-4 flex-1" />
        </div>
      ))}
    </div>
  )
}
