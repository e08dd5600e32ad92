import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import type { Answer, TestUser } from '#test/app.ts'
import { waitUntil } from '#test/app.ts'
import { countLockWaits, givenOperador, startBot } from '#test/builders.ts'
import { type AtendimentoApp, createAtendimentoApp } from './atendimento-app.ts'

let shop: AtendimentoApp
/** Two operadores act at the same time. */
let pair: readonly [Pick<TestUser, 'request'>, Pick<TestUser, 'request'>]
beforeAll(async () => {
  // A message that failed waits until its session ends.
  shop = await createAtendimentoApp({ timings: { retryWaitsMs: [600_000] } })
})
afterAll(() => shop.close())

const addOperador = (nome: string): Promise<TestUser> =>
  givenOperador(shop.app, { ...shop.app.admin, request: shop.dona.request }, { nome })

const TIMES = 100
const inParallel = (path: string, body?: unknown): Promise<Answer[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, n) => pair[n % 2 === 0 ? 0 : 1].request('POST', path, body)))

/** The only success, and the code that all others have. */
function outcome(answers: readonly Answer[]): { readonly winners: number; readonly codes: unknown[] } {
  const lost = answers.filter(({ status }) => status >= 300)
  return { winners: answers.length - lost.length, codes: [...new Set(lost.map(({ body }) => body['codigo']))] }
}
const openOf = (telefone: string) =>
  shop.app.sql(
    `select v.operador_id, v.protocolo from conversas v join contatos c on c.id = v.contato_id
     where c.telefone = $1 and v.status <> 'finalizada'`,
    [telefone],
  )

describe('100 simultaneous acts', () => {
  // New ones for each test, because a login may make 600 requests a minute.
  beforeEach(async ({ task }) => {
    pair = [await addOperador(`Rui ${task.id}`), await addOperador(`Teo ${task.id}`)]
  })

  it('open one conversa with an unknown number and one with a customer of the bot', async () => {
    const served = '5511914000001'
    await shop.customerSays(served, 'oi')
    for (const telefone of ['5511914000000', served]) {
      const answers = await inParallel('/atendimento/conversas', { telefone, mensagem: 'PESSOA' })
      expect(outcome(answers)).toEqual({ winners: 1, codes: ['conversaAberta'] })
      expect(await openOf(telefone)).toHaveLength(1)
      expect(await shop.app.sql('select 1 from contatos where telefone = $1', [telefone])).toHaveLength(1)
      await waitUntil(async () => (await shop.textsOnPhone(telefone)).includes('PESSOA'))
      expect((await shop.textsOnPhone(telefone)).filter((texto) => texto === 'PESSOA')).toHaveLength(1)
    }
  })

  it('reopen a conversa once', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    await shop.dona.act(id, 'finalizar')
    const answers = await inParallel(`/atendimento/conversas/${id}/reabrir`)
    expect(outcome(answers)).toEqual({ winners: 1, codes: ['conversaAberta'] })
    expect(await openOf(telefone)).toHaveLength(1)
  })

  it('transfer a waiting conversa to a person once', async () => {
    const { id, telefone } = await shop.newWaitingCustomer()
    const body = { operadorId: (await addOperador('Ugo')).usuario.id, motivo: 'Pediu o Ugo' }
    const answers = await inParallel(`/atendimento/conversas/${id}/transferir`, body)
    expect(outcome(answers)).toEqual({ winners: 1, codes: ['conversaAssumida'] })
    expect(await openOf(telefone)).toMatchObject([{ operador_id: body.operadorId }])
    expect(await shop.app.sql('select 1 from notas where conversa_id = $1', [id])).toHaveLength(1)
  })

  it('take a waiting conversa for one person and release it once', async () => {
    const { id } = await shop.newWaitingCustomer()
    const answers = await inParallel(`/atendimento/conversas/${id}/assumir`)
    // The winner may take the conversa again.
    expect(outcome(answers)).toEqual({ winners: TIMES / 2, codes: ['conversaAssumida'] })
    const released = await inParallel(`/atendimento/conversas/${id}/soltar`)
    expect(outcome(released)).toEqual({ winners: 1, codes: ['semPermissao'] })
  })
})

const states = async (telefone: string): Promise<unknown[][]> =>
  (
    await shop.app.sql(
      `select m.origem, m.estado, s.mensagem_id is not null as espera from mensagens m
       join conversas v on v.id = m.conversa_id join contatos c on c.id = v.contato_id
       left join saida s on s.mensagem_id = m.id where c.telefone = $1 and m.direcao = 'saida' order by m.id`,
      [telefone],
    )
  ).map(({ origem, estado, espera }) => [origem, estado, espera])
const takeOver = async (telefone: string): Promise<Conversa> => {
  const answer = await shop.dona.request('POST', '/atendimento/conversas', { telefone, mensagem: 'PESSOA' })
  expect(answer.status).toBe(201)
  return iniciarConversaRoute.response.parse(answer.body).conversa
}

describe('a person and the bot at the same instant', () => {
  it('leaves the last word to the person', async () => {
    const phones = Array.from({ length: 20 }, (_, n) => `55119140002${String(n).padStart(2, '0')}`)
    await Promise.all(phones.map((telefone) => shop.customerSays(telefone, 'oi')))
    await Promise.all(
      phones.flatMap((telefone) => [
        shop.customerSays(telefone, '4'),
        takeOver(telefone),
        shop.customerSays(telefone, '4'),
      ]),
    )
    await Promise.all(phones.map((telefone) => shop.customerSays(telefone, '4')))
    await shop.app.idle()
    for (const telefone of phones) expect((await states(telefone)).at(-1)?.[0]).toBe('operador')
    const open = await Promise.all(phones.map(openOf))
    expect(open.map(({ length }) => length)).toEqual(phones.map(() => 1))
  })
})

describe('messages of the bot that did not leave', () => {
  const waiting = ['bot', 'enviada', true]
  const ofPerson = ['operador', 'enviada', true]

  it('fail when a person takes over without a connection, unless a session tried them', async () => {
    const [connected, alone] = ['5511914000010', '5511914000011']
    for (const telefone of [connected, alone]) {
      // The first message waits for its retry, and the second one waits behind it.
      expect((await shop.dona.request('POST', '/simulador/falhas', { envios: 1 })).status).toBe(200)
      await shop.customerSays(telefone, 'oi')
      const tried = 'select 1 from saida where endereco = $1 and tentativas = 1'
      await waitUntil(async () => (await shop.app.sql(tried, [telefone])).length === 1)
      expect(await states(telefone)).toEqual([waiting, waiting])
    }
    await takeOver(connected)
    expect(await states(connected)).toEqual([waiting, waiting, ofPerson])

    expect((await shop.dona.request('POST', '/simulador/desconectar')).status).toBe(200)
    const { mensagens } = await takeOver(alone)
    expect(await states(alone)).toEqual([waiting, ['bot', 'falhou', false], ofPerson])
    expect(mensagens.map(({ estado, erro }) => [estado, erro])).toContainEqual([
      ...['falhou', 'Uma pessoa assumiu a conversa antes do envio desta mensagem do bot.'],
    ])
    await startBot(shop.dona)
    await waitUntil(async () => (await shop.app.sql('select 1 from saida')).length === 0)
    expect(await states(connected)).toEqual([
      ['bot', 'enviada', false],
      ['bot', 'enviada', false],
      ['operador', 'enviada', false],
    ])
    expect(await states(alone)).toEqual([
      ['bot', 'enviada', false],
      ['bot', 'falhou', false],
      ['operador', 'enviada', false],
    ])
  })
})

describe('an operador who is deleted meanwhile', () => {
  it.each(['open', 'reopen', 'receive'])('does not %s a conversa', async (act) => {
    const gone = await addOperador(`Gil ${act}`)
    const { id, telefone } = await shop.newWaitingCustomer()
    if (act !== 'receive') await shop.dona.act(id, 'finalizar')
    const owner = await shop.app.database.owner.connect()
    try {
      await owner.query('begin')
      await owner.query('select 1 from contatos where telefone = $1 for update', [telefone])
      const calls = {
        open: () => gone.request('POST', '/atendimento/conversas', { telefone }),
        reopen: () => gone.request('POST', `/atendimento/conversas/${id}/reabrir`),
        receive: () => shop.dona.act(id, 'transferir', { operadorId: gone.usuario.id }),
      } as const
      const call = Object.entries(calls).find(([name]) => name === act)?.[1]()
      await waitUntil(async () => (await countLockWaits(shop.app)) > 0)
      expect((await shop.dona.request('DELETE', `/conta/operadores/${gone.usuario.id}`)).status).toBe(200)
      await owner.query('commit')
      const refused = await call
      expect([refused?.status, refused?.body['codigo']]).toEqual(
        act === 'receive' ? [400, 'operadorForaDoSetor'] : [409, 'conflito'],
      )
    } finally {
      owner.release()
    }
    const served = await shop.app.sql('select 1 from conversas where operador_id = $1', [gone.usuario.id])
    expect(served).toEqual([])
  })
})
