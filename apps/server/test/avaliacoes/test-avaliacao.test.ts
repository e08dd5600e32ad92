import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { avaliacoesRoute } from '@balcao/contract/routes/atendimento-conversa'
import { parseServerEvent } from '@balcao/contract/realtime'
import { mensagensRoute } from '@balcao/contract/routes/registros'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { applyToMensagensBot } from '@balcao/contract/sync/registros'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  withVendas,
} from '#test/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
})
afterAll(() => app.close())

const test = ({ request }: TestUser, whatsappId: unknown) =>
  request('POST', '/atendimento/teste-avaliacao', { whatsappId })
const notas = async ({ request }: TestUser) =>
  avaliacoesRoute.response.parse((await request('GET', '/atendimento/avaliacoes')).body).ultimasAvaliacoes
const chat = async ({ request }: TestUser, telefone: string) =>
  mensagensSimuladasRoute.response
    .parse((await request('GET', `/simulador/mensagens?telefone=${telefone}`)).body)
    .mensagens.map(({ de, texto }) => `${de}: ${texto}`)
const PERGUNTA = expect.stringContaining('nota de *0* a *5*')
const conversas = (telefone: string) =>
  app.sql(
    `select v.status, v.teste, v.motivo_fim from conversas v join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
      where c.telefone = $1 order by v.id`,
    [telefone],
  )

describe('POST /atendimento/teste-avaliacao', () => {
  it('asks for a nota with the bot stopped, without sending or counting', async () => {
    const dona = await givenConta(app)
    const operadora = await givenOperador(app, dona)
    const { received } = await app.connect(dona)
    const telefone = '5511944440001'
    const registradas = async () =>
      mensagensRoute.response.parse((await dona.request('GET', '/mensagens')).body).mensagens
    const before = await registradas()
    const { status, body } = await test(operadora, '(11) 94444-0001')
    expect(status).toBe(200)
    expect(body['mensagem']).toContain(`+${telefone}`)
    expect(await chat(dona, telefone)).toEqual([PERGUNTA])
    expect(await app.sql('select simulada from mensagens')).toEqual([{ simulada: true }])
    expect(await app.sql('select 1 from saida')).toEqual([])
    expect((await dona.request('GET', '/usuario/estatisticas')).body).toMatchObject({
      usuario: { estatisticas: { mensagensHoje: 0 } },
    })
    expect(await conversas(telefone)).toEqual([{ status: 'finalizada', teste: true, motivo_fim: 'teste' }])
    expect((await dona.request('GET', '/atendimento/conversas?status=finalizada')).body['conversas']).toEqual([])
    const said = await waitUntil(() => received.find(([name]) => name === 'botMensagem') ?? null)
    const event = parseServerEvent(...said)
    expect(event).not.toBeNull()
    // The event leads to the state that a new request returns. The test conversa is not listed as open.
    if (event !== null) expect(await registradas()).toEqual(applyToMensagensBot(before, event, dona.usuario.contaId))
    const ativa = await waitUntil(() => received.find(([name]) => name === 'botConversaAtiva') ?? null)
    expect(ativa[1]).toMatchObject({ telefone, ativa: false })
    expect((await dona.request('GET', '/bot/status')).body).toMatchObject({ conversasAtivas: [] })
  })

  it('stores the nota as a test and then serves the customer normally', async () => {
    const dona = await givenConta(app)
    await connectBot(dona, withVendas)
    const telefone = '5511944440002'
    expect((await test(dona, `${telefone}@c.us`)).status).toBe(200)
    await customerSays(dona, telefone, '4')
    expect(await notas(dona)).toMatchObject([{ nota: 4, teste: true, cliente: { telefone } }])
    await app.server.idle()
    expect(await app.sql('select 1 from saida')).toEqual([])

    await customerSays(dona, telefone, 'quero fazer um pedido')
    await app.server.idle()
    const ditas = await chat(dona, telefone)
    expect(ditas.slice(0, 4)).toEqual([
      PERGUNTA,
      'cliente: 4',
      expect.stringContaining('avaliação'),
      'cliente: quero fazer um pedido',
    ])
    expect(ditas.length).toBeGreaterThan(4)
    expect(await conversas(telefone)).toEqual([
      { status: 'finalizada', teste: true, motivo_fim: 'teste' },
      { status: 'bot', teste: false, motivo_fim: null },
    ])
    const [{ usadas } = {}] = await app.sql('select usadas from uso_diario where conta_id = $1', [dona.usuario.contaId])
    expect(usadas).toBe(ditas.length - 4)
  })

  it('ends a conversa of the bot, may repeat and accepts numbers without ninth digit', async () => {
    const dona = await givenConta(app)
    await connectBot(dona, withVendas)
    const telefone = '5511984440003'
    await customerSays(dona, telefone, 'oi')
    for (const written of [telefone, '551184440003', '+55 11 8444-0003', `${telefone}:7@s.whatsapp.net`]) {
      expect([written, (await test(dona, written)).status]).toEqual([written, 200])
    }
    expect((await conversas(telefone)).map(({ status, teste }) => [status, teste])).toEqual([
      ['finalizada', false],
      ...Array.from({ length: 4 }, () => ['finalizada', true]),
    ])
    await customerSays(dona, telefone, '5')
    expect(await notas(dona)).toHaveLength(1)
  })

  it('answers 409 for a customer in atendimento and for a conta in maintenance', async () => {
    const dona = await givenConta(app)
    await connectBot(dona, withVendas)
    const id = await givenWaitingCustomer(dona, '5511944440004')
    expect(await test(dona, '5511944440004')).toMatchObject({ status: 409, body: { codigo: 'conflito' } })
    await customerSays(dona, '5511944440004', '5')
    expect(await notas(dona)).toEqual([])
    expect((await dona.request('POST', `/atendimento/conversas/${id}/assumir`)).status).toBe(200)

    await app.sql('update contas set manutencao = true where id = $1', [dona.usuario.contaId])
    expect(await test(dona, '5511944440005')).toMatchObject({ status: 409 })
    expect(await conversas('5511944440005')).toEqual([])
  })

  it.each(['', ' ', 'Maria', '123', '55119444400041234', '0000000000', 'abc@c.us', '123456@g.us', 11944440001, null])(
    'rejects %j',
    async (whatsappId) => {
      const { status, body } = await test(app.admin, whatsappId)
      expect(status).toBe(400)
      expect(body).toMatchObject({ codigo: 'dadosInvalidos', detalhes: [{ caminho: 'whatsappId' }] })
    },
  )
})

describe('limit of POST /atendimento/teste-avaliacao', () => {
  it('refuses the 61st test of a conta within a minute', async () => {
    const [dona, other] = [await givenConta(app), await givenConta(app)]
    for (let n = 0; n < 60; n += 1) expect((await test(dona, '11944440060')).status).toBe(200)
    expect(await test(dona, '11944440060')).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas' } })
    expect((await test(other, '11944440060')).status).toBe(200)
    app.advance(60_001)
    expect((await test(dona, '11944440060')).status).toBe(200)
  })
})
