import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Pedido, pedidoSchema } from '@balcao/contract/entities/pedido'
import { type Answer, createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { chatOf, connectBot, givenConta, givenOperador, givenWaitingCustomer } from '#test/builders.ts'
import { createSockets } from '#test/realtime/sockets.ts'

let app: TestApp
let dona: TestUser
let otto: TestUser
let conversaId: string
const TELEFONE = '5511999990001'

const answerSchema = z.object({ pedido: pedidoSchema })
const pedidoOf = ({ body }: Answer): Pedido => answerSchema.parse(body).pedido

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  otto = await givenOperador(app, dona)
  await connectBot(dona, (config) => ({
    ...config,
    loja: {
      ...{ pedidos: true, pix: { chave: '11222333000181', nome: 'Padaria Aurora', cidade: 'São Paulo' } },
      entrega: {
        ativa: true,
        taxas: [{ bairro: 'Centro', centavos: 700 }],
        minimoCentavos: 0,
        gratisAcimaCentavos: null,
      },
    },
  }))
  conversaId = await givenWaitingCustomer(dona, TELEFONE)
})
afterAll(() => app?.close())

async function givenProduto(fields: object = {}): Promise<string> {
  const input = { nome: 'Coxinha', descricao: 'De frango', preco: 5, ...fields }
  const { status, body } = await dona.request('POST', '/produtos', input)
  expect(status).toBe(200)
  return z.object({ produto: z.object({ id: z.string() }) }).parse(body).produto.id
}

const stockOf = async (id: string): Promise<unknown> =>
  (await app.sql('select estoque from produtos where id = $1', [id]))[0]?.['estoque']

const RETIRADA = { entrega: { tipo: 'retirada' }, pagamento: { forma: 'dinheiro' } }
const order = (produtoId: string, rest: object = {}, item: object = {}, person = dona): Promise<Answer> =>
  person.request('POST', '/pedidos', {
    ...{ conversaId, itens: [{ produtoId, quantidade: 2, ...item }], ...RETIRADA, ...rest },
  })
const move = (id: string, status: string, person = dona) => person.request('PUT', `/pedidos/${id}/status`, { status })

describe('an order that a person writes', () => {
  it('has names, options, prices and sums of the server, and a number of the day', async () => {
    const grupos = [
      {
        ...{ id: 'sabor', nome: 'Sabor', minimo: 1, maximo: 2, preco: 'maior' },
        opcoes: [
          { id: 'frango', nome: 'Frango', acrescimoCentavos: 0, ativa: true },
          { id: 'camarao', nome: 'Camarão', acrescimoCentavos: 450, ativa: true },
        ],
      },
    ]
    const id = await givenProduto({ nome: 'Torta', preco: 10.5, grupos })
    const entrega = { tipo: 'entrega', endereco: 'Rua A, 10', bairro: 'CENTRO', cep: '01310-100' }
    const item = { opcoes: ['frango', 'camarao'], observacao: 'sem sal' }
    const first = pedidoOf(await order(id, { entrega, descontoCentavos: 100 }, item))
    expect(first).toMatchObject({
      ...{ numero: 1, cliente: 'Bia', conversaId, status: 'novo', descontoCentavos: 100 },
      ...{ subtotalCentavos: 3_000, entregaCentavos: 700, totalCentavos: 3_600 },
      entrega: { tipo: 'entrega', bairro: 'CENTRO', cep: '01310100' },
      pagamento: { forma: 'dinheiro', estado: 'pendente' },
      itens: [
        {
          ...{ nome: 'Torta', quantidade: 2, precoCentavos: 1_500, observacao: 'sem sal' },
          opcoes: [
            { grupo: 'Sabor', nome: 'Frango', acrescimoCentavos: 0 },
            { grupo: 'Sabor', nome: 'Camarão', acrescimoCentavos: 450 },
          ],
        },
      ],
    })
    expect(pedidoOf(await order(id, {}, { opcoes: ['frango'] })).numero).toBe(2)
    expect((await chatOf(dona, TELEFONE)).map(({ texto }) => texto)).toContainEqual(
      expect.stringContaining('Pedido nº 1 recebido! Total: R$ 36,00'),
    )
    await dona.request('PUT', `/produtos/${id}`, { preco: 99 })
    expect(pedidoOf(await dona.request('GET', `/pedidos/${first.id}`))).toEqual(first)
  })

  it('is refused, and changes nothing, with options, stock, address or ids that do not fit', async () => {
    const grupos = [
      {
        ...{ id: 'tam', nome: 'Tamanho', minimo: 1, maximo: 1, preco: 'soma' },
        opcoes: [{ id: 'p', nome: 'P', acrescimoCentavos: 0, ativa: true }],
      },
    ]
    const scarce = await givenProduto({ estoque: 1 })
    const sized = await givenProduto({ grupos })
    const paused = await givenProduto({ pausadoAte: '2099-01-01T00:00:00.000Z' })
    const count = async () => (await app.sql('select count(*)::int as n from pedidos'))[0]?.['n']
    const before = await count()
    expect(await order(scarce)).toMatchObject({
      ...{
        status: 409,
        body: { codigo: 'carrinhoMudou', itens: [{ produtoId: scarce, precoCentavos: 500, disponivel: 1 }] },
      },
    })
    expect(await order(paused)).toMatchObject({ status: 409, body: { itens: [{ disponivel: 0 }] } })
    expect(await order('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 409 })
    expect(await order(sized)).toMatchObject({
      ...{ status: 400, body: { detalhes: [{ caminho: 'itens.0.opcoes' }], erro: 'Coxinha: escolha 1 em “Tamanho”.' } },
    })
    expect(await order(sized, {}, { opcoes: ['g'] })).toMatchObject({ status: 400 })
    const far = { entrega: { tipo: 'entrega', bairro: 'Lua' } }
    expect(await order(scarce, far, { quantidade: 1 })).toMatchObject({
      status: 409,
      body: { codigo: 'foraDaEntrega' },
    })
    expect(await order(scarce, { conversaId: 'x' }, { quantidade: 1 })).toMatchObject({ status: 404 })
    const pia = await givenOperador(app, dona, { nome: 'Pia', setores: ['vendas'] })
    await dona.request('POST', `/atendimento/conversas/${conversaId}/transferir`, { setor: 'financeiro' })
    expect(await order(scarce, {}, { quantidade: 1 }, pia)).toMatchObject({ status: 404 })
    for (const wrong of [{ itens: [] }, { pagamento: { forma: 'fiado' } }, { descontoCentavos: -1 }, { entrega: {} }])
      expect(await order(scarce, wrong)).toMatchObject({ status: 400 })
    for (const quantidade of [0, -1, 1.5, 1_000, '2'])
      expect((await order(scarce, {}, { quantidade })).status).toBe(400)
    expect(await count()).toBe(before)
    expect(await stockOf(scarce)).toBe(1)
  })

  it('takes the last unit once from 30 parallel orders, and a cancelled one gives it back', async () => {
    const id = await givenProduto({ estoque: 1 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => order(id, {}, { quantidade: 1 })))
    const sold = answers.filter(({ status }) => status === 201)
    expect(sold).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(29)
    expect(await stockOf(id)).toBe(0)
    const [winner] = sold.map(pedidoOf)
    expect((await move(winner?.id ?? '', 'cancelado')).status).toBe(200)
    expect(await stockOf(id)).toBe(1)
  })
})

describe('stock, names and choices of a produto', () => {
  it('are saved by JSON and by form, changed one by one, and refused when wrong', async () => {
    const sinonimos = ['risole']
    const grupos = [
      {
        ...{ id: 'g', nome: 'Molho', minimo: 0, maximo: 1, preco: 'soma' },
        opcoes: [{ id: 'o', nome: 'Alho', acrescimoCentavos: 50, ativa: true }],
      },
    ]
    const id = await givenProduto({ estoque: 3, sinonimos, categoria: ' Salgados ', grupos })
    const form = new FormData()
    for (const [name, text] of Object.entries({ estoque: '', sinonimos: '["a","b"]', grupos: '[]', pausadoAte: '' }))
      form.set(name, text)
    expect(await dona.request('PUT', `/produtos/${id}`, form)).toMatchObject({
      body: { produto: { estoque: null, sinonimos: ['a', 'b'], categoria: 'Salgados', grupos: [] } },
    })
    const pausadoAte = '2027-01-01T12:00:00.000Z'
    expect(await dona.request('PUT', `/produtos/${id}`, { pausadoAte, estoque: 7 })).toMatchObject({
      body: { produto: { pausadoAte, estoque: 7, sinonimos: ['a', 'b'] } },
    })
    const [grupo] = grupos
    for (const wrong of [
      ...[
        { estoque: -1 },
        { estoque: 1.5 },
        { sinonimos: [''] },
        { pausadoAte: 'amanhã' },
        { categoria: 'x'.repeat(61) },
      ],
      ...[{ minimo: 2 }, { maximo: 0 }, { opcoes: [] }, { preco: 'menor' }].map((part) => ({
        grupos: [{ ...grupo, ...part }],
      })),
      { grupos: [grupo, grupo] },
    ])
      expect((await dona.request('PUT', `/produtos/${id}`, wrong)).status).toBe(400)
  })
})

describe('the way of an order', () => {
  it('goes step by step, and each step sends its text once', async () => {
    const id = await givenProduto()
    const entrega = { tipo: 'entrega', bairro: 'Centro' }
    const { id: pedido, numero } = pedidoOf(await order(id, { entrega }))
    for (const wrong of ['saiu', 'entregue', 'novo']) {
      expect(await move(pedido, wrong)).toMatchObject({ status: 409, body: { codigo: 'passoInvalido' } })
    }
    for (const status of ['preparo', 'saiu', 'entregue'])
      expect(pedidoOf(await move(pedido, status)).status).toBe(status)
    expect(await move(pedido, 'cancelado')).toMatchObject({ status: 409 })
    expect(await move(pedido, 'pronto')).toMatchObject({ status: 400 })
    const said = (await chatOf(dona, TELEFONE))
      .filter(({ texto }) => texto.includes(`nº ${numero} `))
      .map(({ texto }) => texto)
    expect(said.filter((texto) => texto.includes('saiu para entrega'))).toHaveLength(1)
    expect(said).toHaveLength(4)
  })

  it('passes from one hand only when two people move it at once', async () => {
    const { id } = pedidoOf(await order(await givenProduto()))
    const answers = await Promise.all([move(id, 'preparo'), move(id, 'preparo', otto), move(id, 'cancelado')])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    const { status } = pedidoOf(await dona.request('GET', `/pedidos/${id}`))
    expect(['preparo', 'cancelado']).toContain(status)
  })

  it('skips the delivery when the customer picks it up', async () => {
    const { id } = pedidoOf(await order(await givenProduto()))
    await move(id, 'preparo')
    expect((await move(id, 'saiu')).status).toBe(409)
    expect(pedidoOf(await move(id, 'entregue')).status).toBe('entregue')
  })

  it('reaches open panels, of an operador too', async () => {
    const sockets = createSockets(app.url)
    const { socket } = await sockets.connect(otto)
    const heard: string[] = []
    for (const name of ['pedidoNovo', 'pedidoMudou'] as const)
      socket.on(name, ({ pedido }) => heard.push(`${name} ${pedido.status}`))
    const { id } = pedidoOf(await order(await givenProduto(), {}, {}, otto))
    await move(id, 'preparo', otto)
    await expect.poll(() => heard).toEqual(['pedidoNovo novo', 'pedidoMudou preparo'])
    sockets.close()
  })
})

describe('payment', () => {
  it('gives a PIX code with the sum, and records who confirmed it', async () => {
    const { id, totalCentavos, txid } = pedidoOf(await order(await givenProduto(), { pagamento: { forma: 'pix' } }))
    const pix = await dona.request('GET', `/pedidos/${id}/pix`)
    expect(pix).toMatchObject({ status: 200, body: { valorCentavos: totalCentavos, txid } })
    expect(pix.body['copiaECola']).toMatch(/^000201.*540510\.00.*6304[0-9A-F]{4}$/)
    const paid = await otto.request('PUT', `/pedidos/${id}/pagamento`, { estado: 'confirmado' })
    expect(pedidoOf(paid).pagamento).toEqual({ forma: 'pix', estado: 'confirmado' })
    const acts = await app.sql(`select quem_nome as nome from auditoria where acao = 'pagamentoDePedido'`)
    expect(acts).toEqual([{ nome: 'Otto' }])
  })

  it('gives no PIX code without a key', async () => {
    const vizinha = await givenConta(app)
    await connectBot(vizinha)
    const conversa = await givenWaitingCustomer(vizinha, TELEFONE)
    const produto = await vizinha.request('POST', '/produtos', { nome: 'Bolo', descricao: 'x', preco: 1 })
    const { produto: bolo } = z.object({ produto: z.object({ id: z.string() }) }).parse(produto.body)
    const itens = [{ produtoId: bolo.id, quantidade: 1 }]
    const { id } = pedidoOf(await vizinha.request('POST', '/pedidos', { conversaId: conversa, itens, ...RETIRADA }))
    expect(await vizinha.request('GET', `/pedidos/${id}/pix`)).toMatchObject({
      status: 409,
      body: { codigo: 'semChavePix' },
    })
    // Another account sees, moves and orders nothing of it.
    expect((await dona.request('GET', `/pedidos/${id}`)).status).toBe(404)
    expect((await move(id, 'preparo')).status).toBe(404)
    expect((await order(bolo.id)).status).toBe(409)
    const refused = { chave: '529.982.247-26', nome: '', cidade: '' }
    await expect(connectBot(vizinha, (config) => ({ ...config, loja: { pix: refused } }))).rejects.toThrow('chave PIX')
  })
})

describe('the list of orders', () => {
  const list = async (query: string) =>
    z
      .object({ pedidos: z.array(pedidoSchema), proximoCursor: z.nullable(z.string()) })
      .parse((await dona.request('GET', `/pedidos${query}`)).body)

  it('pages newest first and filters by step, day, number, customer, phone and produto', async () => {
    const { id, numero, criadoEm } = pedidoOf(await order(await givenProduto({ nome: 'Pão de queijo' })))
    const { pedidos, proximoCursor } = await list('?limite=1')
    expect(pedidos.map((pedido) => pedido.id)).toEqual([id])
    const next = await list(`?limite=1&cursor=${proximoCursor}`)
    expect(next.pedidos[0]?.id).not.toBe(id)
    const found = async (busca: string) =>
      (await list(`?busca=${encodeURIComponent(busca)}`)).pedidos.map((one) => one.id)
    expect(await found('pao de queijo')).toEqual([id])
    expect(await found(`#${numero}`)).toContain(id)
    expect(await found('bia')).toContain(id)
    expect(await found('99999-0001')).toContain(id)
    expect(await found('%')).toHaveLength((await found('')).length)
    expect(await found('nada disso')).toEqual([])
    expect((await list('?status=cancelado')).pedidos.map((one) => one.id)).not.toContain(id)
    expect((await list('?dia=2001-01-01')).pedidos).toEqual([])
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(new Date(criadoEm))
    expect((await list(`?dia=${today}&limite=100`)).pedidos.map((one) => one.id)).toContain(id)
    for (const wrong of ['?status=pronto', '?dia=ontem', '?cursor=1'])
      expect((await dona.request('GET', `/pedidos${wrong}`)).status).toBe(400)
  })
})

describe('the kitchen ticket', () => {
  it('fits the width as text, and is bytes for a printer', async () => {
    const id = await givenProduto({ nome: 'Sanduíche natural de atum com requeijão cremoso' })
    const observacao = 'Portão azul \u001b@'
    const pedido = pedidoOf(await order(id, { pagamento: { forma: 'dinheiro', trocoParaCentavos: 5_000 }, observacao }))
    const text = await fetch(`${app.url}/api/pedidos/${pedido.id}/cupom?largura=32`, {
      headers: { authorization: `Bearer ${dona.token}` },
    })
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const lines = (await text.text()).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(32)
    expect(lines.join('\n')).toContain('Pagamento: Dinheiro, troco para\nR$ 50,00')
    const bytes = await fetch(`${app.url}/api/pedidos/${pedido.id}/cupom?formato=escpos`, {
      headers: { authorization: `Bearer ${dona.token}` },
    })
    expect(bytes.headers.get('content-type')).toBe('application/octet-stream')
    const raw = Buffer.from(await bytes.arrayBuffer())
    expect(raw.subarray(0, 2)).toEqual(Buffer.from([0x1b, 0x40]))
    expect(raw.toString('latin1')).toContain('Sanduiche natural de atum')
    // Text of a customer gives the printer no command.
    expect(raw.toString('latin1').split('\u001b')).toHaveLength(2)
  })
})

describe('rights', () => {
  it('refuses owner and operador while the account has no shop', async () => {
    const outra = await givenConta(app)
    const operador = await givenOperador(app, outra, { nome: 'Pia' })
    expect((await operador.request('GET', '/pedidos')).status).toBe(200)
    await app.sql(
      `update contas set componentes_permitidos = componentes_permitidos || '{"lojaWhatsapp": false}' where id = $1`,
      [outra.contaId],
    )
    await app.deps.forgetSessions()
    for (const person of [outra, operador])
      for (const path of ['/pedidos', `/pedidos/${outra.contaId}`, `/pedidos/${outra.contaId}/pix`])
        expect(await person.request('GET', path)).toMatchObject({ status: 403, body: { codigo: 'semPermissao' } })
  })
})

describe('coupons', () => {
  it('are created, changed and deleted, with one code each', async () => {
    const created = await dona.request('POST', '/cupons', { codigo: 'voltei10', tipo: 'percentual', valor: 10 })
    expect(created).toMatchObject({
      status: 201,
      body: { cupom: { codigo: 'VOLTEI10', usos: null, ativo: true, minimoCentavos: 0 } },
    })
    const again = { codigo: 'Voltei10', tipo: 'entrega', valor: 0 }
    expect(await dona.request('POST', '/cupons', again)).toMatchObject({ status: 409, body: { codigo: 'cupomExiste' } })
    const { cupom } = z.object({ cupom: z.object({ id: z.string() }) }).parse(created.body)
    const path = `/cupons/${cupom.id}`
    expect(await dona.request('PUT', path, { valor: 15, usos: 3 })).toMatchObject({
      body: { cupom: { valor: 15, usos: 3 } },
    })
    const validoAte = '2030-01-31T02:59:59.000Z'
    expect(await dona.request('PUT', path, { validoAte })).toMatchObject({ body: { cupom: { validoAte, usos: 3 } } })
    // A change of another field keeps the last day, and null takes it away.
    expect(await dona.request('PUT', path, { usos: 4 })).toMatchObject({ body: { cupom: { validoAte, usos: 4 } } })
    const endless = await dona.request('PUT', path, { validoAte: null })
    expect(z.object({ cupom: z.object({ validoAte: z.optional(z.string()) }) }).parse(endless.body).cupom).toEqual({})
    for (const wrong of [{ valor: 101 }, { codigo: 'ab' }, { codigo: 'com espaço' }, { usos: 0 }, { tipo: 'brinde' }])
      expect((await dona.request('PUT', path, wrong)).status).toBe(400)
    expect((await dona.request('PUT', path, { tipo: 'valor', valor: 1_000 })).status).toBe(200)
    // The value of another kind would be more than 100 percent.
    expect((await dona.request('PUT', path, { tipo: 'percentual' })).status).toBe(400)
    expect((await otto.request('GET', '/cupons')).status).toBe(403)
    expect((await dona.request('DELETE', path)).status).toBe(204)
    expect(await dona.request('GET', '/cupons')).toMatchObject({ body: { cupons: [], proximoCursor: null } })
    expect((await dona.request('DELETE', path)).status).toBe(404)
  })
})
