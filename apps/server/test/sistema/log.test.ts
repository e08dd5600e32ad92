import { closeSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createLog } from '#log.ts'
import { waitUntil } from '#test/app.ts'
import { startProgram } from '#test/bot/program.ts'
import { createTestDatabase } from '#test/database.ts'

const linhaSchema = z.looseObject({
  level: z.number(),
  msg: z.optional(z.string()),
  repetidas: z.optional(z.number()),
  desde: z.optional(z.iso.datetime()),
})
type Linha = z.output<typeof linhaSchema>

function abrir(janelaMs: number): ReturnType<typeof createLog> & { readonly lidas: () => Linha[] } {
  const lines: string[] = []
  const destino = { write: (line: string) => void lines.push(line) }
  return {
    ...createLog('info', { destination: destino, windowMs: janelaMs }),
    lidas: () => lines.map((line) => linhaSchema.parse(JSON.parse(line))),
  }
}

const summary = (lines: readonly Linha[]): [string, number | undefined][] =>
  lines.flatMap(({ msg = '', repetidas }): [string, number | undefined][] =>
    repetidas === undefined ? [] : [[msg, repetidas]],
  )

it('names the node in each line, also of a child', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const { log } = createLog('info', { destination, node: 'loja-1:3000' })
  log.info('one')
  log.child({ pedido: 'a' }).info('two')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { no: 'loja-1:3000' },
    { no: 'loja-1:3000', pedido: 'a' },
  ])
})

it('writes ten lines of a kind and counts the rest', () => {
  const { log, lidas, flush } = abrir(3_600_000)
  const filho = log.child({ contaId: 'uma' })
  for (let i = 0; i < 500; i += 1) {
    // The text of the error does not separate kinds; the place that threw it does.
    filho.error({ err: new Error(`linha ${i}`) }, 'the line broke')
    log.warn({ i }, 'the disk is slow')
  }
  for (let i = 0; i < 12; i += 1) log.error({ err: new TypeError('outro') }, 'the line broke')
  log.info('alone')
  for (let i = 0; i < 30; i += 1) log.info({ i })
  expect(lidas()).toHaveLength(10 + 10 + 10 + 1 + 30)
  flush()
  expect(summary(lidas())).toEqual([
    ['the line broke', 490],
    ['the disk is slow', 490],
    ['the line broke', 2],
  ])
  expect(
    lidas()
      .map(({ level }) => level)
      .slice(-3),
  ).toEqual([50, 40, 50])
  flush()
  expect(summary(lidas())).toHaveLength(3)
})

it('writes the count when the window closes and shows lines again', async () => {
  const { log, lidas } = abrir(40)
  for (let i = 0; i < 100; i += 1) log.error('the provider is away')
  await waitUntil(() => summary(lidas()).length > 0)
  expect(summary(lidas()).reduce((sum, [, count = 0]) => sum + count, 0) + 10).toBe(100)
  const before = lidas().length
  log.error('the provider is away')
  expect(lidas()).toHaveLength(before + 1)
})

async function runWithOutput(path: string, dataDir: string): Promise<number | null> {
  const database = await createTestDatabase()
  const stdout = openSync(path, 'w')
  const program = await startProgram({ database, dataDir, env: { LOG_LEVEL: 'debug' }, stdout })
  closeSync(stdout)
  expect((await program.request('GET', '/health')).status).toBe(200)
  const code = await program.terminate()
  await database.drop()
  return code
}

it('writes the lines of the program to a file until its end', async () => {
  const dataDir = await mkdtemp('/tmp/balcao-log-')
  const path = join(dataDir, 'saida')
  expect(await runWithOutput(path, dataDir)).toBe(0)
  expect(readFileSync(path, 'utf8')).toContain('"msg":"Server listening at')
  await rm(dataDir, { recursive: true })
})

it.runIf(process.platform === 'linux')('keeps the program running and lets it end on a full disk', async () => {
  const dataDir = await mkdtemp('/tmp/balcao-log-')
  expect(await runWithOutput('/dev/full', dataDir)).toBe(0)
  await rm(dataDir, { recursive: true })
})
