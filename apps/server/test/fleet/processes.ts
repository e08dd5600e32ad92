import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '#test/bot/program.ts'
import { ADMIN_LOGIN, loginAt, sendRequest, type TestUser, waitUntil } from '#test/app.ts'

// The product's entry point with its compile cache, because these tests start dozens of processes.
const MAIN = join(import.meta.dirname, '..', '..', 'start.mjs')
const SECRET = 'segredo-de-uma-frota-de-teste-com-43-letras'

export interface NodeProcess {
  readonly name: string
  readonly url: string
  readonly dataDir: string
  readonly pid: () => number | undefined
  /** Text that the process printed, over all its starts. */
  readonly output: () => string
  readonly running: () => boolean
  /** Resolves when the node is ready. `env` counts for this start only. */
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<void>
  /** Resolves with the signal that ended the process, or null after an exit. */
  readonly exited: () => Promise<NodeJS.Signals | null>
  readonly kill: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
  /** SIGTERM. Resolves with the exit code. */
  readonly terminate: () => Promise<number | null>
  readonly login: (email?: string, senha?: string) => Promise<TestUser>
}

export interface Processes {
  readonly nodes: readonly NodeProcess[]
  /** URLs of the running nodes. */
  readonly urls: () => string[]
  /** Adds a node and starts it. */
  readonly add: (env?: Readonly<Record<string, string>>) => Promise<NodeProcess>
  readonly close: () => Promise<void>
}

export interface ProcessesOptions {
  /** DATABASE_URL of all nodes, or a function that returns the one of the node with this number. */
  readonly databaseUrl: string | ((n: number) => string)
  readonly size: number
  readonly env?: Readonly<Record<string, string>>
  /** Entry point of the node with this number. Default: this program's. */
  readonly main?: (n: number) => string
}

/** Starts `size` processes of the product on one database, each with its own data folder. */
export async function startProcesses({
  databaseUrl,
  size,
  env = {},
  main = () => MAIN,
}: ProcessesOptions): Promise<Processes> {
  const nodes: NodeProcess[] = []
  const add: Processes['add'] = async (extra = {}) => {
    const n = nodes.length
    const url = typeof databaseUrl === 'string' ? databaseUrl : databaseUrl(n)
    const node = await createNode(`no${n}`, main(n), { DATABASE_URL: url, ...env, ...extra })
    nodes.push(node)
    await node.start()
    return node
  }
  const close = async (): Promise<void> => {
    for (const node of nodes) await node.kill()
    for (const { dataDir } of nodes) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    while (nodes.length < size) await add()
  } catch (error) {
    await close()
    throw error
  }
  return { nodes, urls: () => nodes.filter((node) => node.running()).map(({ url }) => url), add, close }
}

/** The first start applies all migrations, on a machine that runs other tests. */
const START_MS = 120_000

async function createNode(name: string, main: string, env: Readonly<Record<string, string>>): Promise<NodeProcess> {
  const dataDir = await mkdtemp('/tmp/balcao-no-')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null
  let output = ''
  const fixed = { PORT: String(port), DATA_DIR: dataDir, NO_NOME: name }
  const exited = async (): Promise<NodeJS.Signals | null> => {
    const ending = child
    if (ending !== null && ending.exitCode === null && ending.signalCode === null)
      await new Promise((resolve) => ending.once('exit', resolve))
    return ending?.signalCode ?? null
  }
  const running = (): boolean => child !== null && child.exitCode === null && child.signalCode === null
  const start: NodeProcess['start'] = async (extra = {}) => {
    child = spawnNode(main, { ...fixed, ...env, ...extra }, (text) => (output += text))
    await waitUntil(async () => {
      if (!running()) throw new Error(`node ${name} ended with ${child?.exitCode ?? child?.signalCode}:\n${output}`)
      return isReady(url)
    }, START_MS)
  }
  return {
    ...{ name, url, dataDir, running, start, exited },
    pid: () => child?.pid,
    output: () => output,
    kill: async () => {
      child?.kill('SIGKILL')
      await exited()
    },
    signal: (signal) => void child?.kill(signal),
    terminate: async () => {
      child?.kill('SIGTERM')
      await exited()
      return child?.exitCode ?? null
    },
    login: (email = ADMIN_LOGIN.email, senha = ADMIN_LOGIN.senha) => loginAt(url, email, senha),
  }
}

function spawnNode(main: string, env: Readonly<Record<string, string>>, printed: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      APP_SECRET: SECRET,
      ADMIN_EMAIL: ADMIN_LOGIN.email,
      ADMIN_SENHA: ADMIN_LOGIN.senha,
      REQUISICOES_POR_CONTA: '100000',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed(chunk.toString()))
  return child
}

export function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/api/ready`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const LAST_OUTPUT = 4_000

/** Throws with the last output of a node that ended. */
export function requireRunning({ nodes }: Processes): void {
  const ended = nodes.find((node) => !node.running())
  if (ended !== undefined) throw new Error(`node ${ended.name} ended:\n${ended.output().slice(-LAST_OUTPUT)}`)
}

/** Requests of a login to one node. */
export function at({ url }: Pick<NodeProcess, 'url'>, { token }: Pick<TestUser, 'token'>): Pick<TestUser, 'request'> {
  return {
    request: async (method, path, body) => {
      const { status, body: answer } = await sendRequest(url, method, path, { token, body })
      return { status, body: answer }
    },
  }
}
