import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServerEvent } from '@balcao/contract/realtime'
import { conversasRoute, logsRoute, mensagensRoute } from '@balcao/contract/routes/registros'
import { applyToLogs } from '@balcao/contract/sync/registros'
import { createIds } from '#ids.ts'
import { startOfDay, insertLog, type NewLog } from '#modules/logs/index.ts'
import { connected, once } from '#test/realtime/listen.ts'
import { writeConversa } from './write-conversa.ts'
import { createTestApp, type TestApp, FIXED_DAY } from '#test/app.ts'
import { givenPerson, type TestPerson } from '#test/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp(FIXED_DAY)
})
afterAll(() => app.close())

const write = ({ contaId }: TestPerson, log: NewLog, em?: string): Promise<unknown> => {
  const clock = em === undefined ? app.deps.clock : { now: () => new Date(em) }
  // An entry's id contains its time, and the server's own ids never go back.
  const ids = em === undefined ? app.deps.ids : createIds(clock)
  return app.deps.db.transaction(contaId, (tx) => insertLog(tx, { ...app.deps, ids, clock }, contaId, log))
}

async function logs({ token }: TestPerson, query = ''): Promise<ReturnType<typeof logsRoute.response.parse>> {
  const { status, body } = await app.send('GET', `/logs${query}`, { token })
  expect(status).toBe(200)
  return logsRoute.response.parse(body)
}

const textos = (lista: { logs: readonly { mensagem: string }[] }): string[] =>
  lista.logs.map(({ mensagem }) => mensagem)

describe('GET /logs', () => {
  it('returns the last 100 entries, newest first, and older ones by cursor', async () => {
    const pessoa = await givenPerson(app)
    const other = await givenPerson(app)
    await write(other, { tipo: 'info', mensagem: 'de outra conta' })
    for (let i = 1; i <= 103; i += 1) await write(pessoa, { tipo: 'info', mensagem: `linha ${i}` })
    const first = await logs(pessoa)
    expect(textos(first)).toEqual(Array.from({ length: 100 }, (_, i) => `linha ${103 - i}`))
    const second = await logs(pessoa, `?cursor=${first.proximoCursor}`)
    expect(textos(second)).toEqual(['linha 3', 'linha 2', 'linha 1'])
    expect(second.proximoCursor).toBeUndefined()
    expect(textos(await logs(pessoa, '?limite=2'))).toEqual(['linha 103', 'linha 102'])
    expect(textos(await logs(pessoa, '?limite=1000'))).toHaveLength(103)
  })

  it('returns no more than 10,000 entries of a day, and says so in the last one', async () => {
    const pessoa = await givenPerson(app)
    await app.sql(
      `insert into logs (conta_id, id, tipo, mensagem, "timestamp")
       select $1, uuidv7(), 'user', 'muitas', now() from generate_series(1, 9999)`,
      [pessoa.contaId],
    )
    for (const mensagem of ['a última', 'demais', 'demais']) await write(pessoa, { tipo: 'user', mensagem })
    const written = await app.sql(`select mensagem from logs where conta_id = $1 and mensagem <> 'muitas'`, [
      pessoa.contaId,
    ])
    expect(written.map(({ mensagem }) => mensagem)).toEqual([
      ...['a última', 'Muitos registros em 24 horas. Os próximos não aparecem aqui.'],
    ])
  })

  it('filters by tipo, text in mensagem and detalhes, and local period', async () => {
    const pessoa = await givenPerson(app)
    const em = (instant: string, log: NewLog): Promise<unknown> => write(pessoa, log, instant)
    // São Paulo is UTC-3: 02:30Z on the 10th is the 9th there.
    await em('2026-01-20T12:00:00Z', { tipo: 'info', mensagem: 'antigo' })
    await em('2026-02-20T12:00:00Z', { tipo: 'info', mensagem: 'do mês' })
    await em('2026-03-05T12:00:00Z', { tipo: 'error', mensagem: 'da semana' })
    await em('2026-03-10T02:30:00Z', { tipo: 'bot', mensagem: 'de ontem', detalhes: { motivo: '100% Caiu_a Rede' } })
    await em('2026-03-10T03:30:00Z', { tipo: 'info', mensagem: 'de hoje' })
    app.setNow(new Date('2026-03-10T15:00:00Z'))
    expect(textos(await logs(pessoa, '?periodo=hoje'))).toEqual(['de hoje'])
    expect(textos(await logs(pessoa, '?periodo=ontem'))).toEqual(['de ontem'])
    expect(textos(await logs(pessoa, '?periodo=semana'))).toEqual(['de hoje', 'de ontem', 'da semana'])
    expect(textos(await logs(pessoa, '?periodo=mes'))).toEqual(['de hoje', 'de ontem', 'da semana', 'do mês'])
    expect(textos(await logs(pessoa, '?periodo=todos'))).toHaveLength(5)
    expect(textos(await logs(pessoa, '?tipo=error'))).toEqual(['da semana'])
    expect(textos(await logs(pessoa, `?busca=${encodeURIComponent('100% caiu_A')}`))).toEqual(['de ontem'])
    expect(textos(await logs(pessoa, `?busca=${encodeURIComponent('%')}`))).toEqual(['de ontem'])
    expect(textos(await logs(pessoa, '?busca=do+mes'))).toEqual(['do mês'])
    expect(textos(await logs(pessoa, `?busca=${encodeURIComponent('DÓ MÊS')}&periodo=mes&tipo=info`))).toEqual([
      'do mês',
    ])
    expect(textos(await logs(pessoa, '?busca=mes&periodo=semana'))).toEqual([])
    for (const query of ['?tipo=nenhum', '?periodo=sempre', '?limite=0', '?cursor=1', `?busca=${'a'.repeat(201)}`]) {
      expect((await app.send('GET', `/logs${query}`, { token: pessoa.token })).status).toBe(400)
    }
  })

  it('starts a month ago at the last day of a shorter month', async () => {
    const pessoa = await givenPerson(app)
    await write(pessoa, { tipo: 'info', mensagem: 'antes' }, '2026-02-28T11:59:00Z')
    await write(pessoa, { tipo: 'info', mensagem: 'dentro' }, '2026-02-28T12:01:00Z')
    app.setNow(new Date('2026-03-31T12:00:00Z'))
    expect(textos(await logs(pessoa, '?periodo=mes'))).toEqual(['dentro'])
  })

  it.each([
    ['an hour is skipped', '2026-03-08T18:00:00Z', 'America/New_York', '2026-03-08T05:00:00.000Z'],
    ['an hour is repeated', '2026-11-01T18:00:00Z', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['midnight does not exist', '2018-11-04T15:00:00Z', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['the clock does not change', '2026-03-10T02:30:00Z', 'America/Sao_Paulo', '2026-03-09T03:00:00.000Z'],
  ])('finds the start of a day on which %s', (_quando, agora, zone, start) => {
    expect(startOfDay(new Date(agora), zone).toISOString()).toBe(start)
  })

  it('answers 403 without logsStatus', async () => {
    const { token } = await givenPerson(app, { sem: ['logsStatus'] })
    for (const [method, path] of [
      ['GET', '/logs'],
      ['GET', '/mensagens'],
      ['GET', '/conversas'],
      ['DELETE', '/conversas'],
    ] as const) {
      expect((await app.send(method, path, { token })).status).toBe(403)
      expect((await app.send(method, path)).status).toBe(401)
    }
  })

  it('publishes botLog so that list plus event equals the new list', async () => {
    const pessoa = await givenPerson(app)
    await write(pessoa, { tipo: 'info', mensagem: 'primeira' })
    const socket = app.openSocket(pessoa.token)
    await connected(socket)
    const { logs: before } = await logs(pessoa)
    const event = once(socket, 'botLog')
    await write(pessoa, { tipo: 'warning', mensagem: 'segunda', detalhes: { tentativa: 2 } })
    const received = parseServerEvent('botLog', await event)
    if (received === null) throw new Error('event not in the contract')
    expect(applyToLogs(before, received, pessoa.contaId)).toEqual((await logs(pessoa)).logs)
  })

  it('publishes no event of a rolled-back transaction', async () => {
    const pessoa = await givenPerson(app)
    const socket = app.openSocket(pessoa.token)
    await connected(socket)
    const primeiro = once(socket, 'botLog')
    const desfeita = app.deps.db.transaction(pessoa.contaId, async (tx) => {
      await insertLog(tx, app.deps, pessoa.contaId, { tipo: 'info', mensagem: 'desfeita' })
      throw new Error('changed its mind')
    })
    await expect(desfeita).rejects.toThrow('changed its mind')
    await write(pessoa, { tipo: 'info', mensagem: 'firme' })
    expect(await primeiro).toMatchObject({ mensagem: 'firme' })
  })
})

describe('GET /mensagens', () => {
  it('returns the last 50 mensagens with their contato and outbox state', async () => {
    const pessoa = await givenPerson(app)
    const { mensagens: ids } = await writeConversa(app, pessoa.contaId, {
      status: 'bot',
      telefone: '5511987654321',
      nome: 'Bruno',
      texts: Array.from({ length: 52 }, (_, i) => `texto ${i}`),
      queued: true,
    })
    const { body } = await app.send('GET', '/mensagens', { token: pessoa.token })
    const { mensagens, proximoCursor } = mensagensRoute.response.parse(body)
    expect(mensagens.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 50))
    expect(mensagens[0]).toEqual({
      id: ids.at(-1),
      timestamp: app.deps.clock.now().toISOString(),
      conteudo: 'texto 51',
      contato: 'Bruno',
      telefone: '5511987654321',
      direcao: 'saida',
      origem: 'bot',
      estado: 'pendente',
    })
    expect(mensagens[1]?.estado).toBe('enviada')
    const rest = await app.send('GET', `/mensagens?cursor=${proximoCursor}`, { token: pessoa.token })
    expect(mensagensRoute.response.parse(rest.body).mensagens.map(({ conteudo }) => conteudo)).toEqual([
      'texto 1',
      'texto 0',
    ])
  })
})

describe('/conversas', () => {
  it('lists conversas and clears all but open ones of atendimento', async () => {
    const pessoa = await givenPerson(app)
    const other = await givenPerson(app)
    const { contaId, token } = pessoa
    await writeConversa(app, other.contaId, { status: 'bot', telefone: '9', texts: ['alheia'] })
    const bot = await writeConversa(app, contaId, {
      status: 'bot',
      telefone: '1',
      texts: ['oi', 'menu'],
      queued: true,
    })
    const queue = await writeConversa(app, contaId, {
      status: 'aguardando',
      telefone: '2',
      texts: ['ajuda'],
      queued: true,
    })
    const atendida = await writeConversa(app, contaId, { status: 'em_atendimento', telefone: '3', texts: ['sim'] })
    const fim = await writeConversa(app, contaId, { status: 'finalizada', telefone: '4' })
    await app.database.owner.query(
      'insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota) values ($1, $2, $3, $4, 5)',
      [contaId, app.deps.ids.uuid(), fim.conversa, fim.contato],
    )
    const list = async (): Promise<ReturnType<typeof conversasRoute.response.parse>['conversas']> =>
      conversasRoute.response.parse((await app.send('GET', '/conversas', { token })).body).conversas

    const before = await list()
    expect(before.map(({ id, ativa, etapa }) => [id, ativa, etapa])).toEqual([
      [fim.conversa, false, 'menu'],
      [atendida.conversa, true, 'humano'],
      [queue.conversa, true, 'humano'],
      [bot.conversa, true, 'menu'],
    ])
    expect(before.at(-1)).toMatchObject({ telefone: '1', ultimaMensagem: { texto: 'menu' } })

    const socket = app.openSocket(token)
    await connected(socket)
    const left = once(socket, 'botConversaAtiva')
    const { status, body } = await app.send('DELETE', '/conversas', { token })
    expect([status, body]).toEqual([200, { sucesso: true, removidas: 2, agendadas: 0 }])
    expect(await left).toMatchObject({ id: bot.contato, telefone: '1', ativa: false })
    expect((await list()).map(({ id }) => id)).toEqual([atendida.conversa, queue.conversa])

    const { owner } = app.database
    const rest = await owner.query<{ texto: string }>('select texto from mensagens where conta_id = $1 order by id', [
      contaId,
    ])
    expect(rest.rows.map(({ texto }) => texto)).toEqual(['ajuda', 'sim'])
    const output = await owner.query('select mensagem_id as id from saida where conta_id = $1', [contaId])
    expect(output.rows).toEqual([{ id: queue.mensagens[0] }])
    expect((await owner.query('select nota from avaliacoes where conta_id = $1', [contaId])).rows).toEqual([
      { nota: 5 },
    ])
    const contato = await owner.query('select estado, conversa_id from contatos where id = $1', [bot.contato])
    expect(contato.rows).toEqual([{ estado: null, conversa_id: null }])
    const alheias = await app.send('GET', '/conversas', { token: other.token })
    expect(conversasRoute.response.parse(alheias.body).conversas).toHaveLength(1)
    expect((await app.send('DELETE', '/conversas', { token })).body).toEqual({
      sucesso: true,
      removidas: 0,
      agendadas: 0,
    })
  })

  it('reports a bot conversa as inactive after menu.expiraEmMinutos', async () => {
    const pessoa = await givenPerson(app)
    app.setNow(new Date('2026-03-10T15:00:00Z'))
    await writeConversa(app, pessoa.contaId, { status: 'bot', telefone: '1', texts: ['oi'] })
    const isAtiva = async (): Promise<boolean | undefined> => {
      const { body } = await app.send('GET', '/conversas', { token: pessoa.token })
      return conversasRoute.response.parse(body).conversas[0]?.ativa
    }
    app.setNow(new Date('2026-03-10T15:59:00Z'))
    expect(await isAtiva()).toBe(true)
    app.setNow(new Date('2026-03-10T16:01:00Z'))
    expect(await isAtiva()).toBe(false)
  })

  it('clears hundreds of conversas in one request', async () => {
    const pessoa = await givenPerson(app)
    await app.database.owner.query(
      `with c as (
         insert into contatos (conta_id, id, endereco) select $1, gen_random_uuid(), 'tel:' || n from generate_series(1, 450) n
         returning conta_id, id)
       insert into conversas (conta_id, id, contato_id, status) select conta_id, gen_random_uuid(), id, 'bot' from c`,
      [pessoa.contaId],
    )
    const { body } = await app.send('DELETE', '/conversas', { token: pessoa.token })
    expect(body).toEqual({ sucesso: true, removidas: 450, agendadas: 0 })
    expect((await logs(pessoa)).logs).toMatchObject([
      {
        tipo: 'user',
        mensagem: expect.stringMatching(/^Ana apagou 450 conversas encerradas ou só com o bot\. As que esperam/),
      },
    ])
  })
})
