import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { createDatabase, type Database } from '#db/transaction.ts'
import { createVault } from '#security/vault.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { type RecordedDatabase, recordStatements } from '#test/recorded-database.ts'

const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

let database: TestDatabase
let patient: Database
let checks: RecordedDatabase
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase({ comPrazos: true })
  // A check that waits for a lock does not fail, it only gets old.
  const limits = { max: 4, lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 }
  const log = { error: () => undefined }
  patient = createDatabase({ pool: createPool(database.target, { role: APP_ROLE, ...limits }), log })
  checks = recordStatements(patient)
  app = await createTestApp({
    ...{ database, reservedDb: checks.db },
    timings: { renewMs: 200, searchMs: 60_000, notifyMs: 60_000 },
  })
})
afterAll(async () => {
  await app?.close()
  await patient?.end()
  await database?.drop()
})

async function pronto(): Promise<{ status: number; corpo: unknown }> {
  const reply = await fetch(`${app.url}/api/ready`)
  return { status: reply.status, corpo: await reply.json() }
}

/** The checks run every two seconds, so the test polls. */
const wait = (parts: object): Promise<unknown> =>
  waitUntil(async () => {
    const { status, corpo } = await pronto()
    return status === ('sucesso' in parts ? 200 : 503) && JSON.stringify(corpo) === JSON.stringify({ ...BOA, ...parts })
  })
const BOA = { sucesso: false, banco: true, chave: true, disco: true, bots: true, encerrando: false }

it('is ready while the database, the secret and the leases work', async () => {
  await wait({ sucesso: true })
})

it('answers probes from memory and writes once a minute', async () => {
  const since = performance.now()
  const isCheck = (names: readonly string[]): boolean => names.some((sql) => sql.includes('canario'))
  const before = checks.transactions.filter(isCheck).length
  const answers = await Promise.all(Array.from({ length: 100 }, pronto))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const rounds = 1 + Math.ceil((performance.now() - since) / 2_000)
  expect(checks.transactions.filter(isCheck).length - before).toBeLessThanOrEqual(rounds)
  await waitUntil(() => checks.transactions.filter(isCheck).length >= before + 3)
  expect(checks.transactions.flat().filter((sql) => sql === 'canario-gravar')).toHaveLength(1)
})

it('is not ready when the last check is older than four seconds', async () => {
  const dono = await database.owner.connect()
  try {
    await dono.query('begin')
    await dono.query('lock table configuracoes_admin in access exclusive mode')
    await wait({ banco: false, chave: false })
  } finally {
    await dono.query('rollback')
    dono.release()
  }
  await wait({ sucesso: true })
})

it('is not ready with a read-only database', async () => {
  const setReadOnly = async (value: string): Promise<void> => {
    const name = database.target.database
    await database.owner.query(`alter database ${name} set default_transaction_read_only = ${value}`)
    // The setting is read when a connection begins.
    await database.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [name],
    )
  }
  await setReadOnly('on')
  await wait({ banco: false, chave: false })
  await database.owner.query('set default_transaction_read_only = off')
  await setReadOnly('off')
  await wait({ sucesso: true })
})

it('is not ready with another secret and recovers when it is restored', async () => {
  const other = createVault('segredo de outra casa').seal('canário', 'configuracoes_admin|canario|unica')
  const { rows } = await database.owner.query<{ canario: string }>('select canario from configuracoes_admin')
  await database.owner.query('update configuracoes_admin set canario = $1', [other])
  await wait({ chave: false })
  await database.owner.query('update configuracoes_admin set canario = $1', [rows[0]?.canario])
  await wait({ sucesso: true })
})

it('is not ready while its bots cannot be read and answers 503', async () => {
  const { config } = configRespostaSchema.parse((await app.request('GET', '/config')).body)
  await app.request('PUT', '/config', { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
  expect((await app.request('POST', '/bot/iniciar')).status).toBe(200)
  const dono = await database.owner.connect()
  try {
    await dono.query('begin')
    await dono.query('lock table bots in access exclusive mode')
    await wait({ bots: false })
    expect(await app.request('POST', '/bot/parar')).toMatchObject({ status: 503, body: { codigo: 'servidorOcupado' } })
  } finally {
    await dono.query('rollback')
    dono.release()
  }
  await wait({ sucesso: true })
})
