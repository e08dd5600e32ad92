import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPasswords, SUPERUSER } from '#db/embedded/logins.ts'
import { choosePlace } from '#db/embedded/place.ts'
import { loginAt, PASSWORD, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, formFile, sendAsCustomer } from '#test/builders.ts'
import { createFakeMeta, type FakeMeta } from '#test/oficial/fake-meta.ts'
import { createCutDisk, type CutDisk } from './cut-disk.ts'
import { pause, seededRandom } from './faults.ts'
import { givenShop, Ledger } from './ledger.ts'
import { type NodeProcess, type Processes, startProcesses } from './processes.ts'
import { openWire, type Wire } from './wire.ts'

/**
 * Power cuts of a server with the embedded database under load. Its data folder is on a disk of which a clone is taken at
 * a random moment (see cut-disk.ts). Each clone then starts as the server would after the cut.
 */

const CUTS = Number(process.env['FALHAS_CORTES'] ?? 8)
const APART_MS = 2_500
const LOAD = { customers: 6, messages: 6, pauseMs: 100 }
const FILE_BYTES = 60_000

interface Upload {
  readonly telefone: string
  readonly bytes: Buffer
}

/** Data that the server had acknowledged before the cut. */
interface Acknowledged {
  readonly messages: readonly string[]
  readonly sends: readonly string[]
  readonly uploads: readonly Upload[]
  /** Number of messages at Meta, and of those whose status the server had answered. */
  readonly atMeta: number
  readonly reported: number
}

interface Cut extends Acknowledged {
  readonly disk: ReturnType<CutDisk['cut']>
}

const random = seededRandom('power-cut')
const env = (folder: string): Record<string, string> => ({
  DATA_DIR: join(folder, 'dados'),
  // The secret of the folder and the embedded database.
  APP_SECRET: '',
  WHATSAPP_CLOUD_BASE_URL: meta.url,
})

let disk: CutDisk
let meta: FakeMeta
let fleet: Processes
let shop: TestUser
let ledger: Ledger
let wire: Wire
const uploads: Upload[] = []
const cuts: Cut[] = []
beforeAll(async () => {
  disk = await createCutDisk()
  meta = await createFakeMeta()
  fleet = await startProcesses({ databaseUrl: '', size: 1, env: env(disk.folder) })
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  shop = await givenShop(node)
  ledger = new Ledger(fleet.urls)
  wire = await openWire(fleet, meta)
  await cutUnderLoad(node)
})
afterAll(async () => {
  await wire?.close()
  await fleet?.close()
  await meta?.close()
  disk?.remove()
})

async function cutUnderLoad(node: NodeProcess): Promise<void> {
  let writing = true
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (writing) await work()
  }
  const loads = [repeat(() => ledger.burst([shop], LOAD).done), repeat(uploadFile)]
  const stopPeople = wire.write(LOAD.pauseMs)
  while (cuts.length < CUTS) {
    await pause(APART_MS * (0.2 + random()))
    const before = { messages: [...ledger.acceptedIds()], sends: [...wire.acknowledged], uploads: [...uploads] }
    const statuses = { atMeta: meta.messages.length, reported: wire.reported() }
    cuts.push({ ...before, ...statuses, disk: disk.cut() })
  }
  writing = false
  await Promise.all([...loads, stopPeople()])
  await ledger.exact()
  await wire.close()
  await node.terminate()
}

/** A customer sends a file of random bytes, which is served again later. */
async function uploadFile(): Promise<void> {
  const telefone = `55118${String(uploads.length).padStart(8, '0')}`
  const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(FILE_BYTES)])
  const { status } = await sendAsCustomer(shop, telefone, { texto: '', arquivo: formFile(bytes, 'nota.pdf') })
  if (status === 202) uploads.push({ telefone, bytes })
  await pause(LOAD.pauseMs)
}

async function query(folder: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const dataDir = join(folder, 'dados')
  const { socketDir } = choosePlace(dataDir, false)
  const { superuser: password } = loadPasswords(dataDir)
  const client = new Client({ host: socketDir ?? '', user: SUPERUSER, password, database: 'balcao' })
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(sql, values)
  await client.end()
  return rows
}

const missing = (folder: string, column: 'id_externo' | 'texto', wanted: readonly string[]) =>
  query(
    folder,
    `select i.v, count(m.id)::int as n from unnest($1::text[]) i (v) left join mensagens m on m.${column} = i.v
     group by 1 having count(m.id) <> 1`,
    [wanted],
  )

async function expectFiles(user: TestUser, url: string, files: readonly Upload[]): Promise<void> {
  for (const { telefone, bytes } of files) {
    // The server limits the requests of a second.
    const chat = await waitUntil(() => chatOf(user, telefone).catch(() => null))
    const midia = chat.find(({ de }) => de === 'cliente')?.midia
    const answer = await fetch(new URL(midia?.url ?? '', url))
    expect(answer.status, telefone).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes), telefone).toBe(true)
  }
}

describe('a power cut under load', () => {
  it.for(Array.from({ length: CUTS }, (_, n) => n))(
    'loses nothing acknowledged and repeats no message, cut %i',
    async (n) => {
      const cut = cuts[n]
      if (cut === undefined) throw new Error('a cut is missing')
      const { folder, remove } = cut.disk.mount()
      const image = await startProcesses({ databaseUrl: '', size: 0 })
      try {
        const sentBefore = meta.messages.length
        const node = await image.add(env(folder))
        expect(await missing(folder, 'id_externo', cut.messages)).toEqual([])
        expect(await missing(folder, 'texto', cut.sends)).toEqual([])
        await expectFiles(await loginAt(node.url, shop.usuario.email, PASSWORD), node.url, cut.uploads)
        await wire.report(node.url, meta.messages.slice(cut.reported, cut.atMeta))
        await waitUntil(async () => (await query(folder, 'select 1 from saida')).length === 0)
        const known = new Set(meta.messages.slice(0, cut.atMeta).map(({ biz_opaque_callback_data: mark }) => mark))
        const copies = meta.messages.slice(sentBefore).filter(({ biz_opaque_callback_data: mark }) => known.has(mark))
        expect(copies).toEqual([])
      } finally {
        for (const node of image.nodes) await node.terminate()
        await image.close()
        remove()
      }
    },
  )
})
