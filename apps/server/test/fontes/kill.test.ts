import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FONTE_CRASH_POINTS } from '#lib/crash-points.ts'
import { createTestApp, waitUntil } from '#test/app.ts'
import { startProgram, type Program } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { givenFonte, listFontes, piecesOf, readFonte } from './fontes-app.ts'

let database: TestDatabase
let dataDir: string
const alive: Program[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp('/tmp/balcao-kill-fontes-')
})
afterAll(async () => {
  for (const program of alive) await program.kill()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(crashPoint?: string): Promise<Program> {
  const program = await startProgram({ database, dataDir, crashPoint })
  alive.push(program)
  return program
}

describe('server killed while it reads a source', () => {
  it.each(FONTE_CRASH_POINTS)(
    'reads the source again after its lease, crash point %s',
    { timeout: 120_000 },
    async (point) => {
      const first = await start(`${point}:1`)
      const fonte = await givenFonte(first, { tipo: 'texto', titulo: point, texto: 'Trocas em sete dias.' })
      expect(await first.exited).toBe('SIGKILL')
      const second = await start()
      const { rows } = await database.owner.query('select estado, ler_em > now() as leased from fontes where id = $1', [
        fonte.id,
      ])
      expect(rows).toEqual([{ estado: 'lendo', leased: true }])
      await database.owner.query(`update fontes set ler_em = ler_em - interval '60 seconds' where id = $1`, [fonte.id])
      expect(await readFonte(second, fonte)).toMatchObject({ estado: 'pronta', trechos: 1 })
      expect(await piecesOf(second, fonte)).toHaveLength(1)
      await second.kill()
    },
  )

  it('fails a source that ended the process three times', { timeout: 60_000 }, async () => {
    const program = await start()
    const fonte = await givenFonte(program, { tipo: 'texto', titulo: 'x', texto: 'y' })
    await readFonte(program, fonte)
    await database.owner.query(`update fontes set estado = 'lendo', ler_em = now(), tentativas = 3 where id = $1`, [
      fonte.id,
    ])
    expect(await readFonte(program, fonte)).toMatchObject({
      estado: 'falhou',
      motivo: expect.stringMatching(/interrompida/),
    })
    await program.kill()
  })
})

describe('two nodes', () => {
  it('read each source once', { timeout: 120_000 }, async () => {
    const asked: string[] = []
    const site = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.setHeader('content-type', 'text/html').end(`<p>Texto de ${request.url}</p>`)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const address = site.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const options = { database, sites: { loopback: true } }
    const apps = [await createTestApp(options), await createTestApp(options)]
    const [one] = apps
    if (one === undefined) throw new Error('no server')
    const sources = await Promise.all(
      Array.from({ length: 12 }, (_, n) => givenFonte(one.admin, { tipo: 'site', url: `${url}/p${n}`, paginas: 1 })),
    )
    const ids = new Set(sources.map(({ id }) => id))
    const read = await waitUntil(async () => {
      const fontes = (await listFontes(one.admin)).filter(({ id }) => ids.has(id))
      return fontes.every(({ estado }) => estado !== 'lendo') && fontes
    }, 100_000)
    expect(read.map(({ estado }) => estado)).toEqual(sources.map(() => 'pronta'))
    const pages = asked.filter((path) => path !== '/robots.txt')
    expect(pages.toSorted()).toEqual(sources.map((_, n) => `/p${n}`).toSorted())
    for (const app of apps) await app.close()
    site.closeAllConnections()
    site.close()
  })
})
