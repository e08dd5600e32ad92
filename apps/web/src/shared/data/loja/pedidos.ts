import type { Pedido } from '@balcao/contract/entities/pedido'
import type { QueryClient } from '@tanstack/react-query'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

export interface ListedPedidos {
  readonly pedidos: readonly Pedido[]
  /** True: the server has older ones. */
  readonly more: boolean
}

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

/** Puts a pedido into the lists on screen. A search that does not list it asks the server again. */
export function applyPedido(client: QueryClient, pedido: Pedido): void {
  arrivals = [...arrivals, { pedido, atMs: performance.now() }].slice(-ARRIVALS_MAX)
  for (const [queryKey, listed] of client.getQueriesData<ListedPedidos>({ queryKey: QUERY_KEYS.pedidos })) {
    if (listed === undefined) continue
    const whole = queryKey[1] === ''
    client.setQueryData<ListedPedidos>(queryKey, putPedido(listed, pedido, whole))
    if (!whole && listed.pedidos.every(({ id }) => id !== pedido.id)) void client.invalidateQueries({ queryKey })
  }
}
