import { afterAll, beforeAll, expect, it } from 'vitest'
import { criarNotaRoute, notasRoute } from '@balcao/contract/routes/notas'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, givenConta, givenOperador, givenWaitingCustomer } from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let vera: TestUser
let fabio: TestUser
let conversaId: string
const telefone = '5511985550001'

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] })
  fabio = await givenOperador(app, dona, { nome: 'Fábio', setores: ['financeiro'] })
  await connectBot(dona)
  conversaId = await givenWaitingCustomer(dona, telefone)
  await dona.request('POST', `/atendimento/conversas/${conversaId}/transferir`, { setor: 'vendas' })
})
afterAll(() => app.close())

const write = (user: TestUser, body: object, id = conversaId) =>
  user.request('POST', `/atendimento/conversas/${id}/notas`, body)
const list = async (user: TestUser, query = '') =>
  notasRoute.response.parse((await user.request('GET', `/atendimento/conversas/${conversaId}/notas${query}`)).body)

it('stores a nota for those who see the conversa and sends nothing to the customer', async () => {
  const [socket, closed] = [await app.connect(dona), await app.connect(fabio)]
  await app.idle()
  const chat = await chatOf(dona, telefone)
  const mencoes = [dona.usuario.id, dona.usuario.id]
  const { status, body } = await write(vera, { texto: '  pede desconto  ', mencoes })
  const { nota } = criarNotaRoute.response.parse(body)
  expect([status, nota]).toMatchObject([
    201,
    { texto: 'pede desconto', autor: 'Vera', autorId: vera.usuario.id, mencoes: [dona.usuario.id] },
  ])
  await waitUntil(() => socket.received.some(([event]) => event === 'notaConversa'))
  expect(socket.received.find(([event]) => event === 'notaConversa')?.[1]).toMatchObject({ conversaId, nota })
  expect(JSON.stringify(closed.received)).not.toContain('desconto')
  await app.idle()
  expect(await chatOf(dona, telefone)).toEqual(chat)
  expect(await app.sql('select 1 from saida where conta_id = $1', [dona.contaId])).toEqual([])
  const { body: mensagens } = await dona.request('GET', `/atendimento/conversas/${conversaId}/mensagens`)
  expect(JSON.stringify(mensagens)).not.toContain('desconto')
})

it('lists notas newest first in pages, also of a finished conversa', async () => {
  await write(dona, { texto: 'segunda' })
  await write(dona, { texto: 'terceira' })
  await dona.request('POST', `/atendimento/conversas/${conversaId}/finalizar`)
  expect((await write(dona, { texto: 'depois do fim' })).status).toBe(201)
  const first = await list(vera, '?limite=3')
  expect(first.notas.map(({ texto }) => texto)).toEqual(['depois do fim', 'terceira', 'segunda'])
  const { notas, proximoCursor } = await list(vera, `?limite=3&cursor=${first.proximoCursor}`)
  expect([notas.map(({ texto }) => texto), proximoCursor]).toEqual([['pede desconto'], null])
})

it('refuses readers of other setores, mentions of them and bad texts', async () => {
  expect((await write(fabio, { texto: 'oi' })).status).toBe(404)
  expect((await fabio.request('GET', `/atendimento/conversas/${conversaId}/notas`)).status).toBe(404)
  expect((await write(dona, { texto: 'oi' }, 'nada')).status).toBe(404)
  for (const mencao of [fabio.usuario.id, 'nada']) {
    const reply = await write(dona, { texto: 'oi', mencoes: [dona.usuario.id, mencao] })
    expect(reply).toMatchObject({ status: 400, body: { detalhes: [{ caminho: 'mencoes.1' }] } })
  }
  for (const texto of ['', '   ', 'a'.repeat(4097), 7]) expect((await write(dona, { texto })).status).toBe(400)
  expect((await list(dona)).notas).toHaveLength(4)
})

it('refuses a nota above 10,000 in 24 hours, also the motivo of a transfer', async () => {
  await app.sql(
    `insert into notas (conta_id, id, conversa_id, texto, autor_id, autor, criada_em)
     select $1, uuidv7(), $2, 'x', $3, 'Vera', now() from generate_series(1, 10000)`,
    [dona.contaId, conversaId, vera.usuario.id],
  )
  const { status, body } = await write(dona, { texto: 'mais uma' })
  expect([status, body['codigo'], body['limite']]).toEqual([403, 'limitePlano', 10_000])
  await dona.request('POST', `/atendimento/conversas/${conversaId}/reabrir`)
  const transfer = { setor: 'financeiro', motivo: 'boleto' }
  expect((await dona.request('POST', `/atendimento/conversas/${conversaId}/transferir`, transfer)).status).toBe(403)
  expect((await list(vera)).notas[0]?.texto).toBe('x')
})
