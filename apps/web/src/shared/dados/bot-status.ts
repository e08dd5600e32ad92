import { STATUS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { botStatusRoute } from '@balcao/contract/routes/bot'
import { BOT_STATUS_INICIAL } from '@balcao/contract/status-bot'
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from './chaves.ts'

/** State of the throttle and of the race guard, per query client. */
interface StatusReads {
  lastCallMs: number
  lastAnswer: Promise<BotStatus> | null
  events: number
}

const statusReads = new WeakMap<QueryClient, StatusReads>()

function readsOf(client: QueryClient): StatusReads {
  const atuais = statusReads.get(client)
  if (atuais !== undefined) return atuais
  const novas: StatusReads = { lastCallMs: Number.NEGATIVE_INFINITY, lastAnswer: null, events: 0 }
  statusReads.set(client, novas)
  return novas
}

/** Marks that the socket sent a newer status, so that an answer in flight does not overwrite it. */
export function markStatusEvent(client: QueryClient): void {
  readsOf(client).events += 1
}

export const statusEventCount = (client: QueryClient): number => readsOf(client).events

async function fetchStatus(client: QueryClient, signal: AbortSignal): Promise<BotStatus> {
  const estado = readsOf(client)
  estado.lastCallMs = performance.now()
  estado.lastAnswer = null
  const antes = estado.events
  const status = await call(botStatusRoute, { signal })
  if (estado.events === antes) return status
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
  const falta = readsOf(client).lastCallMs + STATUS_MINIMO_ENTRE_CHAMADAS_MS - pedidoMs
  if (falta > 0) await wait(falta)
  const { lastCallMs, lastAnswer } = readsOf(client)
  if (lastAnswer !== null && lastCallMs > pedidoMs) return lastAnswer
  const resposta = client.fetchQuery({ ...botStatusOptions(client), staleTime: 0, retry: false })
  readsOf(client).lastAnswer = resposta
  return resposta
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
