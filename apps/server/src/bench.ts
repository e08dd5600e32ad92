import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Client, Pool } from 'pg'
import type { OutboundMessage } from '@balcao/connector/port'
import type { Config } from '@balcao/contract/entities/config'
import { createMemoryBus } from '#adapters/bus.ts'
import { createSimulador, createSimuladorPhone } from '#adapters/simulador/connector.ts'
import { createStorage } from '#adapters/storage.ts'
import type { BotDeps } from '#bot/deps.ts'
import { type BotRuntime, createBotRuntime, type RuntimeOptions } from '#bot/runtime.ts'
import { createPostgresBus } from '#adapters/postgres/bus.ts'
import { type ConnectionTarget, createPool } from '#db/connection.ts'
import { type EmbeddedServer, ensureDataDir, startEmbedded } from '#db/embedded/supervisor.ts'
import { connectDirect } from '#db/nodes/direct-connection.ts'
import { Primary } from '#db/nodes/primary.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
export { firstLine } from '#db/statement/line.ts'
import { noRows } from '#db/statement/statement.ts'
import { createDatabase, type Database } from '#db/transaction.ts'
import { createMetrics } from '#http/ops/metrics/metrics.ts'
import { indexRound } from '#modules/busca/index.ts'
import { type CountPrices, createPriceCounter } from '#modules/custos/index.ts'
import { createFonteReader, searchFontes } from '#modules/fontes/index.ts'
import { NodeRegistry } from '#modules/nos/index.ts'
import { deleteOldRows } from '#modules/retencao/index.ts'
import { serializeConfig } from '#modules/configuracao/stored-config.ts'
import type { Ai } from '#ports/ai.ts'
import type { LineKey } from '#ports/bots.ts'
import type { Ids } from '#ports/ids.ts'
import type { Realtime } from '#ports/realtime.ts'
import { NO_REALTIME } from '#realtime/publishing.ts'
import { createVault } from '#security/vault.ts'
import { createIds } from './ids.ts'

/** Entry point of the benchmarks. Like composition.ts, it imports adapters and the bot. */
export type { OutboundMessage } from '@balcao/connector/port'
export type { BotContext } from '@balcao/engine/context'
export { reachesCustomer } from '@balcao/engine/effect'
export { parseState } from '@balcao/engine/stored-state/parse'
export { step } from '@balcao/engine/step'
export type { Ai } from '#ports/ai.ts'
export type { Realtime } from '#ports/realtime.ts'
export type { RuntimeOptions } from '#bot/runtime.ts'
export { createPostgresBus, type PostgresBus } from '#adapters/postgres/bus.ts'
export { connectDirect } from '#db/nodes/direct-connection.ts'
export type { PoolClient } from 'pg'
export { createPool } from '#db/connection.ts'
export { type EmbeddedServer, ensureDataDir, findEmbedded, startEmbedded } from '#db/embedded/supervisor.ts'
export { createVault } from '#security/vault.ts'
export { createIa } from '#adapters/ia/ia.ts'
export { chromeArguments } from '#adapters/navegador/browser/library.ts'
export { endProfileProcesses, findProfileProcesses, memoryOf } from '#adapters/navegador/browser/processes.ts'
export type { OficialPrice } from '#ports/oficial.ts'
export type { Tx } from '#db/transaction.ts'
export { collectWhenIdle } from '#http/ops/idle-memory.ts'

interface BotBenchOptions extends RuntimeOptions {
  readonly config: Config
  readonly ai?: Ai
  /** Replaces each database of the runtime, for example by one that counts. */
  readonly observe?: (db: Database) => Database
  /** Whether browsers of a conta are connected. Default: never. */
  readonly watched?: Realtime['watched']
  /** As one of two nodes: with packets to another one, and pools that check their server. Default: alone. */
  readonly withOtherNode?: boolean
  readonly published?: Realtime['publish']
  /** A running server and its folder, which stay. Default: a new server, deleted by `close`. */
  readonly on?: { readonly server: EmbeddedServer; readonly dataDir: string }
}

interface ContaOptions {
  readonly bot?: boolean
  readonly config?: Config
  /** Number of lines. Default: 1. */
  readonly lines?: number
}

/** The bot runtime on the embedded database with production settings, in this process and without HTTP. */
export interface BotBench {
  readonly db: Database
  readonly ids: Ids
  readonly runtime: BotRuntime
  readonly dataDir: string
  readonly onPhoneMessage: (listener: (mensagem: OutboundMessage) => void) => void
  readonly createConta: (options?: ContaOptions) => Promise<string>
  /** Ids of the lines of a conta, the first line first. */
  readonly linesOf: (contaId: string) => readonly string[]
  readonly analyze: () => Promise<void>
  readonly commitOneRow: () => Promise<void>
  readonly close: () => Promise<void>
}

const noAi: Ai = { answer: () => Promise.resolve({ tipo: 'falha', motivo: 'sem IA' }) }

export async function openBotBench(options: BotBenchOptions): Promise<BotBench> {
  const { server, dataDir } = options.on ?? (await startNewServer())
  const owner = createPool(server.target, { max: 1, statementTimeoutMs: 60_000 })
  await migrate(owner)
  await owner.query(
    'create table if not exists regua (id bigint generated always as identity primary key, em timestamptz default now())',
  )
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' })
  const { target, bus, closeBus } = await connectNode(server, options)
  const db = createDatabase({ pool: createPool(target, { role: APP_ROLE }), log })
  const reservedDb = createDatabase({ pool: createPool(target, { role: APP_ROLE, max: 3 }), log })
  let listener: (mensagem: OutboundMessage) => void = () => {}
  const observe = options.observe ?? ((same: Database) => same)
  const { ai = noAi, published = NO_REALTIME.publish, watched = NO_REALTIME.watched } = options
  const realtime = { ...NO_REALTIME, watched, publish: published }
  const databases = { db: observe(db), reservedDb: observe(reservedDb) }
  const deps = benchDeps({ ...databases, log, dataDir, ai, realtime, bus, sent: (mensagem) => listener(mensagem) })
  const runtime = createBotRuntime(deps, options)
  await deps.fleet.join()
  await runtime.start()
  const lines = new Map<string, readonly string[]>()
  return {
    ...{ db, ids: deps.ids, runtime, dataDir },
    linesOf: (contaId) => lines.get(contaId) ?? [contaId],
    onPhoneMessage: (fresh) => void (listener = fresh),
    createConta: async ({ bot = true, config = options.config, lines: count = 1 } = {}) => {
      const contaId = await insertConta(deps, config)
      lines.set(contaId, await insertLines(deps, contaId, count))
      if (bot) for (const linhaId of lines.get(contaId) ?? []) await connectBot(runtime, { contaId, linhaId })
      return contaId
    },
    analyze: async () => void (await owner.query('vacuum analyze')),
    commitOneRow: async () => void (await owner.query('insert into regua default values')),
    close: async () => {
      await runtime.stop()
      await deps.fleet.leave()
      await closeBus()
      await Promise.all([db.end(), reservedDb.end()])
      await owner.end()
      if (options.on !== undefined) return
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function startNewServer(): Promise<Required<BotBenchOptions>['on']> {
  const dataDir = await mkdtemp(join('/tmp', 'balcao-bench-'))
  ensureDataDir(dataDir)
  return { server: await startEmbedded({ dataDir, say: () => undefined }), dataDir }
}

/** Deletes the expired rows of all contas once, without the bytes of their files. Returns the number of deleted rows. */
export function deleteExpiredOn(on: Required<BotBenchOptions>['on'], secret: string): Promise<number> {
  const { server, dataDir } = on
  return onDatabase(createPool(server.poolTarget, { role: APP_ROLE }), (base) => {
    const files = createStorage({ arquivosDir: join(dataDir, 'arquivos') })
    const deps = { ...base, files, ids: createIds(base.clock), vault: createVault(secret), realtime: NO_REALTIME }
    return deleteOldRows(deps)
  })
}

type TaskDeps = Pick<BotDeps, 'db' | 'log' | 'clock'>

/** Runs one task of the product on the pool, which ends with it. */
async function onDatabase<T>(pool: Pool, work: (deps: TaskDeps) => Promise<T>): Promise<T> {
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' })
  const db = createDatabase({ pool, log })
  try {
    return await work({ db, log, clock: { now: () => new Date() } })
  } finally {
    await db.end()
  }
}

/** Counts the messages that the statuses of webhooks price, as the webhooks of Meta do. */
export function openPriceCounter({ db, ids }: Pick<BotBench, 'db' | 'ids'>): CountPrices {
  return createPriceCounter({ db, ids, clock: { now: () => new Date() }, realtime: NO_REALTIME })
}

/** Reads the sources that wait, as a node does. `stop` ends the reading. */
export function startFonteReader({ db }: Pick<BotBench, 'db'>): { readonly stop: () => Promise<void> } {
  const reader = createFonteReader({
    ...{ db, clock: { now: () => new Date() }, realtime: NO_REALTIME, log: pino({ level: 'warn' }) },
    ...{ crashPoint: () => {}, vault: createVault('segredo do banco de provas') },
    embeddings: { spaceOf: () => ({ modelo: '', numbers: 0 }), embed: () => Promise.resolve(null) },
    sites: { ask: () => Promise.reject(new Error('no sites in a benchmark')) },
  })
  reader.start()
  reader.wake()
  return { stop: reader.stop }
}

/** Searches the sources of a conta by words. Returns the number of found pieces. */
export async function searchKnowledge({ db }: Pick<BotBench, 'db'>, conta: string, pergunta: string): Promise<number> {
  const found = await searchFontes({ db, clock: { now: () => new Date() } }, { contaId: conta, pergunta, access: null })
  return found.length
}

/** Reads the words of all messages for the search, as the periodic task does, but without rests. */
export async function indexMensagens(target: ConnectionTarget): Promise<void> {
  await onDatabase(createPool(target, { role: APP_ROLE, max: 2 }), async (base) => {
    let open = true
    while (open) open = await indexRound({ ...base, sleep: () => Promise.resolve() }, () => false)
  })
}

async function connectNode(server: EmbeddedServer, { withOtherNode }: BotBenchOptions) {
  if (withOtherNode !== true)
    return { target: server.poolTarget, bus: createMemoryBus(), closeBus: () => Promise.resolve() }
  const seal = createVault('segredo do banco de provas')
  const connect = (): Promise<Client> => connectDirect(server.target)
  const [here, other] = ['bench', 'other'].map((node) => createPostgresBus({ connect, node, seal, log: pino() }))
  if (here === undefined || other === undefined) throw new Error('two nodes have two buses')
  await Promise.all([here.start(), other.start()])
  return {
    target: { primary: new Primary(urlOf(server)) },
    bus: here,
    closeBus: async () => void (await Promise.all([here.close(), other.close()])),
  }
}

export function urlOf({ target }: Pick<EmbeddedServer, 'target'>): string {
  const { user, password = '', host, database } = target
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}`
}

interface BenchParts extends Pick<BotDeps, 'db' | 'reservedDb' | 'log' | 'ai' | 'realtime' | 'bus'> {
  readonly dataDir: string
  readonly sent: (mensagem: OutboundMessage) => void
}

function benchDeps(parts: BenchParts): BotDeps & { readonly fleet: NodeRegistry } {
  const { db, reservedDb, log, ai, realtime, bus, dataDir, sent } = parts
  const clock = { now: () => new Date() }
  const { factory, phones } = createSimulador()
  const settings = { urlPublica: 'http://localhost', conectorPadrao: 'simulador', dataDir, metricsToken: null } as const
  const base = { reservedDb, clock, log, metrics: createMetrics(), settings }
  const row = { exclusive: true, sessions: () => [], bus: { sent: () => 0, compare: () => {} } }
  return {
    ...{ ...base, db, ids: createIds(clock), ai, realtime, bus, phones },
    mailQueued: () => {},
    vault: createVault('segredo do banco de provas'),
    fleet: new NodeRegistry(base, { ...row, id: randomUUID() }),
    connectors: {
      simulador: (host) => {
        const connector = factory(host)
        const send = async (mensagem: OutboundMessage): Promise<void> => {
          await connector.send(mensagem)
          sent(mensagem)
        }
        return { ...connector, send }
      },
    },
    crashPoint: () => {},
  }
}

const insertShop = noRows(
  'bench: insert conta',
  sql`with c as (
      insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos)
      values (${contaId}, 'Loja', 1000000, '{}'))
    insert into configuracoes (conta_id, versao, dados, autor) values (${contaId}, 1, ${value('dados', 'text')}::jsonb, 'bench')`,
)

async function insertConta(deps: BotDeps, config: Config): Promise<string> {
  const contaId = deps.ids.uuid()
  const dados = serializeConfig(deps, contaId, { config, linhas: {} })
  await deps.db.transaction(contaId, (tx) => insertShop(tx, { contaId, dados }))
  return contaId
}

const insertLine = noRows(
  'bench: insert line',
  sql`insert into linhas (conta_id, id, nome, conector, principal, criada_em)
      values (${contaId}, ${value('id', 'uuid')}, ${value('nome', 'text')}, ${value('conector', 'text?')},
        ${value('principal', 'bool')}, now())`,
)

async function insertLines({ db, ids }: BotDeps, contaId: string, count: number): Promise<readonly string[]> {
  if (count === 1) return [contaId]
  const further = Array.from({ length: count - 1 }, () => ids.uuid())
  await db.transaction(contaId, async (tx) => {
    await insertLine(tx, { contaId, id: contaId, nome: 'Principal', conector: null, principal: true })
    for (const id of further) await insertLine(tx, { contaId, id, nome: id, conector: 'simulador', principal: false })
  })
  return [contaId, ...further]
}

async function connectBot(runtime: BotRuntime, line: LineKey): Promise<void> {
  const { bots } = runtime
  const simulador = createSimuladorPhone(runtime)
  await bots.start(line)
  for (;;) {
    const { status } = await bots.status(line)
    if (status === 'CONECTADO') return
    if (status === 'AGUARDANDO_QR') await simulador.scan(line)
    else await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
