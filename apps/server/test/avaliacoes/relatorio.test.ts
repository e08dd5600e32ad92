import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento-resumo'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  withVendas,
} from '#test/builders.ts'

const MIN = 60_000
let app: TestApp
let dona: TestUser
let olga: TestUser
let rui: TestUser

const relatorio = async (days = '', { request } = dona) =>
  relatorioRoute.response.parse((await request('GET', `/atendimento/relatorio${days}`)).body)
const estatisticas = async ({ request } = dona) =>
  estatisticasAtendimentoRoute.response.parse((await request('GET', '/atendimento/estatisticas')).body)

async function agir({ request }: TestUser, id: string, action: string): Promise<void> {
  expect((await request('POST', `/atendimento/conversas/${id}/${action}`)).status).toBe(200)
}
async function responder(quem: TestUser, id: string, em: string): Promise<void> {
  app.setNow(em)
  for (const mensagem of ['Olá!', 'Como posso ajudar?']) {
    expect((await quem.request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem })).status).toBe(200)
  }
}
async function finalizar(quem: TestUser, id: string, em: string): Promise<void> {
  app.setNow(em)
  await agir(quem, id, 'finalizar')
}

/** São Paulo is UTC-3: the evening of the 10th is the 11th in UTC. */
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
  app.setNow('2026-03-10T12:00:00.000Z')
  dona = await givenConta(app)
  await connectBot(dona, withVendas)
  olga = await givenOperador(app, dona, { nome: 'Olga' })
  rui = await givenOperador(app, dona, { nome: 'Rui' })

  const deManha = await givenWaitingCustomer(dona, '5511955550001')
  await responder(olga, deManha, '2026-03-10T12:10:00.000Z')
  await finalizar(olga, deManha, '2026-03-10T13:00:00.000Z')
  await customerSays(dona, '5511955550001', '5')

  app.setNow('2026-03-11T02:30:00.000Z')
  const deNoite = await givenWaitingCustomer(dona, '5511955550002', '7')
  await responder(rui, deNoite, '2026-03-11T03:30:00.000Z')
  await finalizar(rui, deNoite, '2026-03-11T04:30:00.000Z')
  await customerSays(dona, '5511955550002', '3')

  app.setNow('2026-03-11T12:00:00.000Z')
  await givenWaitingCustomer(dona, '5511955550003')
  const deTeste = await givenWaitingCustomer(dona, '5511955550004')
  await app.sql('update conversas set teste = true where id = $1', [deTeste])
  await app.sql(`update conversas set motivo_fim = 'inatividade' where id = $1`, [deNoite])
  await app.sql(
    `insert into agendadas (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder, estado, criada_em)
     select $1, gen_random_uuid(), $2, 'Pronto!', em::timestamptz, $3, 'Rui', true, estado, now()
     from (values ('2026-03-13T02:59:00Z', 'enviada'), ('2026-03-13T03:00:00Z', 'enviada'), ('2026-03-11T12:00:00Z', 'falhou')) i (em, estado)`,
    [dona.contaId, deNoite, rui.usuario.id],
  )
})
afterAll(() => app.close())

const NADA = {
  ...{ conversas: 0, finalizadas: 0, avaliacoes: 0, semResposta: 0 },
  ...{ primeiraRespostaMs: null, resolucaoMs: null, notaMedia: null },
  espera: { media: null, mediana: null, p90: null },
}
const wait = (minutes: number, p90 = minutes) => ({
  primeiraRespostaMs: minutes * MIN,
  espera: { media: minutes * MIN, mediana: minutes * MIN, p90: p90 * MIN },
})
const DE_MANHA = { finalizadas: 1, ...wait(10), resolucaoMs: 60 * MIN, avaliacoes: 1, notaMedia: 5, semResposta: 0 }
const DE_NOITE = { finalizadas: 1, ...wait(60), resolucaoMs: 120 * MIN, avaliacoes: 1, notaMedia: 3, semResposta: 0 }

describe('GET /atendimento/relatorio', () => {
  it('counts by local day, setor and operador', async () => {
    expect(await relatorio('?de=2026-03-10&ate=2026-03-12')).toEqual({
      de: '2026-03-10',
      ate: '2026-03-12',
      total: {
        conversas: 3,
        finalizadas: 2,
        ...wait(35, 55),
        resolucaoMs: 90 * MIN,
        avaliacoes: 2,
        notaMedia: 4,
        semResposta: 1,
      },
      anterior: NADA,
      encerradasPorSilencio: 1,
      agendadasEnviadas: 1,
      dias: [
        { dia: '2026-03-10', ...DE_MANHA, conversas: 2, ...wait(35, 55) },
        { dia: '2026-03-11', ...DE_NOITE, conversas: 1, primeiraRespostaMs: null, espera: NADA.espera, semResposta: 1 },
        { dia: '2026-03-12', ...NADA },
      ],
      setores: [
        { setor: 'geral', conversas: 2, ...DE_MANHA, semResposta: 1 },
        { setor: 'vendas', conversas: 1, ...DE_NOITE },
      ],
      operadores: expect.arrayContaining([
        { operadorId: olga.usuario.id, operador: 'Olga', conversas: 1, ...DE_MANHA, abertas: 0 },
        { operadorId: rui.usuario.id, operador: 'Rui', conversas: 1, ...DE_NOITE, abertas: 0 },
      ]),
      horas: [
        { hora: 1, ...NADA, finalizadas: 1, resolucaoMs: 120 * MIN, avaliacoes: 1, notaMedia: 3 },
        { hora: 9, ...NADA, conversas: 2, ...wait(10), semResposta: 1 },
        { hora: 10, ...NADA, finalizadas: 1, resolucaoMs: 60 * MIN, avaliacoes: 1, notaMedia: 5 },
        { hora: 23, ...NADA, conversas: 1, ...wait(60) },
      ],
      mapa: expect.arrayContaining([
        { diaSemana: 2, hora: 9, conversas: 1 },
        { diaSemana: 2, hora: 23, conversas: 1 },
        { diaSemana: 3, hora: 9, conversas: 1 },
      ]),
      espera: [
        { ateMin: 1, conversas: 0 },
        { ateMin: 5, conversas: 0 },
        { ateMin: 15, conversas: 1 },
        { ateMin: 60, conversas: 0 },
        { ateMin: null, conversas: 1 },
      ],
    })
  })

  it('compares with the period of the same length before', async () => {
    const { total } = await relatorio('?de=2026-03-10&ate=2026-03-10')
    expect((await relatorio('?de=2026-03-11&ate=2026-03-11')).anterior).toEqual(total)
    expect((await relatorio('?de=2026-03-12&ate=2026-03-13')).anterior).toMatchObject({ conversas: 3, semResposta: 1 })
  })

  it('counts a conversa that the shop began neither as waiting nor as unanswered', async () => {
    app.setNow('2026-03-09T15:00:00.000Z')
    const began = await olga.request('POST', '/atendimento/conversas', { telefone: '5511955550009' })
    expect(began.status).toBe(201)
    const { total } = await relatorio('?de=2026-03-09&ate=2026-03-09')
    expect(total).toEqual({ ...NADA, conversas: 1 })
    await app.sql('delete from conversas where protocolo like $1', ['20260309-%'])
  })

  it('starts and ends at local midnight', async () => {
    const so = async (day: string) => (await relatorio(`?de=${day}&ate=${day}`)).total
    expect(await so('2026-03-10')).toMatchObject({ conversas: 2, finalizadas: 1, avaliacoes: 1 })
    expect(await so('2026-03-11')).toMatchObject({ conversas: 1, finalizadas: 1, avaliacoes: 1 })
    expect(await so('2026-03-09')).toEqual(NADA)
  })

  it('uses the fuso of the conta', async () => {
    const fusoEm = async (fuso: string) => {
      const config = Object((await dona.request('GET', '/config')).body['config'])
      const horario = { ...config.atendimento.horario, fuso }
      const atendimento = { ...config.atendimento, horario }
      expect((await dona.request('PUT', '/config', { ...config, atendimento })).status).toBe(200)
    }
    await fusoEm('Asia/Tokyo')
    const { dias } = await relatorio('?de=2026-03-10&ate=2026-03-11')
    expect(dias.map(({ dia, conversas, finalizadas }) => [dia, conversas, finalizadas])).toEqual([
      ['2026-03-10', 1, 1],
      ['2026-03-11', 2, 1],
    ])
    await fusoEm('America/Sao_Paulo')
  })

  it('defaults to the last 30 days, also right before local midnight', async () => {
    app.setNow('2026-03-13T02:59:59.000Z')
    const { de, ate, dias, total } = await relatorio()
    expect([de, ate, dias.length]).toEqual(['2026-02-11', '2026-03-12', 30])
    expect(total.conversas).toBe(3)
    expect(await relatorio('?ate=2026-03-10')).toMatchObject({ de: '2026-02-09', total: { conversas: 2 } })
    expect(await relatorio('?de=2026-03-11')).toMatchObject({ ate: '2026-03-12', total: { conversas: 1 } })
  })

  it('accepts a leap year and rejects invalid periods', async () => {
    expect((await relatorio('?de=2028-01-01&ate=2028-12-31')).dias).toHaveLength(366)
    for (const [days, caminho] of [
      ['?de=2026-03-12&ate=2026-03-11', 'de'],
      ['?de=2026-03-14', 'de'],
      ['?de=2026-01-01&ate=2027-01-02', 'ate'],
      ['?de=0000-01-01', 'de'],
      ['?ate=1999-12-31', 'ate'],
      ['?de=2026-02-30', 'de'],
      ['?ate=ontem', 'ate'],
    ] as const) {
      const { status, body } = await dona.request('GET', `/atendimento/relatorio${days}`)
      expect([days, status]).toEqual([days, 400])
      expect(body).toMatchObject({ codigo: 'dadosInvalidos', detalhes: [{ caminho }] })
    }
  })

  it('returns only its conta and keeps names of deleted operadores', async () => {
    expect((await relatorio('', await givenConta(app))).total).toEqual(NADA)
    await dona.request('DELETE', `/conta/operadores/${olga.usuario.id}`)
    expect((await relatorio('?de=2026-03-10&ate=2026-03-10')).operadores.map(({ operador }) => operador)).toContain(
      'Olga',
    )
  })
})

describe('GET /atendimento/estatisticas', () => {
  it('returns the state of the queue and the results of today', async () => {
    app.setNow('2026-03-11T15:00:00.000Z')
    expect(await estatisticas(rui)).toEqual({
      total: 2,
      aguardando: 2,
      emAtendimento: 0,
      finalizadasHoje: 1,
      tempoMedioRespostaMs: null,
      porSetor: [
        { setor: 'vendas', total: 0, aguardando: 0 },
        { setor: 'suporte', total: 0, aguardando: 0 },
        { setor: 'financeiro', total: 0, aguardando: 0 },
        { setor: 'geral', total: 2, aguardando: 2 },
      ],
    })
    const id = await givenWaitingCustomer(dona, '5511955550005', '7')
    await responder(rui, id, '2026-03-11T15:20:00.000Z')
    const { operadores } = await relatorio('?de=2026-03-09&ate=2026-03-09')
    expect(operadores).toEqual([{ operadorId: rui.usuario.id, operador: 'Rui', ...NADA, abertas: 1 }])
    expect(await estatisticas()).toMatchObject({
      total: 3,
      aguardando: 2,
      emAtendimento: 1,
      finalizadasHoje: 1,
      tempoMedioRespostaMs: 20 * MIN,
      porSetor: [{ setor: 'vendas', total: 1, aguardando: 0 }, {}, {}, { setor: 'geral', total: 2 }],
    })
  })

  it('counts a test conversa as open but not in the mean response time', async () => {
    const created = await dona.request('POST', '/atendimento/teste-conversa', { setor: 'suporte' })
    const { id } = Object(created.body['conversa'])
    expect(await estatisticas()).toMatchObject({
      total: 4,
      aguardando: 3,
      porSetor: [{}, { total: 1, aguardando: 1 }, {}, {}],
    })
    await responder(rui, id, '2026-03-11T15:50:00.000Z')
    await finalizar(rui, id, '2026-03-11T15:55:00.000Z')
    expect(await estatisticas()).toMatchObject({ total: 3, finalizadasHoje: 2, tempoMedioRespostaMs: 20 * MIN })
  })

  it('resets today’s numbers at local midnight', async () => {
    app.setNow('2026-03-12T02:59:59.000Z')
    expect(await estatisticas()).toMatchObject({ finalizadasHoje: 2, tempoMedioRespostaMs: 20 * MIN })
    app.setNow('2026-03-12T03:00:00.000Z')
    expect(await estatisticas()).toMatchObject({ total: 3, finalizadasHoje: 0, tempoMedioRespostaMs: null })
  })

  it('returns zeros for a new conta', async () => {
    const { porSetor, ...rest } = await estatisticas(await givenConta(app))
    expect(rest).toEqual({ total: 0, aguardando: 0, emAtendimento: 0, finalizadasHoje: 0, tempoMedioRespostaMs: null })
    expect(porSetor).toHaveLength(4)
  })
})
