import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, type Section } from './report.ts'

const MAIN = join(import.meta.dirname, '..', 'apps', 'server', 'start.mjs')
const RUNS = 3
const IDLE_MS = 15_000

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const endereco = server.address()
      server.close(() => resolve(endereco !== null && typeof endereco === 'object' ? endereco.port : 0))
    })
  })
}

export interface Started {
  readonly child: ChildProcess
  readonly url: string
  readonly ms: number
}

export async function start(dataDir: string, extra: Record<string, string> = {}): Promise<Started> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const inicio = performance.now()
  const processo = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...extra,
    },
    stdio: 'ignore',
  })
  for (;;) {
    if (processo.exitCode !== null) throw new Error(`product ended with ${processo.exitCode}`)
    const reply = await fetch(`${url}/api/health`).catch(() => null)
    if (reply?.ok === true) return { child: processo, url, ms: performance.now() - inicio }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
}

async function rssMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

export async function measureStart(): Promise<Section> {
  const primeiras: number[] = []
  const seguintes: number[] = []
  let ocioso = 0
  for (let vez = 0; vez < RUNS; vez += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'balcao-bench-'))
    const first = await start(dataDir)
    primeiras.push(first.ms)
    await stop(first)
    const next = await start(dataDir)
    seguintes.push(next.ms)
    if (vez === RUNS - 1) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
      ocioso = await rssMb(next.child.pid)
    }
    await stop(next)
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    title: 'Start and memory',
    lines: [
      atMost('first start, new database, to /api/health (median of 3)', median(primeiras), 4_000, 'ms'),
      atMost('later start to /api/health (median of 3)', median(seguintes), 2_000, 'ms'),
      atMost(`idle Node, resident, ${IDLE_MS / 1000} s after start`, ocioso, 160, 'MB'),
    ],
  }
}
