import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import { createMemoryBus } from '#adapters/bus.ts'
import { createSimulador, createSimuladorPhone } from '#adapters/simulador/connector.ts'
import { createCrashPoints } from '#lib/crash-points.ts'
import type { BotDeps, BotTimings } from '#bot/deps.ts'
import { type BotRuntime, createBotRuntime } from '#bot/runtime.ts'
import type { Database } from '#db/transaction.ts'
import { createMetrics } from '#http/ops/metrics/metrics.ts'
import { createIds } from '#ids.ts'
import { NodeRegistry } from '#modules/nos/index.ts'
import type { Ai } from '#ports/ai.ts'
import type { Bots } from '#ports/bots.ts'
import type { Bus } from '#ports/bus.ts'
import type { Connector, OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { Realtime } from '#ports/realtime.ts'
import type { Simulador } from '#ports/simulador.ts'
import { createVault } from '#security/vault.ts'
import { waitUntil } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { firstLine } from '#db/statement/line.ts'

export interface RecordedEvent {
  readonly contaId: string
  readonly event: string
  readonly payload: Record<string, unknown>
}

export interface DeliveredMessage extends OutboundMessage {
  readonly contaId: string
  readonly node: string
}

export interface TestNode {
  readonly runtime: BotRuntime & { readonly simulador: Simulador }
  readonly deps: BotDeps
  readonly stop: () => Promise<void>
}

export interface TestRuntime {
  readonly database: TestDatabase
  readonly delivered: DeliveredMessage[]
  readonly published: RecordedEvent[]
  /** Contas whose browsers were disconnected. */
  readonly disconnected: string[]
  readonly startNode: (nome: string, opcoes?: TestNodeOptions) => Promise<TestNode>
  readonly givenConta: (change?: (config: Config) => Config, limite?: number) => Promise<string>
  readonly setNow: (instant: Date | null) => void
  readonly close: () => Promise<void>
}

export interface TestNodeOptions {
  readonly timings?: BotTimings
  readonly ai?: Ai
  readonly exclusive?: boolean
  /** The node's clock is behind by this many milliseconds. */
  readonly behindMs?: number
  readonly bus?: Bus
  readonly db?: (db: Database) => Database
  /** Whether browsers of a conta are connected. Default: always. */
  readonly watched?: Realtime['watched']
  /** Default: the same as `db`. */
  readonly reservedDb?: Database
  readonly connector?: (connector: Connector, contaId: string, host: SessionHost) => Connector
}

const NEVER_MS = 3_600_000

/** The row of a node without a bus. */
export function createTestNode(
  deps: Pick<BotDeps, 'reservedDb' | 'clock' | 'log' | 'metrics' | 'settings'>,
  { exclusive, sessions }: { readonly exclusive: boolean; readonly sessions: Bots['sessions'] },
): NodeRegistry {
  const bus = { sent: () => 0, compare: () => undefined }
  return new NodeRegistry(deps, { id: randomUUID(), bus, exclusive, sessions, nodeRoundMs: 100 })
}

/** Inserts the row of a node that was found dead. Returns its id. */
export async function insertDeadNode({ owner }: Pick<TestDatabase, 'owner'>): Promise<string> {
  const id = randomUUID()
  await owner.query(
    `insert into nos (id, nome, versao, node, iniciado_em, visto_em, memoria, cpu, expira, morto_em, com_linhas)
     values ($1, 'morto', 'v', 'v', now(), now(), 0, 0, now(), now(), true)`,
    [id],
  )
  return id
}

/** Starts a node that neither takes bots nor looks after those that it is given. Returns its id. */
export async function startIdleNode(runtime: Pick<TestRuntime, 'startNode'>): Promise<string> {
  const { deps } = await runtime.startNode('parado', {
    bus: MUTE_BUS,
    timings: { renewMs: NEVER_MS, searchMs: NEVER_MS },
  })
  return deps.fleet.self
}

/** Gives the bot of a conta to another node, as after a long pause of this process. */
export async function giveBotTo({ owner }: Pick<TestDatabase, 'owner'>, contaId: string, node: string): Promise<void> {
  await owner.query('update bots set no = $2, epoca = epoca + 1 where conta_id = $1', [contaId, node])
}

/** Loses every packet. */
export const MUTE_BUS: Bus = { ...createMemoryBus(), publish: () => undefined }

export function testConfig(config: Config): Config {
  return {
    ...config,
    whatsapp: { ...config.whatsapp, conector: 'simulador', clientId: 'loja' },
    menu: {
      ...config.menu,
      menuPrincipal: 'MENU\n1 - Horários\n2 - Atendente\n3 - Eco\n0 - Sair',
      opcoes: [
        { numero: '1', titulo: 'Horários', tipo: 'mensagem', resposta: 'HORARIOS' },
        { numero: '2', titulo: 'Atendente', tipo: 'humano', resposta: 'PROTOCOLO {protocolo}', setor: 'geral' },
        { numero: '3', titulo: 'Eco', tipo: 'mensagem', resposta: 'ECO' },
        { numero: '0', titulo: 'Sair', tipo: 'finalizar', resposta: '' },
      ],
      mensagens: { ...config.menu.mensagens, boasVindas: 'OLA {nome}', semEntender: 'NAO ENTENDI', despedida: 'TCHAU' },
    },
  }
}

export async function insertConta(
  db: Database,
  contaId: string,
  { config, limite }: { config: Config; limite: number },
): Promise<void> {
  await db.transaction(contaId, async (tx) => {
    await tx.query(
      `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', $2, '{}')`,
      [contaId, limite],
    )
    await tx.query(`insert into configuracoes (conta_id, versao, dados, autor) values ($1, 1, $2, 'teste')`, [
      contaId,
      JSON.stringify(config),
    ])
  })
}

export async function createTestRuntime(limits: { readonly comPrazos?: boolean } = {}): Promise<TestRuntime> {
  const database = await createTestDatabase(limits)
  const folder = mkdtempSync('/tmp/balcao-bots-')
  const received: DeliveredMessage[] = []
  const publicados: RecordedEvent[] = []
  const disconnected: string[] = []
  const nos: TestNode[] = []
  const bus = createMemoryBus()
  let fixed: Date | null = null
  const clock = { now: () => (fixed === null ? new Date() : new Date(fixed)) }
  const ids = createIds({ now: () => new Date() })
  const realtime: Realtime = {
    publish: (contaId, evento, data) => void publicados.push({ contaId, event: evento, payload: { ...data } }),
    publishConversa: (contaId, evento, data) => void publicados.push({ contaId, event: evento, payload: { ...data } }),
    publishPerson: ({ contaId }, evento, data) =>
      void publicados.push({ contaId, event: evento, payload: { ...data } }),
    peopleHere: () => [],
    watched: () => true,
    hasRestricted: () => false,
    disconnect: (target) => {
      if ('contaId' in target) disconnected.push(target.contaId)
      return Promise.resolve()
    },
  }

  const no: TestRuntime['startNode'] = async (nome, opcoes = {}) => {
    // Nodes of one folder take each other for predecessors.
    const dataDir = mkdtempSync(join(folder, 'no-'))
    const { factory, phones } = createSimulador()
    const db = opcoes.db?.(database.db) ?? database.db
    const base = {
      ...{ db, reservedDb: opcoes.reservedDb ?? db, clock },
      log: pino({ level: 'silent' }),
      metrics: createMetrics(),
      settings: { urlPublica: 'http://loja.test', conectorPadrao: 'simulador', dataDir, metricsToken: null },
    } as const
    const fleet = createTestNode(base, { exclusive: opcoes.exclusive ?? false, sessions: () => bot.bots.sessions() })
    const deps: BotDeps = {
      ...base,
      fleet,
      ids: createIds({ now: () => new Date(Date.now() - (opcoes.behindMs ?? 0)) }),
      mailQueued: () => undefined,
      vault: createVault('segredo de teste'),
      realtime: { ...realtime, watched: opcoes.watched ?? realtime.watched },
      bus: opcoes.bus ?? bus,
      ai: opcoes.ai ?? { answer: () => Promise.resolve({ tipo: 'falha', motivo: 'nenhuma' }) },
      connectors: {
        simulador: (host) => {
          const base = factory(host)
          const connector = opcoes.connector?.(base, host.contaId, host) ?? base
          return {
            ...connector,
            send: async (mensagem) => {
              await connector.send(mensagem)
              received.push({ ...mensagem, contaId: host.contaId, node: nome })
            },
          }
        },
      },
      phones,
      crashPoint: createCrashPoints(undefined),
      timings: {
        renewMs: 100,
        searchMs: 100,
        pollMs: opcoes.timings?.renewMs ?? 100,
        balanceMs: NEVER_MS,
        retryWaitsMs: [20, 40, 60, 80],
        ...opcoes.timings,
      },
    }
    const bot = createBotRuntime(deps)
    const runtime = { ...bot, simulador: createSimuladorPhone(bot) }
    await fleet.join()
    await runtime.start()
    let stopped: Promise<void> | undefined
    const stop = (): Promise<void> => (stopped ??= runtime.stop().then(() => fleet.leave()))
    const done: TestNode = { runtime, deps, stop }
    nos.push(done)
    return done
  }

  return {
    database,
    delivered: received,
    published: publicados,
    disconnected,
    startNode: no,
    givenConta: async (change = (config) => config, limite = 1_000) => {
      const contaId = ids.uuid()
      await insertConta(database.db, contaId, { config: change(testConfig(defaultConfig())), limite })
      return contaId
    },
    setNow: (instant) => {
      fixed = instant
    },
    close: async () => {
      for (const done of nos) await done.stop()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function addOperador(
  { database }: Pick<TestRuntime, 'database'>,
  contaId: string,
  { id, nome }: { readonly id: string; readonly nome: string },
): Promise<void> {
  await database.owner.query(
    `insert into usuarios (id, conta_id, nome, email, tipo, status) values ($1::uuid, $2, $3, $1::text || '@loja.test', 'operador', 'ativo')`,
    [id, contaId, nome],
  )
}

export async function connectBot({ runtime }: TestNode, contaId: string): Promise<void> {
  await runtime.bots.start(firstLine(contaId))
  await waitUntil(async () => (await runtime.bots.status(firstLine(contaId))).status === 'AGUARDANDO_QR')
  await runtime.simulador.scan(firstLine(contaId))
}

let nextNumber = 0

export interface TestCustomer {
  readonly phone: string
  readonly name: string
  readonly says: (text: string, id?: string) => Promise<void>
}

export function createCustomer({ runtime }: TestNode, contaId: string, name = 'Ana'): TestCustomer {
  nextNumber += 1
  const telefone = `55119${String(20_000_000 + nextNumber)}`
  let mensagens = 0
  return {
    phone: telefone,
    name,
    says: (texto, id) => {
      mensagens += 1
      return runtime.simulador.receive(firstLine(contaId), {
        id: id ?? `${telefone}-${mensagens}`,
        endereco: telefone,
        telefone,
        nome: name,
        texto,
        enviadaEm: new Date(),
      })
    },
  }
}

export function textsOf(runtime: TestRuntime, phone: string): string[] {
  return runtime.delivered.filter(({ endereco }) => endereco === phone).map(({ texto }) => texto)
}
