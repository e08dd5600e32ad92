import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { versoesConfigRoute } from '@balcao/contract/routes/config'
import { createTestApp, type TestApp, type WholeAnswer } from '#test/app.ts'
import { getConfig, givenPerson, type TestPerson } from '#test/builders.ts'

const MB = 1_000_000
const MINUTE_MS = 60_000

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', background: false })
})
afterAll(() => app.close())

/** Several logins of one conta: each may send 100 requests a second. */
async function givenSavers(): Promise<{ first: TestPerson; save: (config: unknown) => Promise<WholeAnswer> }> {
  const first = await givenPerson(app)
  const more = Array.from({ length: 9 }, () => givenPerson(app, { contaId: first.contaId }))
  const people = [first, ...(await Promise.all(more))]
  let next = 0
  return {
    first,
    save: (body) => {
      next += 1
      return app.send('PUT', '/config', { token: (people[next % people.length] ?? first).token, body })
    },
  }
}

/** A configuration of about 4 KB an option that no compression shortens. */
function withBigMenu(config: VersionedConfig, length = 50): object {
  const opcoes = Array.from({ length }, (_, index) => ({
    numero: String(index),
    titulo: `Opção ${index}`,
    tipo: 'mensagem',
    resposta: randomBytes(2_000).toString('hex'),
  }))
  const { versao: _, ...rest } = config
  return { ...rest, menu: { ...config.menu, opcoes } }
}

async function stored({ contaId }: TestPerson): Promise<{ versions: number; contents: number; bytes: number }> {
  const [row] = await app.sql(
    `select count(*)::int as versions, count(dados)::int as contents, coalesce(sum(pg_column_size(dados)), 0)::int as bytes
     from configuracoes where conta_id = $1`,
    [contaId],
  )
  return { versions: Number(row?.['versions']), contents: Number(row?.['contents']), bytes: Number(row?.['bytes']) }
}

/** Adds versions with a copy of this content. A save of each would take most of the time of the file. */
const repeatContent = (
  { contaId }: TestPerson,
  { versao, until, age }: { versao: number; until: number; age: string },
) =>
  app.sql(
    `insert into configuracoes (conta_id, versao, dados, autor, criada_em, bytes)
     select conta_id, n, dados, autor, criada_em - $4::interval, bytes
     from configuracoes, generate_series($2 + 1, $3) n where conta_id = $1 and versao = $2`,
    [contaId, versao, until, age],
  )

const listOf = async ({ token }: TestPerson, query = '') =>
  versoesConfigRoute.response.parse((await app.send('GET', `/config/versoes${query}`, { token })).body).versoes

describe('PUT /config', () => {
  it('makes a version of every equal save and stores its content once', async () => {
    const { first, save } = await givenSavers()
    const config = await getConfig(app, first)
    const { versao: _, ...equal } = { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } }
    for (let n = 0; n < 249; n += 1) expect((await save(equal)).status).toBe(200)
    const { versions, contents, bytes } = await stored(first)
    expect({ versions, contents }).toEqual({ versions: 250, contents: 2 })
    expect(bytes).toBeLessThan(MB / 4)
    expect(await getConfig(app, first)).toEqual({ ...config, ...equal, versao: 250 })

    // A version without its own content can be restored, and a change stores content again.
    expect((await app.send('POST', '/config/versoes/200/restaurar', { token: first.token })).status).toBe(200)
    expect((await save({ ...equal, whatsapp: { ...config.whatsapp, clientId: 'outra' } })).status).toBe(200)
    expect(await stored(first)).toMatchObject({ versions: 252, contents: 3 })
  })

  it('forgets the oldest contents beyond the last 200 versions and 20 MB', async () => {
    const { first, save } = await givenSavers()
    const config = await getConfig(app, first)
    expect((await save(withBigMenu(config, 26))).status).toBe(200)
    await repeatContent(first, { versao: 2, until: 191, age: '1 hour' })
    for (let n = 191; n < 231; n += 1) expect((await save(withBigMenu(config, 26))).status).toBe(200)
    const { versions, contents, bytes } = await stored(first)
    expect({ versions, contents }).toEqual({ versions: 231, contents: 200 })
    expect(bytes).toBeGreaterThan(20 * MB)
    expect(bytes).toBeLessThan(25 * MB)

    const [kept, forgotten] = await listOf(first, '?limite=2&cursor=33')
    expect([kept, forgotten]).toMatchObject([
      { versao: 32, guardada: true },
      { versao: 31, guardada: false },
    ])
    const restore = (versao: number) => app.send('POST', `/config/versoes/${versao}/restaurar`, { token: first.token })
    expect(await restore(31)).toMatchObject({
      status: 404,
      body: { erro: 'O conteúdo desta versão não está mais guardado.' },
    })
    app.advance(MINUTE_MS + 1)
    expect((await restore(40)).status).toBe(200)
  })

  it('refuses more than 10 MB of contents within a minute with 429', async () => {
    const { first, save } = await givenSavers()
    const config = await getConfig(app, first)
    expect((await save(withBigMenu(config))).status).toBe(200)
    await repeatContent(first, { versao: 2, until: 40, age: '0' })
    const answers: number[] = []
    while (answers.at(-1) !== 429 && answers.length < 20) {
      const { status, headers, body } = await save(withBigMenu(config))
      answers.push(status)
      if (status !== 429) continue
      expect(headers.get('retry-after')).toBe('60')
      expect(body['erro']).toBe('A configuração mudou vezes demais em um minuto. Espere um pouco e salve de novo.')
    }
    expect(answers[0]).toBe(200)
    expect(answers.at(-1)).toBe(429)
    // A refused save leaves nothing.
    expect((await stored(first)).versions).toBe(40 + answers.length - 1)
    app.advance(MINUTE_MS + 1)
    expect((await save(withBigMenu(config))).status).toBe(200)
  })
})
