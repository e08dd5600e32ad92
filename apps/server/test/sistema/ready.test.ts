import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { createVault } from '#security/vault.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

const configRespostaSchema = z.object({ config: z.looseObject(configSchema.shape) })

let database: TestDatabase
let casa: TestApp
beforeAll(async () => {
  database = await createTestDatabase({ comPrazos: true })
  casa = await createTestApp({
    database: database,
    timings: { renewMs: 200, searchMs: 60_000, notifyMs: 60_000 },
  })
})
afterAll(async () => {
  await casa?.close()
  await database?.drop()
})

async function pronto(): Promise<{ status: number; corpo: unknown }> {
  const reply = await fetch(`${casa.url}/api/ready`)
  return { status: reply.status, corpo: await reply.json() }
}

/** The answer is cached for one second, so the test polls. */
const wait = (parts: object): Promise<unknown> =>
  waitUntil(async () => {
    const { status, corpo } = await pronto()
    return status === ('sucesso' in parts ? 200 : 503) && JSON.stringify(corpo) === JSON.stringify({ ...BOA, ...parts })
  })
const BOA = { sucesso: false, banco: true, chave: true, disco: true, bots: true, encerrando: false }

it('is ready while the database, the secret and the leases work', async () => {
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

it('is not ready while leases cannot be renewed and answers 503', async () => {
  const { config } = configRespostaSchema.parse((await casa.request('GET', '/config')).body)
  await casa.request('PUT', '/config', { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
  expect((await casa.request('POST', '/bot/iniciar')).status).toBe(200)
  const dono = await database.owner.connect()
  try {
    await dono.query('begin')
    await dono.query('lock table bots in access exclusive mode')
    await wait({ bots: false })
    expect(await casa.request('POST', '/bot/parar')).toMatchObject({ status: 503, body: { codigo: 'servidorOcupado' } })
  } finally {
    await dono.query('rollback')
    dono.release()
  }
  await wait({ sucesso: true })
})
