import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { configRoute } from '@balcao/contract/routes/config'
import type { CrashPoint } from '#lib/crash-points.ts'
import { waitUntil } from '#test/app.ts'
import { formFile, sendAsCustomer } from '#test/builders.ts'
import { type Program, startProgram, untilConnected } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { ogg } from '#test/midias/sample-files.ts'
import { createFakeGemini, type FakeGemini, VALID_KEY } from './fake-gemini.ts'

let database: TestDatabase
let dataDir: string
let fake: FakeGemini
const alive: Program[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-kill-transcricao-')
  fake = await createFakeGemini()
  const program = await start()
  const { config } = configRoute.response.parse((await program.request('GET', '/config')).body)
  const { status } = await program.request('PUT', '/config', {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    gemini: { apiKey: VALID_KEY },
    ia: { ...config.ia, apiKey: VALID_KEY, transcrever: true },
  })
  expect(status).toBe(200)
  await program.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await program.request('POST', '/simulador/escanear')).status === 200)
  await program.kill()
})
afterAll(async () => {
  for (const program of alive) await program.kill()
  await fake.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  fake.reset()
  fake.answerAlways(() => ({ tipo: 'texto', texto: 'tem bolo?' }))
})

async function start(failure?: string): Promise<Program> {
  const program = await startProgram({ database, dataDir, crashPoint: failure, env: { GEMINI_BASE_URL: fake.url } })
  alive.push(program)
  return program
}

const speak = (program: Program, telefone: string) =>
  sendAsCustomer(program, telefone, { arquivo: formFile(ogg(), 'voz.ogg', 'audio/ogg') })

const CASES: readonly (readonly [CrashPoint, number])[] = [
  ['transcricao.reivindicada', 1],
  ['transcricao.respondida', 2],
]

it.each(CASES)('writes a voice note down once after SIGKILL at %s', { timeout: 300_000 }, async (point, asked) => {
  const telefone = `551196600010${asked}`
  const first = await start(`${point}:1`)
  await untilConnected(first)
  await waitUntil(async () => (await speak(first, telefone)).status === 202)
  expect(await first.exited).toBe('SIGKILL')
  const { rows } = await database.owner.query('select tentativas, proxima_em > now() as claimed from transcricoes')
  expect(rows).toEqual([{ tentativas: 1, claimed: true }])

  const second = await start()
  await untilConnected(second)
  // The end of the lease of the killed process.
  await database.owner.query('update transcricoes set proxima_em = now()')
  await waitUntil(async () => (await database.owner.query('select 1 from transcricoes')).rows.length === 0)
  const { rows: stored } = await database.owner.query(
    `select m.extras -> 'transcricao' as transcricao from mensagens m
     join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
     where c.telefone = $1 and m.direcao = 'entrada'`,
    [telefone],
  )
  expect(stored).toEqual([{ transcricao: { texto: 'tem bolo?', estado: 'pronta' } }])
  expect(fake.requests).toHaveLength(asked)
  await second.kill()
})
