import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FUSO_PADRAO } from '@balcao/contract/constants'
import type { Config } from '@balcao/contract/entities/config'
import { localMinuteAt } from '@balcao/engine/rules/horario'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  chatOf,
  connectBot,
  countLockWaits,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
  saveConfig,
  withVendas,
} from '#test/builders.ts'
import type { TestSocket } from '#test/realtime/sockets.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NO_ONE = 'Ninguém está aqui agora, {nome}.'

let app: TestApp
let dona: TestUser
let ana: TestUser
let bia: TestUser
let phones = 0
const sockets: TestSocket[] = []

/** Open all day, so that the hour of the test does not matter. */
const ALL_DAY = [{ inicio: '00:00', fim: '24:00' }]
const alwaysOpen = (config: Config): Config['atendimento']['horario'] => ({
  ...{ ...config.atendimento.horario, excecoes: [] },
  dias: { seg: ALL_DAY, ter: ALL_DAY, qua: ALL_DAY, qui: ALL_DAY, sex: ALL_DAY, sab: ALL_DAY, dom: ALL_DAY },
})

const rules = (distribuicao: Partial<Config['atendimento']['distribuicao']>, semNinguem = '') =>
  saveConfig(dona, (config) => ({
    ...config,
    atendimento: {
      ...{ ...config.atendimento, horario: alwaysOpen(config), semNinguem },
      distribuicao: { modo: 'automatica', capacidade: 5, semRespostaMinutos: 0, ...distribuicao },
    },
  }))

async function arrive(user: TestUser): Promise<TestSocket> {
  const socket = await app.connect(user)
  sockets.push(socket)
  await waitUntil(async () => (await present()).includes(user.usuario.id))
  return socket
}

async function leaveAll(): Promise<void> {
  for (const { socket } of sockets.splice(0)) socket.close()
  await waitUntil(async () => (await present()).length === 0)
}

const present = async (): Promise<unknown[]> =>
  (await app.sql('select usuario_id from presencas where saiu_em is null')).map(({ usuario_id: id }) => id)

const newCustomer = async (option = 'atendente'): Promise<{ id: string; telefone: string }> => {
  const telefone = `55119771${String((phones += 1)).padStart(5, '0')}`
  return { id: await givenWaitingCustomer(dona, telefone, option), telefone }
}

const find = async (id: string): Promise<Conversa | undefined> =>
  (await openConversas(dona, '?limite=200')).find((conversa) => conversa.id === id)

const assignedTo = (id: string, user: TestUser): Promise<unknown> =>
  waitUntil(async () => (await find(id))?.operadorId === user.usuario.id)

const act = (user: TestUser, id: string, action: string, body?: object) =>
  user.request('POST', `/atendimento/conversas/${id}/${action}`, body)

/** The queue was read since the last change. */
const settled = (): Promise<unknown> => waitUntil(async () => (await app.sql('select 1 from sinais')).length === 0)

beforeAll(async () => {
  app = await createTestApp({ timings: { retryWaitsMs: [20, 40], pollMs: 20 } })
  dona = await givenConta(app)
  ana = await givenOperador(app, dona, { nome: 'Ana', setores: ['vendas'] })
  bia = await givenOperador(app, dona, { nome: 'Bia', setores: ['suporte', 'vendas'] })
  await connectBot(dona, withVendas)
})
afterAll(() => app.close())
beforeEach(async () => {
  await leaveAll()
  for (const { id } of await openConversas(dona, '?limite=200')) await act(dona, id, 'finalizar')
  app.advance(5 * MINUTE)
  await settled()
  await waitUntil(async () => (await app.sql('select 1 from presencas')).length === 0)
})

describe('automatic distribution', () => {
  it('gives waiting conversas to online people by turn, up to their capacity, and announces it', async () => {
    await rules({ capacidade: 2 })
    const socket = await arrive(ana)
    await arrive(bia)
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push((await newCustomer()).id)
    await settled()
    const served = (await Promise.all(ids.map(find))).map((conversa) => conversa?.operador ?? conversa?.status)
    expect(served.slice(0, 4).filter((name) => name === 'Ana')).toHaveLength(2)
    expect(served.slice(0, 4).filter((name) => name === 'Bia')).toHaveLength(2)
    expect(new Set(served.slice(0, 2)).size).toBe(2)
    expect(served[4]).toBe('aguardando')
    const [taken] = socket.received.filter(([name]) => name === 'conversaAssumida')
    expect(taken?.[1]).toMatchObject({ automatica: true, naoLidas: 1, situacao: { status: 'em_atendimento' } })

    const done = ids.find((_, n) => served[n] === 'Ana') ?? ''
    await act(ana, done, 'finalizar')
    await assignedTo(ids[4] ?? '', ana)
  })

  it('gives nothing to people who are away, offline or of another setor, and nothing in the manual mode', async () => {
    await rules({ modo: 'manual' })
    await arrive(ana)
    const first = await newCustomer()
    await settled()
    expect(await find(first.id)).toMatchObject({ status: 'aguardando' })
    expect((await ana.request('PUT', '/operadores/eu/disponibilidade', { disponivel: false })).status).toBe(204)
    await rules({})
    await settled()
    expect(await find(first.id)).toMatchObject({ status: 'aguardando' })
    expect((await ana.request('GET', '/operadores/eu/disponibilidade')).body).toEqual({
      disponivel: false,
      automatica: true,
    })
    expect((await dona.request('GET', '/operadores/eu/disponibilidade')).body).toEqual({
      disponivel: false,
      automatica: true,
    })
    expect((await ana.request('PUT', '/operadores/eu/disponibilidade', {})).status).toBe(400)
    await ana.request('PUT', '/operadores/eu/disponibilidade', { disponivel: true })
    await assignedTo(first.id, ana)
    const { id } = await newCustomer()
    await assignedTo(id, ana)
    await act(ana, id, 'transferir', { setor: 'suporte' })
    await settled()
    expect(await find(id)).toMatchObject({ status: 'aguardando', setor: 'suporte' })
    await arrive(bia)
    await assignedTo(id, bia)
  })

  it('serves a setor behind 600 older conversas of a setor without people', async () => {
    await rules({})
    await arrive(ana)
    await app.sql(
      `with novos as (
         insert into contatos (conta_id, id, nome, telefone, endereco)
         select $1, gen_random_uuid(), 'Antiga', '', 'antiga:' || n from generate_series(1, 600) n returning conta_id, id
       )
       insert into conversas (conta_id, id, contato_id, status, setor, protocolo, aguardando_desde)
       select conta_id, gen_random_uuid(), id, 'aguardando', 'suporte', 'A' || id, '2026-01-01' from novos`,
      [dona.contaId],
    )
    const { id } = await newCustomer()
    await assignedTo(id, ana)
    await app.sql(`delete from conversas where aguardando_desde = '2026-01-01'`)
  })

  it('passes a conversa on whose person writes nothing, and then back to the queue', async () => {
    await rules({ semRespostaMinutos: 5 })
    await arrive(ana)
    const { id } = await newCustomer()
    await assignedTo(id, ana)
    await arrive(bia)
    app.advance(5 * MINUTE)
    await assignedTo(id, bia)
    app.advance(5 * MINUTE)
    await waitUntil(async () => (await find(id))?.status === 'aguardando')
    await settled()
    expect(await find(id)).toMatchObject({ status: 'aguardando' })
    const other = await newCustomer()
    await waitUntil(async () => (await find(other.id))?.status === 'em_atendimento')
    const server = (await find(other.id))?.operadorId === ana.usuario.id ? ana : bia
    expect((await act(server, other.id, 'mensagem', { mensagem: 'Bom dia!' })).status).toBe(200)
    app.advance(6 * MINUTE)
    await waitUntil(async () => (await app.sql(`select 1 from prazos where tipo = 'resposta'`)).length === 0)
    expect((await find(other.id))?.operadorId).toBe(server.usuario.id)
  })

  it('takes unanswered conversas from a person who is offline for 2 minutes', async () => {
    await rules({})
    await arrive(ana)
    const silent = await newCustomer()
    const answered = await newCustomer()
    for (const { id } of [silent, answered]) await assignedTo(id, ana)
    await act(ana, answered.id, 'mensagem', { mensagem: 'Oi!' })
    await leaveAll()
    app.advance(MINUTE)
    await arrive(ana)
    await leaveAll()
    app.advance(MINUTE + 1_000)
    await settled()
    expect((await find(silent.id))?.operadorId).toBe(ana.usuario.id)
    app.advance(2 * MINUTE)
    await waitUntil(async () => (await find(silent.id))?.status === 'aguardando')
    expect((await find(answered.id))?.operadorId).toBe(ana.usuario.id)
  })

  it('does not return a conversa to the person who gave it back to the queue', async () => {
    await rules({})
    await arrive(ana)
    const { id } = await newCustomer()
    await assignedTo(id, ana)
    expect((await act(ana, id, 'soltar')).status).toBe(200)
    await settled()
    expect(await find(id)).toMatchObject({ status: 'aguardando' })
    await arrive(bia)
    await assignedTo(id, bia)
  })
})

describe('an operador who is deleted during a pass', () => {
  it('gets nothing', async () => {
    await rules({ modo: 'manual' })
    const gil = await givenOperador(app, dona, { nome: 'Gil' })
    await arrive(gil)
    const { id } = await newCustomer()
    const owner = await app.database.owner.connect()
    try {
      await owner.query('begin')
      await owner.query(
        'select 1 from contatos where id = (select contato_id from conversas where id = $1) for update',
        [id],
      )
      await rules({})
      // The pass chose the person and waits for the contato.
      await waitUntil(async () => (await countLockWaits(app)) > 0)
      expect((await dona.request('DELETE', `/conta/operadores/${gil.usuario.id}`)).status).toBe(200)
      await owner.query('commit')
    } finally {
      owner.release()
    }
    await settled()
    const conversa = await find(id)
    expect(conversa).toMatchObject({ status: 'aguardando' })
    expect(conversa).not.toHaveProperty('operadorId')
  })
})

describe('semNinguem', () => {
  const notices = async (telefone: string): Promise<number> =>
    (await chatOf(dona, telefone)).filter(({ texto }) => texto.startsWith('Ninguém está aqui')).length

  it('is sent once per conversa while no person of the setor is online', async () => {
    await rules({ modo: 'manual' }, NO_ONE)
    const { id, telefone } = await newCustomer()
    await waitUntil(async () => (await notices(telefone)) === 1)
    await act(dona, id, 'transferir', { setor: 'suporte' })
    await settled()
    expect(await notices(telefone)).toBe(1)
    await arrive(ana)
    const served = await newCustomer('7')
    await settled()
    expect(await notices(served.telefone)).toBe(0)
    await act(dona, served.id, 'transferir', { setor: 'financeiro' })
    await waitUntil(async () => (await notices(served.telefone)) === 1)
  })

  it('is sent at the opening to a customer who waited outside business hours', async () => {
    const opensAt = (hours: number): string => {
      const { minuto } = localMinuteAt(app.deps.clock.now().getTime() + hours * HOUR, FUSO_PADRAO)
      return `${String(Math.floor(minuto / 60)).padStart(2, '0')}:${String(minuto % 60).padStart(2, '0')}`
    }
    await leaveAll()
    app.advance(3 * MINUTE)
    await rules({ modo: 'manual' }, NO_ONE)
    // A pass that read the hours before the next change may still run.
    await settled()
    const hours = [{ inicio: opensAt(2), fim: opensAt(4) }]
    const dias = { seg: hours, ter: hours, qua: hours, qui: hours, sex: hours, sab: hours, dom: hours }
    await saveConfig(dona, (config) => ({
      ...config,
      atendimento: { ...config.atendimento, horario: { ...config.atendimento.horario, fuso: FUSO_PADRAO, dias } },
    }))
    const { id, telefone } = await newCustomer()
    await settled()
    expect(await notices(telefone)).toBe(0)
    app.advance(HOUR)
    const late = await newCustomer()
    await settled()
    expect(await notices(telefone)).toBe(0)
    app.advance(HOUR + MINUTE)
    await waitUntil(async () => (await notices(telefone)) === 1)
    await waitUntil(async () => (await notices(late.telefone)) === 1)
    await act(dona, id, 'transferir', { setor: 'suporte' })
    await settled()
    expect(await notices(telefone)).toBe(1)
  })
})

it('names the place in the queue and the wait in the text of the hand-over', async () => {
  await rules({ modo: 'manual' })
  await saveConfig(dona, (config) => ({
    ...config,
    menu: {
      ...config.menu,
      mensagens: {
        ...config.menu.mensagens,
        aguardandoAtendente: 'Você é o {posicao}º da fila.[[ Espera: {espera} min.]]',
      },
    },
  }))
  await app.sql('update conversas set teste = true')
  const said = async (telefone: string): Promise<string | undefined> =>
    (await chatOf(dona, telefone)).findLast(({ texto }) => texto.startsWith('Você é'))?.texto
  const one = await newCustomer('7')
  const two = await newCustomer('7')
  expect(await waitUntil(async () => (await said(two.telefone)) ?? null)).toBe('Você é o 2º da fila.')
  app.advance(12 * MINUTE)
  await act(dona, one.id, 'assumir')
  const three = await newCustomer('7')
  expect(await waitUntil(async () => (await said(three.telefone)) ?? null)).toBe('Você é o 2º da fila. Espera: 12 min.')
})
