import { STATUS_MINIMO_ENTRE_CHAMADAS_MS } from '@balcao/contract/constants'
import type { BotStatus } from '@balcao/contract/entities/bot-status'
import { botStatusRoute } from '@balcao/contract/routes/bot'
import { BOT_STATUS_INICIAL } from '@balcao/contract/status-bot'
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVES } from './chaves.ts'

/** State of the throttle and of the race guard, per query client. */
interface Marcas {
  ultimaChamadaMs: number
  ultimaResposta: Promise<BotStatus> | null
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

/** Marks that the socket sent a newer status, so that an answer in flight does not overwrite it. */
export function marcarEventoDeStatus(cliente: QueryClient): void {
  marcasDe(cliente).eventos += 1
}

export const eventosDeStatus = (cliente: QueryClient): number => marcasDe(cliente).eventos

async function buscar(cliente: QueryClient, signal: AbortSignal): Promise<BotStatus> {
  const estado = marcasDe(cliente)
  estado.ultimaChamadaMs = performance.now()
  estado.ultimaResposta = null
  const antes = estado.eventos
  const status = await call(botStatusRoute, { signal })
  if (estado.eventos === antes) return status
  // The socket sent a status during the request, which is newer than this answer.
  return cliente.getQueryData<BotStatus>(CHAVES.botStatus) ?? status
}

export function botStatusOptions(cliente: QueryClient) {
  return queryOptions({
    queryKey: CHAVES.botStatus,
    queryFn: ({ signal }) => buscar(cliente, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Without network the call fails immediately instead of waiting.
    networkMode: 'always',
  })
}

const esperar = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Refetches the status, at most once per 2 s. Early calls wait and share one request. Rejects if the request fails. */
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
  readonly bot: BotStatus
  readonly conhecido: boolean
  readonly carregando: boolean
  readonly erro: Error | null
}

export function useBotStatus(): BotStatusLido {
  const cliente = useQueryClient()
  const { data, isPending, error } = useQuery(botStatusOptions(cliente))
  return { bot: data ?? BOT_STATUS_INICIAL, conhecido: data !== undefined, carregando: isPending, erro: error }
}
