import { request } from 'node:http'
import { type MockInstance, afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import { localDay } from '#lib/time.ts'
import { yesterdayUntilNow } from '#modules/sistema/read-status.ts'
import { connected, once } from '#test/realtime/listen.ts'
import { writeConversa } from '#test/logs/write-conversa.ts'
import { ADMIN_LOGIN, createTestApp, type TestApp, waitUntil, type WholeAnswer } from '#test/app.ts'
import { givenPerson, type TestPerson } from '#test/builders.ts'
import { seriesIn } from '#test/metrics.ts'

let app: TestApp
/** Share of the disk that is free. */
let freeDisk = 0.5
let notified: MockInstance<TestApp['deps']['bots']['contextChanged']>
let senhaHash: string
beforeAll(async () => {
  app = await createTestApp({
    now: '2026-03-10T15:00:00.000Z',
    freeDisk: async () => freeDisk,
    settings: { urlPublica: 'https://balcao.exemplo', metricsToken: 'token-do-monitor' },
  })
  notified = vi.spyOn(app.deps.bots, 'contextChanged')
  senhaHash = await app.deps.passwords.hash('senha própria')
})
beforeEach(() => app.setNow(new Date('2026-03-10T15:00:00Z')))
afterAll(() => app.close())

async function status({ token }: TestPerson): Promise<ReturnType<typeof sistemaStatusRoute.response.parse>> {
  const { body } = await app.send('GET', '/sistema/status', { token })
  return sistemaStatusRoute.response.parse(body)
}

/** A person with the password 'senha própria'. */
async function givenOwner(options?: Parameters<typeof givenPerson>[1]): Promise<TestPerson> {
  const person = await givenPerson(app, options)
  await app.sql('update usuarios set senha_hash = $2 where id = $1', [person.usuarioId, senhaHash])
  return person
}

const manutencao = ({ token }: TestPerson, senha: string, ativa = true): Promise<WholeAnswer> =>
  app.send('POST', '/sistema/manutencao', { token, body: { senha, ativa } })

describe('GET /sistema/status', () => {
  it('reports the server as unstable while its disk is nearly full', async () => {
    const pessoa = await givenPerson(app)
    expect((await status(pessoa)).servidor).toBe('online')
    freeDisk = 0.01
    // Readiness is cached for one second.
    await waitUntil(async () => (await status(pessoa)).servidor === 'instavel')
    freeDisk = 0.5
    await waitUntil(async () => (await status(pessoa)).servidor === 'online')
  })

  it('returns the machine’s load and the bot, IA and manutencao states', async () => {
    const pessoa = await givenPerson(app, { sem: ['logsStatus', 'configuracaoGeral'] })
    const fresh = await status(pessoa)
    expect(fresh).toMatchObject({
      whatsapp: 'PARADO',
      servidor: 'online',
      ia: 'sem_chave',
      sistema: { manutencao: false },
      inicializado: false,
      mensagensHoje: 0,
      variacaoMensagens: null,
      sinal: null,
    })
    expect(fresh.cpu).toBeGreaterThanOrEqual(0)
    expect(fresh.cpu).toBeLessThanOrEqual(100)
    expect(fresh.memoria).toBeGreaterThan(0)
    expect((await status(pessoa)).tempoResposta).toBeGreaterThan(0)

    await app.database.owner.query(`insert into bots (conta_id, status) values ($1, 'CONECTADO')`, [pessoa.contaId])
    // Connected, but the connector has not reported a frame yet.
    expect(await status(pessoa)).toMatchObject({ whatsapp: 'CONECTADO', inicializado: true, sinal: null })
    for (const [seconds, signal] of [
      [0, 'forte'],
      [30, 'forte'],
      [40, 'medio'],
      [300, 'fraco'],
    ] as const) {
      await app.database.owner.query(
        'update bots set ultimo_quadro = now() - make_interval(secs => $2) where conta_id = $1',
        [pessoa.contaId, seconds],
      )
      const parsed = await status(pessoa)
      expect(parsed.sinal).toBe(signal)
      expect(parsed.ultimoQuadroS).toBeGreaterThanOrEqual(seconds)
    }
    // Wanted, but its node is gone.
    await app.database.owner.query('update bots set desejado = true where conta_id = $1', [pessoa.contaId])
    expect(await status(pessoa)).toMatchObject({ whatsapp: 'INICIALIZANDO', sinal: null, ultimoQuadroS: null })
  })

  it('averages the duration of the last AI answers', async () => {
    const pessoa = await givenPerson(app)
    expect((await status(pessoa)).tempoRespostaIa).toBe(null)
    const answer = async (em: string, duracaoMs: number): Promise<void> => {
      app.setNow(new Date(em))
      const { mensagens } = await writeConversa(app, pessoa.contaId, {
        inThePast: true,
        status: 'bot',
        telefone: em,
        texts: ['resposta'],
      })
      await app.database.owner.query(
        `insert into respostas_ia (conta_id, mensagem_id, dados, criada_em) values ($1, $2, $3, $4)`,
        [pessoa.contaId, mensagens[0], { duracaoMs }, em],
      )
    }
    await answer('2026-03-09T14:00:00Z', 60_000)
    await answer('2026-03-10T10:00:00Z', 800)
    await answer('2026-03-10T11:00:00Z', 1_600)
    app.setNow(new Date('2026-03-10T15:00:00Z'))
    expect(await status(pessoa)).toMatchObject({ tempoRespostaIa: 1.2, falhasIaHoje: 0 })
    // Failed answers are counted per local day and do not enter the average.
    for (const day of ['2026-03-09', '2026-03-10']) {
      await app.database.owner.query(`insert into uso_ia (conta_id, dia, perguntas, falhas) values ($1, $2, 9, 5)`, [
        pessoa.contaId,
        day,
      ])
    }
    expect((await status(pessoa)).falhasIaHoje).toBe(5)
  })

  it('compares today with yesterday up to the same hour', async () => {
    const pessoa = await givenPerson(app)
    const { contaId } = pessoa
    // Yesterday: two before noon in São Paulo (15:00Z), two in the evening.
    app.setNow(new Date('2026-03-09T13:00:00Z'))
    await writeConversa(app, contaId, { inThePast: true, status: 'bot', telefone: '1', texts: ['a', 'b'] })
    app.setNow(new Date('2026-03-09T22:00:00Z'))
    await writeConversa(app, contaId, { inThePast: true, status: 'bot', telefone: '2', texts: ['c', 'd'] })
    await writeConversa(app, contaId, {
      inThePast: true,
      status: 'bot',
      telefone: '3',
      texts: ['oi'],
      direcao: 'entrada',
    })
    app.setNow(new Date('2026-03-10T15:00:00Z'))
    await app.database.owner.query(
      `insert into uso_diario (conta_id, dia, usadas, total) values ($1, '2026-03-09', 4, 4), ($1, '2026-03-10', 3, 3)`,
      [contaId],
    )
    expect(await status(pessoa)).toMatchObject({ mensagensHoje: 3, variacaoMensagens: 50 })
  })
})

describe('ontemAteAgora', () => {
  it.each([
    // Daylight saving time began on the 8th: that day has 23 hours.
    ['America/New_York', '2026-03-09T14:00:00Z', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-08T15:00:00Z'],
    // Daylight saving time ended on 1 November: that day has 25 hours.
    ['America/New_York', '2026-11-02T15:00:00Z', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-01T14:00:00Z'],
    ['America/Sao_Paulo', '2026-03-10T15:00:00Z', '2026-03-09', '2026-03-09T03:00:00Z', '2026-03-09T15:00:00Z'],
  ])('returns yesterday in %s at %s as %s from local midnight', (zone, now, day, de, until) => {
    const ontem = yesterdayUntilNow(new Date(now), zone)
    expect(ontem).toMatchObject({ de: new Date(de), ate: new Date(until) })
    expect(localDay(ontem.de, zone)).toBe(day)
  })
})

describe('POST /sistema/manutencao', () => {
  it('accepts only the own password and notifies the bot', async () => {
    const pessoa = await givenOwner({ nome: 'Rui' })
    for (const password of ['errada', ADMIN_LOGIN.senha]) {
      const { status: refusal, body } = await manutencao(pessoa, password)
      expect([refusal, body['codigo']]).toEqual([403, 'senhaManutencao'])
    }
    expect((await status(pessoa)).sistema.manutencao).toBe(false)
    expect((await manutencao(pessoa, 'senha própria')).body).toEqual({ manutencao: true })
    expect((await status(pessoa)).sistema.manutencao).toBe(true)
    expect(notified).toHaveBeenCalledWith(pessoa.contaId)
    expect((await manutencao(pessoa, 'senha própria', false)).body).toEqual({ manutencao: false })
    const { text } = await app.send('GET', '/logs', { token: pessoa.token })
    expect(text).toContain('Manutenção iniciada por Rui')
    expect(text).toContain('Manutenção encerrada por Rui')
  })

  it('publishes the reason of the pause and its end to open panels', async () => {
    const pessoa = await givenOwner()
    await app.database.owner.query(`insert into bots (conta_id, status) values ($1, 'CONECTADO')`, [pessoa.contaId])
    const socket = app.openSocket(pessoa.token)
    await connected(socket)
    const pause = once(socket, 'botStatusChange')
    await manutencao(pessoa, 'senha própria')
    expect(await pause).toMatchObject({ status: 'CONECTADO', motivo: 'manutencao' })
    const volta = once(socket, 'botStatusChange')
    await manutencao(pessoa, 'senha própria', false)
    expect(await volta).not.toHaveProperty('motivo')
  })

  it('requires a password and the logsStatus permission', async () => {
    const empty = await manutencao(await givenOwner(), '')
    expect([empty.status, empty.body['erro']]).toEqual([400, 'Digite a senha para continuar'])
    expect((await manutencao(await givenOwner({ sem: ['logsStatus'] }), 'senha própria')).status).toBe(403)
  })

  it('rejects the sixth wrong password in 15 minutes until they pass', async () => {
    const pessoa = await givenOwner()
    const attempts = await Promise.all(Array.from({ length: 12 }, () => manutencao(pessoa, 'errada')))
    expect(attempts.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 5 }, () => 403),
      ...Array.from({ length: 7 }, () => 429),
    ])
    const certa = await manutencao(pessoa, 'senha própria')
    expect(certa.status).toBe(429)
    expect(Number(certa.headers.get('retry-after'))).toBe(900)
    app.setNow(new Date('2026-03-10T15:15:01Z'))
    expect((await manutencao(pessoa, 'senha própria')).status).toBe(200)
    for (let i = 0; i < 5; i += 1) expect((await manutencao(pessoa, 'errada')).status).toBe(403)
    expect((await manutencao(pessoa, 'errada')).status).toBe(429)
  })

  it('rejects the 21st wrong password from one address over all contas', async () => {
    app.setNow(new Date('2026-03-10T18:00:00Z'))
    const people = await Promise.all(Array.from({ length: 5 }, () => givenOwner()))
    const statuses: number[] = []
    for (let i = 0; i < 20; i += 1) {
      const pessoa = people[i % 4]
      if (pessoa !== undefined) statuses.push((await manutencao(pessoa, 'errada')).status)
    }
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 403))
    const [, , , , fresh] = people
    if (fresh !== undefined) expect((await manutencao(fresh, 'senha própria')).status).toBe(429)
  })
})

describe('GET /health, /metrics and /docs', () => {
  it('answers health without a login', async () => {
    expect((await app.send('GET', '/health')).body).toEqual({ sucesso: true })
  })

  it('counts responses and refusals without account ids', async () => {
    const pessoa = await givenPerson(app)
    await app.send('GET', '/config')
    const { text, status: lida } = await app.send('GET', '/metrics')
    expect(lida).toBe(200)
    expect(seriesIn(text, 'balcao_http_respostas_total', { status: '2xx' })).toBeGreaterThan(0)
    expect(seriesIn(text, 'balcao_http_recusas_total', { status: '401' })).toBeGreaterThan(0)
    for (const name of [
      'balcao_fila_de_saida',
      'balcao_sockets',
      'balcao_event_loop_lag_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(seriesIn(text, name)).not.toBeNull()
    }
    expect(text).not.toContain(pessoa.contaId)
  })

  it('rejects proxied requests for metrics without the token', async () => {
    const read = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${app.url}/api/metrics`, { headers })).status
    expect(await read({ 'x-forwarded-for': '203.0.113.9' })).toBe(403)
    expect(await read({ 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer errado' })).toBe(403)
    expect(await read({ 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer token-do-monitor' })).toBe(200)
  })

  it('rejects metrics requests with a foreign host header', async () => {
    // `fetch` sets the host header itself, so this test uses `request`.
    const read = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(`${app.url}/api/metrics`, { headers: { host } }, (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        })
          .on('error', reject)
          .end()
      })
    const { port } = new URL(app.url)
    for (const nosso of [`127.0.0.1:${port}`, `localhost:${port}`, 'localhost', `[::1]:${port}`])
      expect([nosso, await read(nosso)]).toEqual([nosso, 200])
    for (const alheio of ['mau.exemplo', `mau.exemplo:${port}`, 'localhost.mau.exemplo', '127.0.0.1.mau.exemplo'])
      expect([alheio, await read(alheio)]).toEqual([alheio, 403])
  })

  it('describes every route in /docs', async () => {
    const { body } = await app.send('GET', '/docs')
    expect(body).toMatchObject({ openapi: '3.1.0', paths: { '/config': { get: {}, put: {} }, '/logs': { get: {} } } })
  })
})
