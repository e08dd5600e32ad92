import { mkdtemp, rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configRoute } from '@balcao/contract/routes/config'
import { createIa } from '#adapters/ia/ia.ts'
import { type TestUser, sendRequest, waitUntil } from '#test/app.ts'
import { givenConta, saveConfig } from '#test/builders.ts'
import { type Program, startProgram } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createFakeGemini, type FakeGemini, VALID_KEY } from '#test/ia/fake-gemini.ts'
import { createFleet, type TestFleet } from '#test/nodes/fleet.ts'
import { addProva, takeExam } from './exam-shop.ts'

const QUESTIONS = 16
const PER_CONTA = 4
const ANSWERED = 8

let gemini: FakeGemini
beforeAll(async () => {
  gemini = await createFakeGemini()
})
afterAll(() => gemini.close())
beforeEach(() => gemini.reset())

const asked = (): string[] => gemini.requests.map(({ pergunta }) => pergunta)

async function addQuestions({ request }: Pick<TestUser, 'request'>): Promise<void> {
  for (let n = 0; n < QUESTIONS; n += 1) {
    await addProva(request, { pergunta: `Pergunta ${n}?`, contem: [`pergunta ${n}?`], obrigatoria: true })
  }
}

describe('exam on two nodes', () => {
  let fleet: TestFleet
  beforeAll(async () => {
    fleet = await createFleet(0)
  })
  afterAll(() => fleet.close())

  it('asks each question once, and both requests report all results', async () => {
    const ai = createIa({ urls: { gemini: gemini.url }, log: { warn: () => undefined }, backoffMs: 1 })
    const a = await fleet.start({ ai })
    const b = await fleet.start({ ai })
    const dona = await givenConta(a.app)
    await saveConfig(dona, (config) => ({ ...config, gemini: { apiKey: VALID_KEY } }))
    await addQuestions(dona)
    const request: TestUser['request'] = (method, path, body) =>
      sendRequest(b.app.url, method, path, { token: dona.token, body })
    const reports = await Promise.all([takeExam(dona.request), takeExam(request)])
    expect(asked()).toHaveLength(QUESTIONS)
    expect(new Set(asked()).size).toBe(QUESTIONS)
    for (const report of reports) expect(report).toMatchObject({ passaram: QUESTIONS, falharam: 0 })
    expect(reports[0].tokens + reports[1].tokens).toBe(QUESTIONS * 110)
  })
})

describe('exam on a killed node', () => {
  let database: TestDatabase
  let dataDir = ''
  const alive: Program[] = []
  beforeAll(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp('/tmp/balcao-kill-prova-')
  })
  afterAll(async () => {
    for (const program of alive) await program.kill()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const start = async (): Promise<Program> => {
    const program = await startProgram({ database, dataDir, env: { GEMINI_BASE_URL: gemini.url } })
    alive.push(program)
    return program
  }

  it('is continued by the next request, which asks only the rest', { timeout: 120_000 }, async () => {
    const first = await start()
    const { config } = configRoute.response.parse((await first.request('GET', '/config')).body)
    await first.request('PUT', '/config', { ...config, gemini: { apiKey: VALID_KEY } })
    await addQuestions(first)
    let answers = 0
    gemini.answerAlways(({ pergunta }) => {
      answers += 1
      return answers > ANSWERED ? { tipo: 'nunca' } : { tipo: 'texto', texto: `ECO ${pergunta}` }
    })
    const interrupted = takeExam(first.request).catch(() => 'killed')
    await waitUntil(() => gemini.requests.length === ANSWERED + PER_CONTA)
    await first.kill()
    expect(await interrupted).toBe('killed')
    const done = asked().slice(0, ANSWERED)

    const second = await start()
    gemini.reset()
    // As if the time of a claim were over.
    await database.owner.query(`update provas set perguntada_em = perguntada_em - interval '2 minutes'`)
    expect(await takeExam(second.request)).toMatchObject({ passaram: QUESTIONS, falharam: 0 })
    expect(asked()).toHaveLength(QUESTIONS - ANSWERED)
    expect(asked().filter((pergunta) => done.includes(pergunta))).toEqual([])
  })
})
