import type { Pedido } from '@balcao/contract/entities/pedido'
import type { QueryClient } from '@tanstack/react-query'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

export interface ListedPedidos {
  readonly pedidos: readonly Pedido[]
  /** True: the server has older ones. */
  readonly more: boolean
}

/** One pedido, and those of a contato with the newest first. */
export const pedidoKey = (id: string) => ['pedido', id] as const
export const pedidosOfContatoKey = (contatoId: string) => ['pedidos-do-contato', contatoId] as const
export const pedidosKey = (busca: string, dia: string) => [...QUERY_KEYS.pedidos, busca, dia] as const

const ARRIVALS_MAX = 100

interface Arrival {
  readonly pedido: Pedido
  readonly atMs: number
}

/** The last events, because a list in flight may be older than them. */
let arrivals: readonly Arrival[] = []
addEventListener('saiu', () => (arrivals = []))

/** The version with the later `atualizadoEm` wins. An unlisted pedido is added while it is open. */
function putPedido(listed: ListedPedidos, pedido: Pedido, add: boolean): ListedPedidos {
  const { pedidos } = listed
  const known = pedidos.find(({ id }) => id === pedido.id)
  if (known === undefined) {
    const open = pedido.status !== 'entregue' && pedido.status !== 'cancelado'
    return add && open ? { ...listed, pedidos: [pedido, ...pedidos] } : listed
  }
  if (known.atualizadoEm > pedido.atualizadoEm) return listed
  return { ...listed, pedidos: pedidos.map((other) => (other === known ? pedido : other)) }
}

/** Adds the events that arrived after the request was sent, at `sinceMs` of `performance.now()`. */
export function withArrivals(listed: ListedPedidos, busca: string, sinceMs: number): ListedPedidos {
  return arrivals
    .filter(({ atMs }) => atMs >= sinceMs)
    .reduce((current, { pedido }) => putPedido(current, pedido, busca === ''), listed)
}

const newer = (one: Pedido, other: Pedido): Pedido => (one.atualizadoEm > other.atualizadoEm ? one : other)

function putOfContato(listed: readonly Pedido[], pedido: Pedido): readonly Pedido[] {
  const known = listed.some(({ id }) => id === pedido.id)
  return known ? listed.map((one) => (one.id === pedido.id ? newer(pedido, one) : one)) : [pedido, ...listed]
}

/** Adds the events of a contato that arrived after the request was sent. */
export function withArrivalsOf(listed: readonly Pedido[], contatoId: string, sinceMs: number): readonly Pedido[] {
  return arrivals
    .filter(({ atMs, pedido }) => atMs >= sinceMs && pedido.contatoId === contatoId)
    .reduce((current, { pedido }) => putOfContato(current, pedido), listed)
}

/** The version of an answer, or the one of a later event. */
export function newestOf(answer: Pedido): Pedido {
  return arrivals
    .filter(({ pedido }) => pedido.id === answer.id)
    .reduce((one, { pedido }) => newer(pedido, one), answer)
}

/** Reads all pedidos on screen again. */
export function refreshPedidos(client: QueryClient): void {
  for (const key of [QUERY_KEYS.pedidos[0], pedidoKey('')[0], pedidosOfContatoKey('')[0]])
    void client.invalidateQueries({ queryKey: [key] })
}

/** Puts a pedido into the lists on screen. A search that does not list it asks the server again. */
export function applyPedido(client: QueryClient, pedido: Pedido): void {
  arrivals = [...arrivals, { pedido, atMs: performance.now() }].slice(-ARRIVALS_MAX)
  client.setQueryData<Pedido>(pedidoKey(pedido.id), (one) => (one === undefined ? one : newer(pedido, one)))
  client.setQueryData<readonly Pedido[]>(pedidosOfContatoKey(pedido.contatoId), (listed) =>
    listed === undefined ? listed : putOfContato(listed, pedido),
  )
  for (const [queryKey, listed] of client.getQueriesData<ListedPedidos>({ queryKey: QUERY_KEYS.pedidos })) {
    if (listed === undefined) continue
    const whole = queryKey[1] === ''
    client.setQueryData<ListedPedidos>(queryKey, putPedido(listed, pedido, whole))
    if (!whole && listed.pedidos.every(({ id }) => id !== pedido.id)) void client.invalidateQueries({ queryKey })
  }
}
