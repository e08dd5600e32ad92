import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Extrato, extratoSchema, type Pedido, pedidoSchema } from '@balcao/contract/entities/pedido'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { connectBot, formFile, givenConta, givenOperador, givenWaitingCustomer } from '#test/builders.ts'
import { createSockets } from '#test/realtime/sockets.ts'

/** Tuesday noon in São Paulo. Each test uses other sums. */
let app: TestApp
let dona: TestUser
let conversaId: string
let produtos = 0

beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z' })
  dona = await givenConta(app)
  await connectBot(dona, (config) => ({
    ...config,
    loja: { pedidos: true, pix: { chave: '11222333000181', nome: 'Padaria', cidade: 'São Paulo' } },
  }))
  conversaId = await givenWaitingCustomer(dona, '5511999990001')
})
afterAll(() => app?.close())

async function givenPedido(reais: number, forma = 'pix'): Promise<Pedido> {
  const input = { nome: `Torta ${(produtos += 1)}`, descricao: 'x', preco: reais }
  const { produto } = z
    .object({ produto: z.object({ id: z.string() }) })
    .parse((await dona.request('POST', '/produtos', input)).body)
  const { status, body } = await dona.request('POST', '/pedidos', {
    ...{ conversaId, itens: [{ produtoId: produto.id, quantidade: 1 }] },
    ...{ entrega: { tipo: 'retirada' }, pagamento: { forma } },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return z.object({ pedido: pedidoSchema }).parse(body).pedido
}

function upload(content: string | Buffer, { simular = false, person = dona } = {}) {
  const form = new FormData()
  form.set('arquivo', formFile(Buffer.from(content), 'extrato', 'application/octet-stream'))
  return person.request('POST', `/pedidos/extrato?simular=${simular}`, form)
}

async function check(content: string | Buffer, options: Parameters<typeof upload>[1] = {}): Promise<Extrato> {
  const { status, body } = await upload(content, options)
  expect(status, JSON.stringify(body)).toBe(200)
  return extratoSchema.parse(body)
}

const stateOf = async ({ id }: Pedido): Promise<string> =>
  z.object({ pedido: pedidoSchema }).parse((await dona.request('GET', `/pedidos/${id}`)).body).pedido.pagamento.estado

const payment = (day: string, sum: string, id: string, memo = 'PIX RECEBIDO') =>
  `<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>${day}120000[-3:BRT]\n<TRNAMT>${sum}\n<FITID>${id}\n<MEMO>${memo}\n</STMTTRN>`
const ofx = (...payments: readonly string[]) =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nCHARSET:1252\n\n<OFX><BANKMSGSRSV1><ACCTID>123\n<BANKTRANLIST>\n${payments.join('\n')}\n</BANKTRANLIST></OFX>`

const changedSchema = z.object({ pedido: pedidoSchema })
const NOTHING: Extrato = { confirmados: [], duvidosos: [], semPedido: 0, repetidos: 0 }
const paid = (pedido: Pedido, data = '2026-03-10') => ({
  ...{ pedidoId: pedido.id, valorCentavos: pedido.totalCentavos, data },
})

describe('a bank statement', () => {
  it('confirms the order with the same sum once, announces it, and leaves a trail', async () => {
    const [pedido, other] = [await givenPedido(11.01), await givenPedido(11.02)]
    const sockets = createSockets(app.url)
    const { socket } = await sockets.connect(dona)
    const heard: string[] = []
    socket.on('pedidoMudou', (event: unknown) => heard.push(changedSchema.parse(event).pedido.pagamento.estado))
    const file = ofx(payment('20260310', '11.01', 'A1'), payment('20260310', '-11.02', 'A2'))
    expect(await check(file, { simular: true })).toEqual({ ...NOTHING, confirmados: [paid(pedido)] })
    expect(await stateOf(pedido)).toBe('pendente')
    expect(await check(file)).toEqual({ ...NOTHING, confirmados: [paid(pedido)] })
    await expect.poll(() => heard).toEqual(['confirmado'])
    sockets.close()
    expect([await stateOf(pedido), await stateOf(other)]).toEqual(['confirmado', 'pendente'])
    const trail = await app.sql(`select detalhe from auditoria where acao = 'pagamentoDePedido'`)
    expect(trail).toEqual([
      { detalhe: `Pedido nº ${pedido.numero}: de pendente para confirmado, pelo extrato do banco.` },
    ])
    // The same file changes nothing, not even for an order that is made later.
    const later = await givenPedido(11.01)
    expect(await check(file)).toEqual({ ...NOTHING, repetidos: 1 })
    expect(await stateOf(later)).toBe('pendente')
    expect((await app.sql(`select 1 from auditoria where acao = 'pagamentoDePedido'`)).length).toBe(1)
  })

  it('prefers the txid, and leaves what does not agree to a person', async () => {
    const [first, second, third] = [await givenPedido(12), await givenPedido(12), await givenPedido(12.5)]
    const file = ofx(
      payment('20260310', '12,00', 'B1', `PIX ${second.txid.toLowerCase()} MARIA`),
      payment('20260310', '12.40', 'B2', third.txid),
    )
    expect(await check(file)).toEqual({
      ...{ ...NOTHING, confirmados: [paid(second)] },
      duvidosos: [{ valorCentavos: 1_240, data: '2026-03-10', pedidoIds: [third.id] }],
    })
    expect([await stateOf(first), await stateOf(third)]).toEqual(['pendente', 'pendente'])
  })

  it('decides nothing between orders or payments of one sum', async () => {
    const [a, b] = [await givenPedido(13), await givenPedido(13)]
    const one = await givenPedido(13.5)
    const file = ofx(
      payment('20260310', '13.00', 'C1'),
      payment('20260310', '13.50', 'C2'),
      payment('20260310', '13.50', 'C3'),
    )
    const { confirmados, duvidosos } = await check(file)
    expect(confirmados).toEqual([])
    const facts = { valorCentavos: 1_350, data: '2026-03-10', pedidoIds: [one.id] }
    expect(duvidosos).toEqual([
      { valorCentavos: 1_300, data: '2026-03-10', pedidoIds: [a.id, b.id].toSorted() },
      facts,
      facts,
    ])
  })

  it('counts no payment before the order, of later days, of cash or of a cancelled order', async () => {
    const pedido = await givenPedido(14)
    await givenPedido(14.1, 'dinheiro')
    const cancelled = await givenPedido(14.2)
    await dona.request('PUT', `/pedidos/${cancelled.id}/status`, { status: 'cancelado' })
    const file = ofx(
      payment('20260309', '14.00', 'D1'),
      payment('20260314', '14.00', 'D2'),
      payment('20260310', '14.10', 'D3'),
      payment('20260310', '14.20', 'D4'),
    )
    expect(await check(file)).toEqual({ ...NOTHING, semPedido: 4 })
    expect(await check(ofx(payment('20260313', '14.00', 'D5')))).toEqual({
      ...{ ...NOTHING, confirmados: [paid(pedido, '2026-03-13')] },
    })
  })

  it('is the same payment in two statements whose days overlap', async () => {
    await givenPedido(15)
    const rows = ['10/03/2026;Pix recebido;15,00;100,00', '10/03/2026;Pix recebido;15,10;115,10']
    const head = 'Data Lançamento;Descrição;Valor;Saldo'
    expect((await check([head, ...rows].join('\n'))).confirmados).toHaveLength(1)
    const next = [head, rows[0]?.replace('100,00', '900,00'), '10/03/2026;Pix recebido;15,00;915,00']
    expect(await check(next.join('\r\n'))).toEqual({ ...NOTHING, repetidos: 1, semPedido: 1 })
  })

  it.each([
    [
      'OFX 2',
      (sum: string) =>
        `<?xml version="1.0"?><OFX><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20260310</DTPOSTED><TRNAMT>${sum}</TRNAMT><FITID>X${sum}</FITID><MEMO>a &amp; b</MEMO></STMTTRN></OFX>`,
    ],
    [
      'Nubank',
      (sum: string) => `Data,Valor,Identificador,Descrição\n10/03/2026,${sum},id-${sum},Transferência recebida`,
    ],
    ['Itaú', (sum: string) => `10/03/2026;PIX TRANSF ANA;${sum.replace('.', ',')}`],
    [
      'Banco do Brasil',
      (sum: string) =>
        `"Data","Dependencia Origem","Histórico","Data do Balancete","Número do documento","Valor",\n"09/03/2026","","Saldo Anterior","","0","${sum}",\n"10/03/2026","","Pix - Recebido","","7","${sum}",`,
    ],
    [
      'Inter',
      (sum: string) =>
        ` Extrato Conta Corrente \nConta ;1\nPeríodo ;01/03/2026 a 31/03/2026\n\nData Lançamento;Histórico;Descrição;Valor;Saldo\n10/03/2026;Pix recebido;Ana;${sum.replace('.', ',')};1.234,56`,
    ],
    [
      'Bradesco',
      (sum: string) =>
        `Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$)\n10/03/26;PIX;1;R$ ${sum.replace('.', ',')};;9.999,00\n10/03/26;TARIFA;2;;-${sum.replace('.', ',')};9.999,00`,
    ],
    ['a column of kinds', (sum: string) => `Data;Tipo;Valor\n10/03/2026;D;${sum}\n10/03/2026;C;${sum}`],
  ])('is read as %s writes it', async (_bank, fileOf) => {
    const reais = 1_600 + (produtos += 1) / 100
    const pedido = await givenPedido(reais)
    expect(await check(fileOf(reais.toFixed(2)))).toEqual({ ...NOTHING, confirmados: [paid(pedido)] })
  })

  it('is read in Latin-1 too', async () => {
    const pedido = await givenPedido(17)
    const latin = Buffer.from('Data;Histórico;Crédito\n10/03/2026;João;17,00', 'latin1')
    expect(await check(latin)).toEqual({ ...NOTHING, confirmados: [paid(pedido)] })
  })

  it('belongs to the owner of a shop', async () => {
    const otto = await givenOperador(app, dona)
    expect((await upload(ofx(), { person: otto })).status).toBe(403)
    const other = await givenConta(app)
    const pedido = await givenPedido(18)
    expect(await check(ofx(payment('20260310', '18.00', 'E1')), { person: other })).toEqual({
      ...{ ...NOTHING, semPedido: 1 },
    })
    expect(await stateOf(pedido)).toBe('pendente')
  })

  it('confirms once when the same file arrives twice together', async () => {
    const pedido = await givenPedido(19)
    const file = ofx(payment('20260310', '19.00', 'F1'))
    const answers = await Promise.all([check(file), check(file)])
    expect(answers.flatMap(({ confirmados }) => confirmados)).toEqual([paid(pedido)])
    expect(answers.map(({ repetidos }) => repetidos).toSorted((a, b) => a - b)).toEqual([0, 1])
  })
})

describe('a hostile file', () => {
  it('is refused in Portuguese when it is no statement', async () => {
    for (const content of ['', 'oi', '\0'.repeat(500), '{"a":1}', 'Data;Nome\n10/03/2026;Ana']) {
      const { status, body } = await upload(content)
      expect([status, body['codigo']]).toEqual([400, 'dadosInvalidos'])
    }
    expect((await upload('x'.repeat(5_300_000))).status).toBe(413)
  })

  it('is refused with its reason when it is empty or its download broke off before the first payment', async () => {
    const erroOf = async (content: string) => (await upload(content)).body['erro']
    expect(await erroOf('')).toBe('Este arquivo está vazio.')
    const broken = 'O extrato está incompleto. Baixe o arquivo de novo no banco.'
    expect(await erroOf('OFXHEADER:100\n<OFX><BANKMSGSRSV1><STMTTRN')).toBe(broken)
    expect(await check('OFXHEADER:100\n<OFX><BANKTRANLIST></BANKTRANLIST></OFX>')).toEqual(NOTHING)
  })

  it('gives no payment for a sum at which the download broke off', async () => {
    const pedido = await givenPedido(13.37)
    const whole = ofx(payment('20260310', '9.99', 'X1'), payment('20260310', '13.3745', 'X2'))
    const cut = whole.slice(0, whole.indexOf('13.37') + '13.37'.length)
    expect(await check(cut)).toEqual({ ...NOTHING, semPedido: 1 })
    expect(await stateOf(pedido)).toBe('pendente')
  })

  it('gives no payment for formulas, impossible days and impossible sums', async () => {
    const rows = [
      '=1+1;10/03/2026;5,00',
      "10/03/2026;'=2+3;a",
      '31/02/2026;5,00;a',
      '10/03/2026;1.2.3,4;a',
      '10/03/2026;9e9;a',
    ]
    expect(await check(`Data;Valor;Nome\n${rows.join('\n')}`)).toEqual(NOTHING)
  })

  it('expands no entities', async () => {
    const bomb = `<!DOCTYPE a [<!ENTITY a "1"><!ENTITY b "&a;&a;&a;">]>`
    const file = `<?xml version="1.0"?>${bomb}<OFX><STMTTRN><DTPOSTED>20260310<TRNAMT>&b;<FITID>1</STMTTRN></OFX>`
    expect(await check(file)).toEqual(NOTHING)
  })

  it('may have 100,000 lines, and other requests are answered meanwhile', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `10/03/2026;PIX ${index};3,33`)
    const checking = check(`Data;Nome;Valor\n${rows.join('\n')}`)
    let longest = 0
    let done = false
    const ended = checking.finally(() => (done = true))
    while (!done) {
      const began = performance.now()
      await dona.request('GET', '/pedidos?limite=1')
      longest = Math.max(longest, performance.now() - began)
    }
    expect(await ended).toEqual({ ...NOTHING, semPedido: 100_000 })
    expect(longest).toBeLessThan(5_000)
  })
})
