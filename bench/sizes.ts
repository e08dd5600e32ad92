import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteExpiredOn, ensureDataDir, startEmbedded } from '@balcao/server/bench'
import { APP_SECRET, type BenchServer } from './nodes/processes.ts'
import { atMost, figure, type Line, type Section, shown } from './report.ts'
import { CONTAS, type Counts, fill } from './sizes/fill.ts'
import { compareHotPath } from './sizes/hot-path.ts'
import { measureProduct, measureSearchingStart, prepare } from './sizes/product.ts'

const FREE_MIN = 25e9
const ROUND_MAX_S = 600
/** As for a machine with 4 GB. */
const SETTINGS = { max_connections: '100', shared_buffers: '1GB' }
const FILLING = { ...SETTINGS, fsync: 'off', max_wal_size: '6GB', maintenance_work_mem: '256MB', autovacuum: 'off' }

async function run<T>(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  work: (bench: BenchServer) => Promise<T>,
): Promise<T> {
  const server = await startEmbedded({ dataDir, say: () => undefined, settings })
  try {
    return await work({ server, dataDir })
  } finally {
    await server.stop()
  }
}

async function secondsOf<T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly result: T }> {
  const start = performance.now()
  const result = await work()
  return { seconds: (performance.now() - start) / 1_000, result }
}

async function measureRetention(bench: BenchServer): Promise<Line[]> {
  const first = await secondsOf(() => deleteExpiredOn(bench, APP_SECRET))
  const idle = await secondsOf(() => deleteExpiredOn(bench, APP_SECRET))
  return [
    atMost(`round of retention, ${figure(first.result)} rows due`, first.seconds, ROUND_MAX_S, 's'),
    atMost(`round of retention, ${figure(idle.result)} rows due`, idle.seconds, ROUND_MAX_S, 's'),
  ]
}

async function measureFilled(bench: BenchServer): Promise<Line[]> {
  const product = await measureProduct(bench)
  const searching = await measureSearchingStart(bench)
  const retention = await measureRetention(bench)
  return [...product, searching, ...retention, ...(await compareHotPath(bench, SETTINGS))]
}

function sectionOf(counts: Counts, seconds: number, lines: readonly Line[]): Section {
  const { mensagens, chaves, bytes } = counts
  return {
    title: `Sizes: ${figure(CONTAS)} contas in one database`,
    lines: [
      shown('messages; keys of WhatsApp', `${figure(mensagens)}; ${figure(chaves)}`),
      shown('size of the database; generated in', `${figure(bytes / 1e9, 'GB')}; ${figure(Math.round(seconds), 's')}`),
      ...lines,
    ],
    notes: [
      'One process of the product has 1,000 of the bots, as one of ten nodes. The rows are generated; the largest account has 48,000 messages, the smallest 54, over 181 days. PostgreSQL: shared_buffers 1 GB, otherwise as embedded.',
    ],
  }
}

/** A database as large as that of 10,000 contas, in a folder that is deleted afterwards. Needs 25 GB of disk. */
export async function measureSizes(): Promise<Section[]> {
  const { bavail, bsize } = await statfs(tmpdir())
  if (bavail * bsize < FREE_MIN) throw new Error(`less than ${figure(FREE_MIN / 1e9, 'GB')} free in ${tmpdir()}`)
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-bench-'))
  ensureDataDir(dataDir)
  try {
    const { counts, seconds } = await run(dataDir, FILLING, async (bench) => {
      await prepare(bench)
      const filled = await secondsOf(() => fill(bench.server, Date.now()))
      return { counts: filled.result, seconds: filled.seconds }
    })
    // Otherwise the first checkpoint of the measured server writes what the generation left.
    spawnSync('sync', ['-f', dataDir])
    const lines = await run(dataDir, SETTINGS, measureFilled)
    return [sectionOf(counts, seconds, lines)]
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
