import type { PayableOrder } from '@balcao/connector/port'
import { readPixCode } from '@balcao/engine/pedidos/pix'
import { formatReais } from '@balcao/engine/rules/loja'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOficial } from '#adapters/oficial/connection.ts'
import { createIds } from '#ids.ts'
import { SendRefused } from '@balcao/connector/errors'
import type { Pedido } from '@balcao/contract/entities/pedido'
import { pixCode } from '@balcao/engine/pedidos/pix'
import type { Connector, OutboundMessage } from '@balcao/connector/port'
import { createRecordingHost } from '#test/navegador/recording-host.ts'
import { createFakeMeta, type FakeMeta } from './fake-meta.ts'

const pedidos = new Map<string, Pedido>()
let meta: FakeMeta
let conector: Connector
async function findOrder(id: string, code: string): Promise<PayableOrder | null> {
  const [pedido, pix] = [pedidos.get(id), readPixCode(code)]
  return pedido === undefined || pix === null ? null : { pedido, pix, total: formatReais(pedido.totalCentavos / 100) }
}

beforeAll(async () => {
  meta = await createFakeMeta()
  const { factory } = createOficial({
    baseUrl: meta.url,
    log: pino({ level: 'silent' }),
    journal: {
      findNumber: async () => ({ ...meta.number, token: meta.token ?? '' }),
      listEntries: async () => [],
      completeEntry: async () => undefined,
      subscribe: () => () => undefined,
    },
    payments: {
      readUnpaidSince: async () => null,
      setUnpaidSince: async () => undefined,
      isAutomatic: async () => false,
    },
    orders: { readRefusedAt: async () => null, setRefusedAt: async () => undefined },
  })
  conector = factory({ ...createRecordingHost().host, findOrder })
  await conector.start()
})
afterAll(async () => {
  await conector.stop()
  await meta.close()
})

const ids = createIds({ now: () => new Date() })
const mensagem = (texto: string, mais: Partial<OutboundMessage> = {}): OutboundMessage => ({
  ...{ idExterno: ids.uuid(), endereco: '5511930009999', texto },
  ...mais,
})
const said = (): unknown[] => meta.messages.map(({ text }) => text?.body)

describe('sending a message', () => {
  it('sends once when the queue retries during a running send', async () => {
    const slow = mensagem('bom dia')
    await Promise.all([conector.send(slow), conector.send(slow)])
    await conector.send(slow)
    expect(said()).toEqual(['bom dia'])
  })

  it('sends choices as Meta takes them, and as text when it would refuse them', async () => {
    const choicesFor = async (...titulos: string[]): Promise<object | undefined> => {
      const escolhas = titulos.map((titulo, index) => ({ id: String(index + 1), titulo }))
      await conector.send(mensagem('Escolha', { escolhas }))
      return meta.messages.pop()?.interactive
    }
    const cake = 'Bolo de cenoura com chocolate'
    expect(await choicesFor('*Sim*', ' Não,  agora ')).toMatchObject({
      action: { buttons: [{ reply: { title: 'Sim' } }, { reply: { title: 'Não, agora' } }] },
    })
    // Equal when cut: Meta refuses such buttons.
    expect(await choicesFor(`${cake} branco`, `${cake} preto`)).toMatchObject({
      type: 'list',
      action: { sections: [{ rows: [{ title: 'Bolo de cenoura com choc', description: `${cake} branco` }, {}] }] },
    })
    expect(await choicesFor(`Bolos para a família👨‍👩‍👧`)).toMatchObject({
      action: { buttons: [{ reply: { title: 'Bolos para a família' } }] },
    })
    expect(await choicesFor('Sim', '**')).toBeUndefined()
  })

  it('sends an order with its items, and its code as text when code and sums do not agree', async () => {
    const item = { produtoId: 'p', quantidade: 2, precoCentavos: 1_000, observacao: '' }
    const opcoes = ['Calabresa com cebola roxa', 'Borda de catupiry original 🧀'].map((nome) => ({
      ...{ grupo: 'Sabor', nome, acrescimoCentavos: 0 },
    }))
    const pedido: Pedido = {
      ...{ id: 'a', numero: 7, contatoId: '', conversaId: '', cliente: 'Ana', status: 'novo', observacao: '' },
      itens: [
        { ...item, nome: 'Pizza grande', opcoes },
        { ...item, nome: 'Suco', opcoes: [] },
      ],
      ...{ subtotalCentavos: 4_000, entregaCentavos: 0, descontoCentavos: 500, totalCentavos: 3_500 },
      entrega: { tipo: 'retirada', endereco: '', bairro: '', cep: '' },
      pagamento: { forma: 'pix', estado: 'pendente' },
      ...{ txid: 'TX7', criadoEm: '2026-01-01T00:00:00.000Z', atualizadoEm: '2026-01-01T00:00:00.000Z' },
    }
    pedidos.set('a', pedido).set('b', { ...pedido, subtotalCentavos: 3_999 })
    const sendAs = async (chave: string, cobranca = 'a', valorCentavos = 3_500) => {
      const code = pixCode({ chave, nome: 'Ana', cidade: '' }, { valorCentavos, txid: 'TX7' }, '') ?? ''
      await conector.send(mensagem(code, { cobranca }))
      const sent = meta.messages.pop()?.interactive
      return sent?.type === 'order_details' ? sent.action.parameters : null
    }
    const sent = await sendAs('ana@loja.com')
    expect(sent?.order).toMatchObject({
      items: [{ name: 'Pizza grande · Calabresa com cebola roxa · Borda de catupiry' }, { name: 'Suco' }],
      discount: { value: 500 },
    })
    expect(sent?.order).not.toHaveProperty('shipping')
    expect(sent?.payment_settings[0].pix_dynamic_code).toMatchObject({ key: 'ana@loja.com', key_type: 'EMAIL' })
    const phone = await sendAs('+55 11 98888-7777')
    expect(phone?.payment_settings[0].pix_dynamic_code).toMatchObject({ key: '+5511988887777', key_type: 'PHONE' })
    expect([await sendAs('ana@loja.com', 'b'), await sendAs('ana@loja.com', 'a', 3_400)]).toEqual([null, null])
    expect(await sendAs('ana@loja.com', 'unknown')).toBeNull()
  })

  it('refuses an empty message whose file is missing', async () => {
    const midia = { tipo: 'imagem', url: '/outra' } as const
    await expect(conector.send(mensagem('', { midia }))).rejects.toBeInstanceOf(SendRefused)
    await conector.send(mensagem('sem foto', { midia }))
    expect(said()).toEqual(['bom dia', 'sem foto'])
  })
})
