import { STATUS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { botStatusRoute } from '@balcao/contract/routes/bot'
import { BOT_STATUS_INICIAL } from '@balcao/contract/bot-status'
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from './query-keys.ts'

interface StatusReads {
  lastCallMs: number
  lastAnswer: Promise<BotStatus> | null
  events: number
}

const statusReads = new WeakMap<QueryClient, StatusReads>()

function readsOf(client: QueryClient): StatusReads {
  const current = statusReads.get(client)
  if (current !== undefined) return current
  const fresh: StatusReads = { lastCallMs: Number.NEGATIVE_INFINITY, lastAnswer: null, events: 0 }
  statusReads.set(client, fresh)
  return fresh
}

/** Marks that the socket sent a newer status, so that an answer in flight does not overwrite it. */
export function markStatusEvent(client: QueryClient): void {
  readsOf(client).events += 1
}

export const statusEventCount = (client: QueryClient): number => readsOf(client).events

async function fetchStatus(client: QueryClient, signal: AbortSignal): Promise<BotStatus> {
  const state = readsOf(client)
  state.lastCallMs = performance.now()
  state.lastAnswer = null
  const before = state.events
  const status = await call(botStatusRoute, { signal })
  if (state.events === before) return status
  // The socket sent a status during the request, which is newer than this answer.
  return client.getQueryData<BotStatus>(QUERY_KEYS.botStatus) ?? status
}

export function botStatusOptions(client: QueryClient) {
  return queryOptions({
    queryKey: QUERY_KEYS.botStatus,
    queryFn: ({ signal }) => fetchStatus(client, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Without network the call fails immediately instead of waiting.
    networkMode: 'always',
  })
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Refetches the status, at most once per 2 s. Early calls wait and share one request. Rejects if the request fails. */
export async function refreshBotStatus(client: QueryClient): Promise<BotStatus> {
  const pedidoMs = performance.now()
  const missing = readsOf(client).lastCallMs + STATUS_MINIMO_ENTRE_CHAMADAS_MS - pedidoMs
  if (missing > 0) await wait(missing)
  const { lastCallMs, lastAnswer } = readsOf(client)
  if (lastAnswer !== null && lastCallMs > pedidoMs) return lastAnswer
  const reply = client.fetchQuery({ ...botStatusOptions(client), staleTime: 0, retry: false })
  readsOf(client).lastAnswer = reply
  return reply
}

export interface BotStatusRead {
  readonly bot: BotStatus
  readonly known: boolean
  readonly loading: boolean
  readonly error: Error | null
}

export function useBotStatus(): BotStatusRead {
  const cliente = useQueryClient()
  const { data, isPending, error } = useQuery(botStatusOptions(cliente))
  return { bot: data ?? BOT_STATUS_INICIAL, known: data !== undefined, loading: isPending, error: error }
}
