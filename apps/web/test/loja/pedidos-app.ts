import type { Pedido } from '@balcao/contract/entities/pedido'
import { nextStatus } from '@balcao/engine/pedidos/status'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConfig, openPanel, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString()

export function makePedido(fields: Partial<Pedido> = {}): Pedido {
  return {
    ...{ id: 'a', numero: 12, contatoId: 'c1', conversaId: 'v1', cliente: 'Maria Souza', observacao: '' },
    itens: [
      {
        ...{ produtoId: 'p1', nome: 'Coxinha', quantidade: 2, precoCentavos: 900, observacao: 'Bem quente' },
        opcoes: [{ grupo: 'Recheio', nome: 'Frango com catupiry', acrescimoCentavos: 150 }],
      },
      { produtoId: 'p2', nome: 'Torta', quantidade: 1, precoCentavos: 3200, observacao: '', opcoes: [] },
    ],
    ...{ subtotalCentavos: 5000, entregaCentavos: 700, descontoCentavos: 0, totalCentavos: 5700 },
    entrega: { tipo: 'entrega', endereco: 'Rua das Flores, 10', bairro: 'Centro', cep: '01310100' },
    pagamento: { forma: 'pix', estado: 'pendente' },
    ...{ status: 'novo', txid: 'T12', criadoEm: minutesAgo(5), atualizadoEm: minutesAgo(5) },
    ...fields,
  }
}

export const PEDIDOS: readonly Pedido[] = [
  makePedido(),
  makePedido({
    ...{ id: 'b', numero: 11, cliente: 'João Pereira', conversaId: '', status: 'preparo', criadoEm: minutesAgo(42) },
    entrega: { tipo: 'retirada', endereco: '', bairro: '', cep: '' },
    pagamento: { forma: 'dinheiro', trocoParaCentavos: 10000, estado: 'confirmado' },
    observacao: 'Sem guardanapo',
  }),
  makePedido({
    ...{ id: 'c', numero: 10, cliente: 'Ana Lima', status: 'saiu', criadoEm: minutesAgo(64) },
    pagamento: { forma: 'pix', estado: 'informado' },
  }),
  makePedido({ id: 'd', numero: 9, cliente: 'Rui Costa', status: 'entregue', criadoEm: minutesAgo(90) }),
]

export interface PedidosTestApp extends PanelTestApp {
  readonly shop: { pedidos: Pedido[] }
}

export function openPedidos(
  pedidos: readonly Pedido[] = PEDIDOS,
  initial: Partial<PanelServer> = {},
  address = '/dashboard?aba=loja&lista=pedidos',
): PedidosTestApp {
  const config = makeConfig()
  const on = { ...config, loja: { ...config.loja, pedidos: true } }
  const panel = openPanel(address, { config: on, ...initial })
  const shop = { pedidos: [...pedidos] }
  const { api } = panel
  api.on('GET /pedidos', ({ url }) => {
    const busca = url.searchParams.get('busca') ?? ''
    const status = url.searchParams.get('status')
    const found = shop.pedidos.filter((one) => one.status === status && one.cliente.includes(busca))
    return ok({ pedidos: found, proximoCursor: null })
  })
  const change = (id: string, fields: Partial<Pedido>) => {
    shop.pedidos = shop.pedidos.map((one) =>
      one.id === id ? { ...one, ...fields, atualizadoEm: new Date().toISOString() } : one,
    )
    return ok({ pedido: shop.pedidos.find((one) => one.id === id) })
  }
  for (const { id } of pedidos) {
    api.on(`PUT /pedidos/${id}/status`, ({ body }) => {
      const pedido = shop.pedidos.find((one) => one.id === id)
      const asked = JSON.stringify(body)
      const status = pedido === undefined ? undefined : nextStatus(pedido).find((next) => asked.includes(`"${next}"`))
      return status === undefined ? refusal(409, 'passoInvalido', 'x') : change(id, { status })
    })
    api.on(`PUT /pedidos/${id}/pagamento`, ({ body }) => {
      const estado = JSON.stringify(body).includes('confirmado') ? 'confirmado' : 'pendente'
      return change(id, { pagamento: { forma: 'pix', estado } })
    })
    api.on(`GET /pedidos/${id}/cupom`, () => ok(`CUPOM ${id}`))
  }
  return { ...panel, shop }
}

export const column = (name: string) => page.getByRole('region', { name, exact: true })
export const cardOf = (numero: number) => page.getByRole('listitem').filter({ hasText: `nº ${numero} ·` })
