import { STATUS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { botStatusRoute } from '@balcao/contract/routes/bot'
import { BOT_STATUS_INICIAL } from '@balcao/contract/status-bot'
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVES } from './chaves.ts'

/** What the throttle and the race guard remember about one cache. */
interface Marcas {
  ultimaChamadaMs: number
  /** What that call will answer, for those who waited while it was made. */
  ultimaResposta: Promise<BotStatus> | null
  /** Grows with every realtime event that spoke of the status. */
  eventos: number
}

const marcas = new WeakMap<QueryClient, Marcas>()

function marcasDe(cliente: QueryClient): Marcas {
  const atuais = marcas.get(cliente)
  if (atuais !== undefined) return atuais
  const novas: Marcas = { ultimaChamadaMs: Number.NEGATIVE_INFINITY, ultimaResposta: null, eventos: 0 }
  marcas.set(cliente, novas)
  return novas
}

/** Says that the socket spoke of the status, so that an answer already on its way does not undo it. */
export function marcarEventoDeStatus(cliente: QueryClient): void {
  marcasDe(cliente).eventos += 1
}

/** How often the socket spoke of the status so far. */
export const eventosDeStatus = (cliente: QueryClient): number => marcasDe(cliente).eventos

async function buscar(cliente: QueryClient, signal: AbortSignal): Promise<BotStatus> {
  const estado = marcasDe(cliente)
  estado.ultimaChamadaMs = performance.now()
  estado.ultimaResposta = null
  const antes = estado.eventos
  const status = await call(botStatusRoute, { signal })
  if (estado.eventos === antes) return status
  // The status moved while we asked: what the socket said is newer than this answer.
  return cliente.getQueryData<BotStatus>(CHAVES.botStatus) ?? status
}

export function botStatusOptions(cliente: QueryClient) {
  return queryOptions({
    queryKey: CHAVES.botStatus,
    queryFn: ({ signal }) => buscar(cliente, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Without network the call fails at once and says so, instead of waiting in silence.
    networkMode: 'always',
  })
}

const esperar = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Asks the server for the status, at most once per 2 s (spec §9): a call that comes too soon waits its turn, and those
 * that wait together share one request. Rejects when the server cannot be asked.
 */
export async function atualizarBotStatus(cliente: QueryClient): Promise<BotStatus> {
  const pedidoMs = performance.now()
  const falta = marcasDe(cliente).ultimaChamadaMs + STATUS_MINIMO_ENTRE_CHAMADAS_MS - pedidoMs
  if (falta > 0) await esperar(falta)
  const { ultimaChamadaMs, ultimaResposta } = marcasDe(cliente)
  if (ultimaResposta !== null && ultimaChamadaMs > pedidoMs) return ultimaResposta
  const resposta = cliente.fetchQuery({ ...botStatusOptions(cliente), staleTime: 0, retry: false })
  marcasDe(cliente).ultimaResposta = resposta
  return resposta
}

export interface BotStatusLido {
  /** The last one known; before any answer, and when the first fails, the stopped one (spec §3). */
  readonly bot: BotStatus
  readonly conhecido: boolean
  readonly carregando: boolean
  readonly erro: Error | null
}

/** The bot's status as the cache has it: asked once here, then kept by the socket and by `useSincronia`. */
export function useBotStatus(): BotStatusLido {
  const cliente = useQueryClient()
  const { data, isPending, error } = useQuery(botStatusOptions(cliente))
  return { bot: data ?? BOT_STATUS_INICIAL, conhecido: data !== undefined, carregando: isPending, erro: error }
}
