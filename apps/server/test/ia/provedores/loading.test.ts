import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Program, startProgram } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createFakeVendor, type FakeVendor, vendorKey } from './fake-vendors.ts'

/** The real program reports each file of the AI SDK that it loads. */
const REPORT = pathToFileURL(join(import.meta.dirname, 'report-sdks.mjs')).href

let database: TestDatabase
let dataDir: string
let fake: FakeVendor
let program: Program
let output = ''
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-sdks-')
  fake = await createFakeVendor('openai')
  program = await startProgram({
    ...{ database, dataDir },
    env: { OPENAI_BASE_URL: fake.url, NODE_OPTIONS: `--import ${REPORT}` },
    onOutput: (chunk) => {
      output += chunk
    },
  }).catch((cause: unknown) => {
    throw new Error(output, { cause })
  })
})
afterAll(async () => {
  await program?.kill()
  await fake?.close()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const loaded = (): Set<string> => new Set([...output.matchAll(/^SDK (.+)$/gm)].map(([, name = '']) => name))

it('loads no SDK of a provider at the start, and with the first question only that of the chosen one', async () => {
  // A key check needs no SDK.
  const apiKey = vendorKey('openai')
  const checked = await program.request('POST', '/gemini/validar', { provedor: 'openai', apiKey })
  expect(checked.body).toEqual({ valida: true })
  expect([...loaded()]).toEqual([])
  const ia = {
    provedor: 'openai',
    modeloGemini: 'gpt-6-luna',
    chaves: { openai: apiKey, anthropic: '', compativel: '' },
  }
  expect((await program.request('POST', '/gemini/testar', { pergunta: 'oi', ia })).status).toBe(200)
  const found = loaded()
  expect([...found]).toEqual(expect.arrayContaining(['ai', '@ai-sdk/openai']))
  for (const other of ['@ai-sdk/google', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible'])
    expect(found).not.toContain(other)
})
