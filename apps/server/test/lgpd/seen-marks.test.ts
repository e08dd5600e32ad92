import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteExpired } from '#modules/retencao/delete-expired.ts'
import { createVault } from '#security/vault.ts'
import { ADMIN_LOGIN, createTestApp, type TestApp } from '#test/app.ts'
import { chatOf, connectBot, startBot } from '#test/builders.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const DAY_MS = 86_400_000

let database: TestDatabase
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  app = await createTestApp({ database })
  await connectBot(app)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

let phones = 0
let telefone = ''
beforeEach(() => {
  phones += 1
  telefone = `5511987${String(650_000 + phones)}`
})

/** Logs in again, because retention deletes old logins. */
const request: TestApp['request'] = async (...args) => {
  const { request: send } = await app.login(ADMIN_LOGIN.email, ADMIN_LOGIN.senha)
  return send(...args)
}

/** The service delivers a message, again with the same id. */
async function deliver(id: string, more: object = {}): Promise<void> {
  const body = { telefone, nome: 'Duda Canário', texto: `texto de ${id}`, id, ...more }
  expect((await request('POST', '/simulador/mensagens', body)).status).toBe(202)
  await app.idle()
}

async function stored(): Promise<string[]> {
  const rows = await app.sql(
    `select texto from mensagens where id_externo is not null and texto like 'texto de %' order by id`,
  )
  return rows.map(({ texto }) => String(texto))
}

const clear = async (): Promise<void> => {
  expect((await request('DELETE', '/conversas')).status).toBe(200)
}

describe('message delivered again', () => {
  it('is neither stored nor answered after a clearing, as one of the phone', async () => {
    await deliver('limpa-1')
    await deliver('limpa-2', { deMim: true })
    await clear()
    const before = await chatOf(app, telefone)
    await deliver('limpa-1')
    await deliver('limpa-2', { deMim: true })
    expect(await stored()).toEqual([])
    expect(await chatOf(app, telefone)).toEqual(before)

    await deliver('limpa-3')
    expect(await stored()).toEqual(['texto de limpa-3'])
    await clear()
  })

  it('does not bring an erased customer back, but a new message does', async () => {
    await deliver('apaga-1')
    expect((await app.request('DELETE', `/lgpd/titulares/${telefone}`)).status).toBe(200)
    await deliver('apaga-1')
    expect(await stored()).toEqual([])
    expect(await app.sql('select 1 from contatos where telefone = $1', [telefone])).toEqual([])
    expect((await app.request('GET', `/lgpd/titulares/${telefone}`)).status).toBe(404)

    await deliver('apaga-2')
    expect(await stored()).toEqual(['texto de apaga-2'])
    await clear()
  })

  it('is not stored after retention, until its mark is 30 days old', async () => {
    await deliver('prazo-1')
    const later = (days: number) => ({
      ...app.deps,
      clock: { now: () => new Date(app.deps.clock.now().getTime() + days * DAY_MS) },
    })
    await deleteExpired(later(181))
    expect(await stored()).toEqual([])
    await deliver('prazo-1')
    await deleteExpired(later(210))
    await deliver('prazo-1')
    expect(await stored()).toEqual([])

    await deleteExpired(later(212))
    expect(await app.sql('select 1 from vistos')).toEqual([])
    await deliver('prazo-1')
    expect(await stored()).toEqual(['texto de prazo-1'])
    await clear()
  })

  it('is recognized after a change of the secret, by marks without its id', async () => {
    await deliver('segredo-1')
    await clear()
    const marks = await app.sql('select marca, ate from vistos')
    expect(marks.length).toBeGreaterThan(0)
    expect(JSON.stringify(marks)).not.toMatch(/segredo-1|simulador/)
    await app.close()

    app = await createTestApp({ database, vault: createVault('k2:outro segredo de teste,k1:segredo de teste') })
    await startBot(app)
    await deliver('segredo-1')
    expect(await stored()).toEqual([])
  })
})
