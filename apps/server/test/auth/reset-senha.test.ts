import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ContasTestApp, createContasTestApp, METRICS_TOKEN, type TestResponse } from './contas-test-app.ts'
import { seriesIn } from '#test/metrics.ts'

let app: ContasTestApp
beforeAll(async () => {
  app = await createContasTestApp()
})
afterAll(() => app.close())

const SENHA = 'senha-de-teste'
const HORA = 3_600_000

const ask = (email: string, ip = '203.0.113.1'): Promise<TestResponse> =>
  app.request('POST', '/auth/esqueci-senha', { body: { email }, ip })
const reset = (token: string, senha = 'senha-nova'): Promise<TestResponse> =>
  app.request('POST', '/auth/redefinir-senha', { body: { token, senha } })

/** Token of the newest reset mail, read from the admin's mail list because no mail server is set. */
async function newestToken(para: string): Promise<string> {
  const { body } = await app.request('GET', '/admin/emails', { token: await app.admin() })
  const emails: unknown[] = Array.isArray(body['emails']) ? body['emails'] : []
  const carta = emails.map((mail) => JSON.stringify(mail)).find((mail) => mail.includes(`"para":"${para}"`)) ?? ''
  return /https:\/\/painel\.test\/redefinir-senha\?token=([\w-]+)/.exec(carta)?.[1] ?? ''
}

async function person(email: string): Promise<string> {
  const id = await app.register(email)
  await app.approve(id)
  return id
}

describe('POST /auth/esqueci-senha and /auth/redefinir-senha', () => {
  it('sends a link that works once and ends every session', async () => {
    await person('ana@loja.test')
    const session = await app.login('ana@loja.test', SENHA)
    expect((await app.request('GET', '/auth/eu', { token: session })).status).toBe(200)
    expect((await ask(' Ana@loja.test ')).status).toBe(202)
    const token = await newestToken('ana@loja.test')
    expect(token).toHaveLength(43)

    app.calls.length = 0
    expect((await reset(token, 'curta')).status).toBe(400)
    expect((await reset(token)).status).toBe(204)
    expect(app.calls).toEqual([expect.stringMatching(/^disconnect {"usuarioId":/)])
    expect((await app.request('GET', '/auth/eu', { token: session })).status).toBe(401)
    await app.login('ana@loja.test', 'senha-nova')
    expect((await app.request('POST', '/auth/login', { body: { email: 'ana@loja.test', senha: SENHA } })).status).toBe(
      401,
    )
    expect(await reset(token, 'outra-senha')).toMatchObject({ status: 400, body: { codigo: 'tokenInvalido' } })
  })

  it('accepts a link once when used twice in parallel', async () => {
    await person('bia@loja.test')
    await ask('bia@loja.test')
    const token = await newestToken('bia@loja.test')
    const respostas = await Promise.all([reset(token, 'primeira'), reset(token, 'segunda')])
    expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 400])
  })

  it('rejects a link after an hour or after a newer one was used', async () => {
    await person('caio@loja.test')
    await ask('caio@loja.test')
    const old = await newestToken('caio@loja.test')
    app.advance(HORA)
    expect((await reset(old)).status).toBe(400)

    await ask('caio@loja.test')
    const um = await newestToken('caio@loja.test')
    await ask('caio@loja.test')
    const two = await newestToken('caio@loja.test')
    expect(um).not.toBe(two)
    expect((await reset(two)).status).toBe(204)
    expect((await reset(um)).status).toBe(400)
    expect((await reset('a'.repeat(43))).status).toBe(400)
  })

  it('answers an unknown address alike and writes no mail', async () => {
    await person('davi@loja.test')
    const known = await ask('davi@loja.test')
    const ninguem = await ask('ninguem@loja.test')
    expect({ status: ninguem.status, body: ninguem.body }).toEqual({ status: known.status, body: known.body })
    expect(await newestToken('ninguem@loja.test')).toBe('')
    const { rows } = await app.database.owner.query("select 1 from emails where para = 'ninguem@loja.test'")
    expect(rows).toEqual([])
  })

  it('limits mails to 5 per hour and e-mail with equal answers for known and unknown ones', async () => {
    await person('eva@loja.test')
    const answers: string[][] = []
    for (const email of ['eva@loja.test', 'fantasma@loja.test']) {
      const own: string[] = []
      for (let vez = 0; vez < 6; vez += 1) {
        const { status, text, headers } = await ask(vez === 5 ? email.toUpperCase() : email)
        own.push(`${status} ${headers.get('retry-after')} ${text}`)
      }
      answers.push(own)
    }
    const [known = [], unknown] = answers
    expect(known.map((answer) => answer.slice(0, 8))).toEqual([
      ...Array.from({ length: 5 }, () => '202 null'),
      '429 3600',
    ])
    expect(unknown).toEqual(known)
    app.advance(HORA + 1)
    expect((await ask('eva@loja.test')).status).toBe(202)
  })

  it('limits one IP to 100 requests per hour and records unknown e-mails only as a count', async () => {
    const { database } = app
    const acts = async (): Promise<unknown> => (await database.owner.query('select count(*) from auditoria')).rows
    const unknownResets = async (): Promise<number | null> => {
      const { text } = await app.request('GET', '/metrics', { token: METRICS_TOKEN })
      return seriesIn(text, 'balcao_redefinicoes_desconhecidas_total')
    }
    const before = { acts: await acts(), unknown: (await unknownResets()) ?? NaN }
    const answers: TestResponse[] = []
    for (let n = 0; n < 300; n += 1) answers.push(await ask(`${randomUUID()}@loja.test`, '198.51.100.60'))
    expect(answers.slice(0, 100).every(({ status }) => status === 202)).toBe(true)
    expect(answers.slice(100).every(({ status }) => status === 429)).toBe(true)
    expect(Number(answers[100]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await acts()).toEqual(before.acts)
    expect(await unknownResets()).toBe(before.unknown + 100)
    const { rows } = await database.owner.query("select chave from tentativas where chave like '%@%'")
    expect(rows).toEqual([])
    expect((await ask('outra@loja.test', '198.51.100.61')).status).toBe(202)
  })

  it('stores the token hashed in its table and sealed in the mail', async () => {
    await person('fabi@loja.test')
    await ask('fabi@loja.test')
    const token = await newestToken('fabi@loja.test')
    const { rows } = await app.database.owner.query(
      `select (select json_agg(e) from emails e)::text || (select json_agg(r) from redefinicoes_senha r)::text as tudo`,
    )
    const everything = String(rows[0]?.tudo)
    expect(everything).toContain('fabi@loja.test')
    expect(everything).not.toContain(token)
    expect(everything).not.toContain('token=')
  })

  it('sends the mail with notifications switched off', async () => {
    await person('gil@loja.test')
    const token = await app.admin()
    const { body } = await app.request('GET', '/admin/configuracoes', { token })
    await app.request('PUT', '/admin/configuracoes', { token, body: { ...body, notificacoesEmail: false } })
    const counted = async (): Promise<number> => {
      const { rows } = await app.database.owner.query('select count(*)::int as n from emails')
      return Number(rows[0]?.n)
    }
    const before = await counted()
    await app.register('silencio@loja.test')
    expect(await counted()).toBe(before)
    await ask('gil@loja.test')
    expect(await counted()).toBe(before + 1)
    await app.request('PUT', '/admin/configuracoes', { token, body: { ...body, notificacoesEmail: true } })
  })
})
