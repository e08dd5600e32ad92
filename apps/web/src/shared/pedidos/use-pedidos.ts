import type { Pedido, StatusPedido } from '@balcao/contract/entities/pedido'
import {
  pagamentoPedidoRoute,
  pedidoRoute,
  pedidosRoute,
  pixPedidoRoute,
  statusPedidoRoute,
} from '@balcao/contract/routes/pedidos'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import {
  applyPedido,
  type ListedPedidos,
  newestOf,
  pedidoKey,
  pedidosKey,
  pedidosOfContatoKey,
  refreshPedidos,
  withArrivals,
  withArrivalsOf,
} from '#shared/data/loja/pedidos.ts'
import { copyText } from '#shared/ui/copy-icon-button.tsx'
import { BOARD_STATUS, PEDIDO_STATUS_LABEL } from './pedido-texts.ts'

/** The largest page of the route. */
const LIMIT = 100

/** Reads the columns. The delivered ones are of `dia` only, or of any day while searching. */
async function readPedidos(busca: string, dia: string, signal: AbortSignal): Promise<ListedPedidos> {
  const sinceMs = performance.now()
  const pages = await Promise.all(
    BOARD_STATUS.map((status) => {
      const ofDay = status === 'entregue' && busca === '' ? { dia } : {}
      return call(pedidosRoute, { query: { status, busca, limite: LIMIT, ...ofDay }, signal })
    }),
  )
  const pedidos = pages.flatMap((page) => page.pedidos)
  // A pedido that moved between two of the requests is in two answers.
  const latest = new Map(
    pedidos.toSorted((a, b) => (a.atualizadoEm < b.atualizadoEm ? -1 : 1)).map((one) => [one.id, one]),
  )
  const more = pages.some(({ proximoCursor }) => proximoCursor !== null)
  return withArrivals({ pedidos: [...latest.values()], more }, busca, sinceMs)
}

export function usePedidos(busca: string, dia: string) {
  return useQuery({
    queryKey: pedidosKey(busca, dia),
    queryFn: ({ signal }) => readPedidos(busca, dia, signal),
    placeholderData: (before) => before,
    networkMode: 'always',
  })
}

/** Of one customer, newest first. */
const OF_CONTATO = 10

async function readPedidosOf(contatoId: string, signal: AbortSignal): Promise<readonly Pedido[]> {
  const sinceMs = performance.now()
  const { pedidos } = await call(pedidosRoute, { query: { contatoId, limite: OF_CONTATO }, signal })
  return withArrivalsOf(pedidos, contatoId, sinceMs)
}

export function usePedidosOfContato(contatoId: string) {
  return useQuery({
    queryKey: pedidosOfContatoKey(contatoId),
    queryFn: ({ signal }) => readPedidosOf(contatoId, signal),
    networkMode: 'always',
  })
}

export function usePedido(id: string) {
  return useQuery({
    queryKey: pedidoKey(id),
    queryFn: async ({ signal }) => newestOf((await call(pedidoRoute, { params: { id }, signal })).pedido),
    networkMode: 'always',
  })
}

/** The pedidos with the status that a move under way gives them. */
export function withMoves(pedidos: readonly Pedido[], { moving }: Pick<PedidoMoves, 'moving'>): readonly Pedido[] {
  return pedidos.map((pedido) => ({ ...pedido, status: moving.get(pedido.id) ?? pedido.status }))
}

export interface PedidoMoves {
  /** Sent and not answered yet: the status on screen, by id. */
  readonly moving: ReadonlyMap<string, StatusPedido>
  readonly announcement: string
  readonly move: (pedido: Pedido, status: StatusPedido) => Promise<void>
}

/** Shows a move immediately. A refused one returns to its column with the reason. */
export function usePedidoMoves(): PedidoMoves {
  const client = useQueryClient()
  const [moving, setMoving] = useState<ReadonlyMap<string, StatusPedido>>(new Map())
  const [announcement, setAnnouncement] = useState('')
  const move = async ({ id, numero }: Pedido, status: StatusPedido): Promise<void> => {
    if (moving.has(id)) return
    setMoving((current) => new Map(current).set(id, status))
    setAnnouncement(`Pedido nº ${numero}: ${PEDIDO_STATUS_LABEL[status]}`)
    try {
      const { pedido } = await call(statusPedidoRoute, { params: { id }, body: { status } })
      applyPedido(client, pedido)
      if (status === 'cancelado') notify.sucesso(`Pedido nº ${numero} cancelado.`)
    } catch (error) {
      const moved = error instanceof ApiError && error.codigo === 'passoInvalido'
      setAnnouncement(`O pedido nº ${numero} não mudou de etapa`)
      notify.erro(moved ? 'Outra pessoa já moveu este pedido.' : errorMessage(error))
      refreshPedidos(client)
    }
    setMoving((current) => new Map([...current].filter(([other]) => other !== id)))
  }
  return { moving, announcement, move }
}

export function usePayment(): (pedido: Pedido) => Promise<void> {
  const client = useQueryClient()
  const save = async (id: string, estado: Pedido['pagamento']['estado']): Promise<boolean> => {
    try {
      applyPedido(client, (await call(pagamentoPedidoRoute, { params: { id }, body: { estado } })).pedido)
      return true
    } catch (error) {
      notify.erro(errorMessage(error))
      return false
    }
  }
  return async ({ id, numero, pagamento }) => {
    if (!(await save(id, 'confirmado'))) return
    notify.sucesso(`Pedido nº ${numero} pago.`, {
      action: { label: 'Desfazer', run: () => void save(id, pagamento.estado) },
    })
  }
}

export async function copyPix({ id }: Pedido): Promise<void> {
  try {
    const { copiaECola } = await call(pixPedidoRoute, { params: { id } })
    await copyText(copiaECola, 'Código PIX copiado!')
  } catch (error) {
    notify.erro(errorMessage(error))
  }
}
