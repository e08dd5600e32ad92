import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '@balcao/contract/entities/config'
import { type MensagemSimulada, mensagemSimuladaSchema } from '@balcao/contract/entities/simulador'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { ADMIN_LOGIN, loginAt, type TestApp, waitUntil } from '#test/app.ts'

// The product's entry point with its compile cache, because these tests start dozens of processes.
const MAIN = join(import.meta.dirname, '..', '..', 'start.mjs')

export interface Program {
  readonly url: string
  readonly request: TestApp['request']
  readonly exited: Promise<string | null>
  readonly kill: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
  readonly exitCode: () => number | null
  readonly terminate: () => Promise<number | null>
}

/** Returns a free port below the ephemeral range, so that the system does not assign it to a connection meanwhile. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 20_000)
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return free ? port : freePort()
}

export interface ProgramOptions {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly crashPoint?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** Default: a free port. */
  readonly port?: number
  /** Default: the first administrator. */
  readonly login?: { readonly email: string; readonly senha: string }
  readonly onOutput?: (chunk: string) => void
  /** Open file instead of `onOutput`. */
  readonly stdout?: number | 'ignore'
}

const isUp = (url: string): Promise<boolean> =>
  // Another process may hold the port and never answer.
  fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) }).then(
    (reply) => reply.ok,
    () => false,
  )

export function databaseUrl({ target }: Pick<TestDatabase, 'target'>): string {
  const { user, password, database, host, port } = target
  const where = new URLSearchParams({ host, ...(port === undefined ? {} : { port: String(port) }) })
  return `postgresql://${user}:${password}@/${database}?${where.toString()}`
}

/** Starts the process without waiting for its answer. */
export function spawnProgram({
  database,
  dataDir,
  crashPoint,
  env = {},
  port = 0,
  onOutput,
  stdout = 'ignore',
}: Omit<ProgramOptions, 'login'>): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(database),
      ADMIN_EMAIL: 'dona@loja.test',
      ADMIN_SENHA: 'senha-da-dona',
      LOG_LEVEL: 'error',
      ...(crashPoint === undefined ? {} : { FALHA: crashPoint }),
      ...env,
    },
    stdio: onOutput === undefined ? ['ignore', stdout, 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => onOutput?.(String(chunk)))
  return child
}

export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { login = ADMIN_LOGIN } = options
  const port = options.port ?? (await freePort())
  const processo = spawnProgram({ ...options, port })
  const morreu = new Promise<string | null>((resolve) => processo.once('exit', (_codigo, signal) => resolve(signal)))
  const url = `http://127.0.0.1:${port}`
  while (!(await isUp(url))) {
    const fim = processo.exitCode ?? processo.signalCode
    if (fim !== null) throw new Error(`program exited with ${fim}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const matar = async (): Promise<void> => {
    processo.kill('SIGKILL')
    await morreu
  }
  const { request } = await loginAt(url, login.email, login.senha).catch(async (failed: unknown) => {
    await matar()
    throw failed
  })
  return {
    ...{ url, request, exited: morreu, kill: matar },
    signal: (signal) => void processo.kill(signal),
    exitCode: () => processo.exitCode,
    terminate: async () => {
      processo.kill('SIGTERM')
      await morreu
      return processo.exitCode
    },
  }
}

const listSchema = z.object({ mensagens: z.array(mensagemSimuladaSchema) })
const configResponseSchema = z.object({ config: z.looseObject(configSchema.shape) })

/** A database and a data folder per test file, shared by all processes that it starts. */
export interface ProgramFixture {
  readonly database: TestDatabase
  readonly dataDir: string
  readonly start: (failure?: string) => Promise<Program>
  /** Leaves a bot connected to the simulador by a process that was killed. */
  readonly prepare: () => Promise<void>
}

/** `env` is of all processes. */
export function useProgramFixture(env: Readonly<Record<string, string>> = {}): () => ProgramFixture {
  let palco: ProgramFixture | undefined
  const started: Promise<Program>[] = []
  beforeAll(async () => {
    const database = await createTestDatabase()
    const dataDir = await mkdtemp('/tmp/balcao-programa-')
    const iniciar = async (failure?: string): Promise<Program> => {
      // A timed-out test keeps running after its file has finished.
      if (palco === undefined) throw new Error('program fixture already removed')
      const program = startProgram({ database, dataDir, env, crashPoint: failure })
      started.push(program)
      return program
    }
    palco = { database, dataDir, start: iniciar, prepare: async () => prepareBot(await iniciar()) }
  })
  afterAll(async () => {
    const last = palco
    palco = undefined
    for (const um of await Promise.allSettled(started)) if (um.status === 'fulfilled') await um.value.kill()
    await last?.database.drop()
    if (last !== undefined) await rm(last.dataDir, { recursive: true, force: true })
  })
  return () => {
    if (palco === undefined) throw new Error('program fixture not ready before the first test')
    return palco
  }
}

/** Connects a bot to the simulador and kills the process. */
export async function prepareBot({ request, kill }: Program): Promise<void> {
  const { config } = configResponseSchema.parse((await request('GET', '/config')).body)
  await request('PUT', '/config', { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
  await request('POST', '/bot/iniciar')
  await waitUntil(async () => (await request('POST', '/simulador/escanear')).status === 200)
  await kill()
}

export async function untilConnected({ request }: Program): Promise<void> {
  await waitUntil(async () => (await request('GET', '/bot/status')).body['status'] === 'CONECTADO')
}

export async function phoneMessages({ request }: Program, phone: string): Promise<readonly MensagemSimulada[]> {
  return listSchema.parse((await request('GET', `/simulador/mensagens?telefone=${phone}`)).body).mensagens
}
