import type { Conversa } from '@balcao/contract/entities/conversa'
import type { QueryClient } from '@tanstack/react-query'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

export const SINGLE_KEY = ['atendimento', 'conversa'] as const
export const FINISHED_KEY = ['atendimento', 'finalizadas'] as const

export interface ConversaPages {
  readonly conversas: readonly Conversa[]
  readonly proximoCursor?: string | undefined
}

/** Refetches in progress. `again`: another change arrived since it started. */
const refetches = new WeakMap<QueryClient, { again: boolean }>()

/** Refetches the finished conversas: one refetch at a time, repeated if a change arrived meanwhile. */
export async function refetchFinished(client: QueryClient): Promise<void> {
  const inFlight = refetches.get(client)
  if (inFlight !== undefined) {
    inFlight.again = true
    return
  }
  const filters = { queryKey: FINISHED_KEY }
  const round = { again: true }
  refetches.set(client, round)
  while (round.again) {
    // An initial fetch in flight is awaited, not restarted. Its answer may be outdated, so another round follows.
    round.again = client.isFetching(filters) > 0
    // oxlint-disable-next-line no-await-in-loop -- the reads must run in sequence
    await client.invalidateQueries(filters, { cancelRefetch: false })
  }
  refetches.delete(client)
}

/** Updates one conversa in the cache. The other objects stay identical, so their cards do not re-render. */
export function updateCachedConversa(client: QueryClient, id: string, update: (conversa: Conversa) => Conversa): void {
  client.setQueryData<ConversaPages>(QUERY_KEYS.conversas, (list) =>
    list === undefined
      ? undefined
      : { ...list, conversas: list.conversas.map((conversa) => (conversa.id === id ? update(conversa) : conversa)) },
  )
  client.setQueryData<Conversa>([...SINGLE_KEY, id], (single) => (single === undefined ? undefined : update(single)))
}

export function removeCachedConversa(client: QueryClient, id: string): void {
  client.setQueryData<ConversaPages>(QUERY_KEYS.conversas, (list) =>
    list === undefined ? undefined : { ...list, conversas: list.conversas.filter((conversa) => conversa.id !== id) },
  )
  void refetchFinished(client)
}

/** Shows other etiquetas on every conversa of a contato. */
export function showEtiquetas(client: QueryClient, contatoId: string, etiquetas: readonly string[]): void {
  const update = (conversa: Conversa): Conversa =>
    conversa.contatoId === contatoId ? { ...conversa, etiquetas: [...etiquetas] } : conversa
  for (const queryKey of [QUERY_KEYS.conversas, FINISHED_KEY]) {
    client.setQueriesData<ConversaPages>({ queryKey }, (list) =>
      list === undefined ? undefined : { ...list, conversas: list.conversas.map(update) },
    )
  }
  client.setQueriesData<Conversa>({ queryKey: SINGLE_KEY }, (single) =>
    single === undefined ? undefined : update(single),
  )
}
