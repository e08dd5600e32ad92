import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedServer, ensureDataDir, startEmbedded, urlOf } from '@balcao/server/bench'
import { type ApiClient, createApiClient } from '@balcao/e2e/api.ts'
import { at, loginToApi, until } from '@balcao/e2e/ready-conta.ts'
import { start, type Started } from '../start.ts'

export const ADMIN = { email: 'admin@teste.local', senha: 'senha-do-admin-1' }
export const APP_SECRET = 'segredo-do-banco-de-provas-com-43-letras-ou-mais'
const PASSWORD = 'pao-quente-da-casa'

/** A PostgreSQL server for processes of the product, and its folder. */
export interface BenchServer {
  readonly server: EmbeddedServer
  readonly dataDir: string
}

/** Runs `work` with an empty PostgreSQL server, which is deleted afterwards. */
export async function withServer<T>(
  settings: Readonly<Record<string, string>>,
  work: (bench: BenchServer) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join('/tmp', 'balcao-bench-'))
  ensureDataDir(dataDir)
  const server = await startEmbedded({ dataDir, say: () => undefined, settings })
  try {
    return await work({ server, dataDir })
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export interface BenchFleet {
  /** Running nodes by name. */
  readonly nodes: Map<string, Started>
  readonly add: () => Promise<Started>
  readonly close: () => Promise<void>
}

export function createFleet(server: EmbeddedServer, env: Readonly<Record<string, string>> = {}): BenchFleet {
  const folders: string[] = []
  const nodes = new Map<string, Started>()
  return {
    nodes,
    add: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'balcao-bench-no-'))
      folders.push(folder)
      const name = `no${folders.length}`
      const node = await start(folder, {
        ...{ DATABASE_URL: urlOf(server), APP_SECRET, NO_NOME: name },
        ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_SENHA: ADMIN.senha },
        ...env,
      })
      nodes.set(name, node)
      return node
    },
    close: async () => {
      for (const { child } of nodes.values()) await kill(child)
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/**
 * Creates contas whose bots are connected to the simulador. The nodes take turns with the contas. Returns the token of
 * each owner.
 */
export async function createBots(nodes: readonly Started[], count: number): Promise<readonly string[]> {
  const [first] = nodes
  if (first === undefined) throw new Error('a fleet needs a node')
  const { api: admin } = await loginToApi(first.url, ADMIN.email, ADMIN.senha)
  const tokens: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { url } = nodes[n % nodes.length] ?? first
    const email = `dona${n}@loja.test`
    await admin.post('/admin/usuarios', { nome: `Dona ${n}`, email, senha: PASSWORD, telefone: '', empresa: 'Padaria' })
    const token = String(at(await createApiClient(url).post('/auth/login', { email, senha: PASSWORD }), 'token'))
    await connectBot(createApiClient(url, token))
    tokens.push(token)
  }
  return tokens
}

async function connectBot(api: ApiClient): Promise<void> {
  const config = Object(at(await api.get('/config'), 'config'))
  const menu = { ...config.menu, digitando: false }
  await api.put('/config', { ...config, menu, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
  await api.post('/bot/iniciar')
  await until(async () => (await api.status('POST', '/simulador/escanear')) === 200, 20)
}
