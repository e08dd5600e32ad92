import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { databaseUrl } from '#test/bot/program.ts'
import { createTestDatabase } from '#test/database.ts'
import { formFile, sendAsCustomer } from '#test/builders.ts'
import { waitUntil } from '#test/app.ts'
import { pause } from './faults.ts'
import { type Burst, givenShop, Ledger } from './ledger.ts'
import { createLocalServer, type LocalServer } from './local-server.ts'
import { at, isReady, type NodeProcess, type Processes, requireRunning, startProcesses } from './processes.ts'
import { createSmallDisk } from './small-disk.ts'

const DATABASE_MB = 400
const FILES_MB = 20
const FULL_MS = 4_000
const SENTENCE = 'O disco do servidor está cheio. Avise quem cuida do servidor.'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const pidsOf = ({ nodes }: Processes): number[] => nodes.flatMap((node) => node.pid() ?? [])
const firstOf = ({ nodes }: Processes): NodeProcess => {
  const [node] = nodes
  if (node === undefined) throw new Error('no process started')
  return node
}

/** A database that found no space for its journal has ended. */
async function startIfDown(server: LocalServer): Promise<void> {
  await waitUntil(async () => {
    if (server.pids().length === 0) await server.start()
    const client = await server.connect().catch(() => null)
    await client?.end()
    return client !== null
  })
}

const statusesOf = (burst: Burst): string[] => burst.refused().map((refusal) => refusal.slice(0, 4))

describe('full disk of the database', () => {
  it('refuses messages with a sentence and keeps each accepted one', async () => {
    const disk = await createSmallDisk(DATABASE_MB)
    open.push(disk.remove)
    const server = await createLocalServer(disk.folder)
    open.push(server.remove)
    await server.start()
    const fleet = await startProcesses({ databaseUrl: server.url, size: 2 })
    open.push(fleet.close)
    const shop = await givenShop(firstOf(fleet))
    const ledger = new Ledger(fleet.urls)
    const burst = ledger.burst([shop], { customers: 80, messages: 10, pauseMs: 400 })
    await expect.poll(burst.accepted).toBeGreaterThan(20)
    disk.fill(server.pids())
    await waitUntil(() => burst.refused().length > 0)
    await pause(FULL_MS)
    disk.free(server.pids())
    await startIfDown(server)
    await burst.done
    await ledger.exact()
    requireRunning(fleet)
    expect(statusesOf(burst)).not.toContain('500 ')
    expect(statusesOf(burst)).toContain('503 ')
    const sentences = [SENTENCE, 'temporariamente indisponível', 'O servidor está ocupado']
    const refused = burst.refused().filter((refusal) => refusal.startsWith('503'))
    expect(refused.filter((refusal) => !sentences.some((sentence) => refusal.includes(sentence)))).toEqual([])
  })
})

describe('full disk of the files', () => {
  it('refuses files with a sentence, answers texts, and takes files again', async () => {
    const disk = await createSmallDisk(FILES_MB)
    open.push(disk.remove)
    const database = await createTestDatabase()
    open.push(database.drop)
    const env = { ARQUIVOS_DIR: join(disk.folder, 'arquivos') }
    const fleet = await startProcesses({ databaseUrl: databaseUrl(database), size: 2, env })
    open.push(fleet.close)
    const node = firstOf(fleet)
    const shop = await givenShop(node)
    const ledger = new Ledger(fleet.urls)
    const sendFile = (to: NodeProcess) =>
      sendAsCustomer(at(to, shop), '11987650000', {
        texto: 'Segue a lista',
        arquivo: formFile(Buffer.from(`%PDF-1.4\n${'x'.repeat(100_000)}`), 'lista.pdf'),
      })
    expect(await sendFile(node)).toMatchObject({ status: 202 })
    disk.fill(pidsOf(fleet))
    for (const to of fleet.nodes) {
      expect(await sendFile(to)).toMatchObject({ status: 503, body: { codigo: 'discoCheio', erro: SENTENCE } })
    }
    await ledger.burst([shop], { customers: 5, messages: 3 }).done
    await ledger.exact()
    disk.free(pidsOf(fleet))
    for (const to of fleet.nodes) expect(await sendFile(to)).toMatchObject({ status: 202 })
    const { rows } = await database.owner.query('select 1 from arquivos')
    expect(rows).toHaveLength(3)
    requireRunning(fleet)
  })
})

describe('full disk of the data folder of one node', () => {
  it('makes the node not ready while the others serve', async () => {
    const disk = await createSmallDisk(FILES_MB)
    open.push(disk.remove)
    const database = await createTestDatabase()
    open.push(database.drop)
    const fleet = await startProcesses({ databaseUrl: databaseUrl(database), size: 1 })
    open.push(fleet.close)
    const full = await fleet.add({ DATA_DIR: join(disk.folder, 'dados') })
    const node = firstOf(fleet)
    const shop = await givenShop(node)
    const ledger = new Ledger(fleet.urls)
    disk.fill(pidsOf(fleet).slice(1))
    if (disk.mounted) await waitUntil(async () => !(await isReady(full.url)))
    expect(await isReady(node.url)).toBe(true)
    await ledger.burst([shop], { customers: 5, messages: 3 }).done
    await ledger.exact()
    disk.free(pidsOf(fleet).slice(1))
    await waitUntil(() => isReady(full.url))
    requireRunning(fleet)
  })
})
