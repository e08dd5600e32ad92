import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configRoute } from '@balcao/contract/routes/config'
import { mensagensSimuladasRoute } from '@balcao/contract/routes/simulador'
import { IA_CRASH_POINTS } from '#lib/crash-points.ts'
import { startProgram, type Program } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { VALID_KEY, createFakeGemini, type FakeGemini } from './fake-gemini.ts'
import { waitUntil } from '#test/app.ts'

/** Runs the real program and kills it with SIGKILL during a question to the AI. */

let database: TestDatabase
let dataDir: string
let falso: FakeGemini
const alive: Program[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-kill-ia-')
  falso = await createFakeGemini()
  const program = await iniciar()
  await preparar(program)
  await program.kill()
})
afterAll(async () => {
  for (const program of alive) await program.kill()
  await falso.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(() => falso.reset())

async function iniciar(failure?: string): Promise<Program> {
  const program = await startProgram({ database, dataDir, crashPoint: failure, env: { GEMINI_BASE_URL: falso.url } })
  alive.push(program)
  return program
}

async function preparar({ request }: Program): Promise<void> {
  const { config } = configRoute.response.parse((await request('GET', '/config')).body)
  const { body, status } = await request('PUT', '/config', {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    gemini: { apiKey: VALID_KEY },
    ia: { ...config.ia, ativa: true, apiKey: VALID_KEY, esperaSegundos: 0, apresentacao: 'SOU A IA' },
    menu: { ...config.menu, mensagens: { ...config.menu.mensagens, boasVindas: 'OLA' }, digitando: false },
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  await request('POST', '/bot/iniciar')
  await waitUntil(async () => (await request('POST', '/simulador/escanear')).status === 200)
}

async function ouviu({ request }: Program, telefone: string): Promise<string[]> {
  const { body } = await request('GET', `/simulador/mensagens?telefone=${telefone}`)
  const { mensagens } = mensagensSimuladasRoute.response.parse(body)
  return mensagens.filter(({ de }) => de === 'bot').map(({ texto }) => texto)
}

async function connected({ request }: Program): Promise<void> {
  await waitUntil(async () => (await request('GET', '/bot/status')).body['status'] === 'CONECTADO')
}

describe('server killed during a question to the AI', () => {
  it.each(IA_CRASH_POINTS)(
    'answers the customer once after the restart, crash point %s',
    { timeout: 300_000 },
    async (point) => {
      const telefone = point === 'ia.antes' ? '11970000001' : '11970000002'
      const first = await iniciar(`${point}:1`)
      await connected(first)
      const asked = { telefone, nome: 'Ana', texto: 'assistente' }
      // The status is that of the killed process until this one has the bot. Then nothing is stored.
      await waitUntil(async () => (await first.request('POST', '/simulador/mensagens', asked)).status === 202)
      expect(await first.exited).toBe('SIGKILL')

      const second = await iniciar()
      await connected(second)
      await waitUntil(async () => (await ouviu(second, telefone)).includes('ECO assistente'))
      const next = { telefone, nome: 'Ana', texto: 'e depois?' }
      expect((await second.request('POST', '/simulador/mensagens', next)).status).toBe(202)
      await waitUntil(async () => (await ouviu(second, telefone)).includes('ECO e depois?'))
      expect(await ouviu(second, telefone)).toEqual(['OLA', 'SOU A IA', 'ECO assistente', 'ECO e depois?'])
      const { rows } = await database.owner.query('select 1 from perguntas_ia')
      expect(rows).toEqual([])
      const perguntas = falso.requests.map(({ pergunta }) => pergunta)
      expect(perguntas).toEqual([...(point === 'ia.antes' ? [] : ['assistente']), 'assistente', 'e depois?'])
      await second.kill()
    },
  )
})
