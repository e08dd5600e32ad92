import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BotBench, connectDirect, findEmbedded, openBotBench } from '@balcao/server/bench'
import { storeMensagens } from '@balcao/server/testing'
import { benchConfig } from './messages/config.ts'
import {
  createBenchCustomers,
  createCustomerPhones,
  type CustomerPhones,
  handInToRuntime,
  playScript,
  SCRIPT,
} from './messages/customers.ts'
import { pause, percentile } from './messages/meters.ts'
import { atMost, figure, type Section, shown } from './report.ts'

const CLI = join(import.meta.dirname, '..', 'apps', 'server', 'src', 'cli.ts')
const BYTES = 2 ** 30
/** The copy stands still for one slice and works for the next. */
const SLICE_MS = 10_000
/** A message every 20 ms: 50 a second. */
const INTERVAL_MS = 20
const WARM_UP = 50

/** New customers write one message each, 50 a second, for one slice. Returns the milliseconds to each reply. */
async function writeSteadily(bench: BotBench, phones: CustomerPhones, goOn: () => boolean): Promise<number[]> {
  const contaId = await bench.createConta()
  const handIn = handInToRuntime(bench)
  const times: Promise<number[]>[] = []
  const start = performance.now()
  while (goOn() && performance.now() < start + SLICE_MS) {
    const missing = start + times.length * INTERVAL_MS - performance.now()
    if (missing > 0) await pause(missing)
    const [customer] = createBenchCustomers(contaId, 1)
    if (customer !== undefined) times.push(playScript(bench, phones, handIn, customer, SCRIPT.slice(0, 1)))
  }
  return (await Promise.all(times)).flat().slice(WARM_UP)
}

interface Measured {
  readonly alone: readonly number[]
  readonly during: readonly number[]
  /** Work of the copy, without the slices in which it stood still. */
  readonly seconds: number
}

/** Makes a scheduled copy, as the server does, and stops its process in every other slice. */
async function measureSlices(bench: BotBench, phones: CustomerPhones, copies: string): Promise<Measured> {
  const child = spawn(process.execPath, [CLI, 'copia'], {
    env: {
      ...process.env,
      DATA_DIR: bench.dataDir,
      COPIA_DIR: copies,
      BALCAO_BACKUP_CHAVE: 'chave do banco de provas',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const running = (): boolean => child.exitCode === null && child.signalCode === null
  const [alone, during]: [number[], number[]] = [[], []]
  let worked = 0
  while (running()) {
    child.kill('SIGSTOP')
    alone.push(...(await writeSteadily(bench, phones, running)))
    child.kill('SIGCONT')
    const start = performance.now()
    during.push(...(await writeSteadily(bench, phones, running)))
    worked += performance.now() - start
  }
  await exited
  if (child.exitCode !== 0) throw new Error(`copy ended with ${child.exitCode ?? child.signalCode}`)
  return { alone, during, seconds: worked / 1_000 }
}

async function fill({ dataDir }: BotBench): Promise<void> {
  const target = await findEmbedded({ dataDir })
  if (target === null) throw new Error('embedded database not found')
  const client = await connectDirect(target)
  await storeMensagens(client, BYTES)
  // A new row costs its first reader a write, which autovacuum has done long before a copy.
  await client.query('vacuum (analyze) mensagens')
  await client.end()
}

async function largestFile(folder: string): Promise<number> {
  const names = await readdir(folder)
  return Math.max(...(await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))))
}

export async function measureBackups(): Promise<Section[]> {
  const bench = await openBotBench({ config: benchConfig() })
  const phones = createCustomerPhones()
  bench.onPhoneMessage(phones.receive)
  const copies = await mkdtemp(join('/tmp', 'balcao-bench-copias-'))
  try {
    await fill(bench)
    await writeSteadily(bench, phones, () => true)
    const measured = await measureSlices(bench, phones, copies)
    return [section(measured, await largestFile(copies), phones.errors().length)]
  } finally {
    await bench.close()
    await rm(copies, { recursive: true, force: true })
  }
}

function section({ alone, during, seconds }: Measured, bytes: number, errors: number): Section {
  return {
    title: 'Backups: a scheduled copy while 50 messages a second pass',
    lines: [
      shown('copy, encrypted', figure(bytes / 2 ** 20, 'MiB')),
      shown('duration of the copy', figure(seconds, 's')),
      shown('reply without a copy, p50', figure(percentile(alone, 50), 'ms')),
      shown('reply without a copy, p99', figure(percentile(alone, 99), 'ms')),
      shown('reply during the copy, p50', figure(percentile(during, 50), 'ms')),
      shown('reply during the copy, p99', figure(percentile(during, 99), 'ms')),
      atMost('p99 during the copy over p99 without', percentile(during, 99) / percentile(alone, 99), 2, '×'),
      atMost('replies that were wrong, missing or twice', errors, 0, ''),
    ],
    notes: [
      `The process of the copy stands still in every other ${SLICE_MS / 1_000} s, so noise of the machine affects both.`,
    ],
  }
}
