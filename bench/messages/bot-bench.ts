import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { defaultConfig } from '@balcao/contract/defaults'
import type { Config } from '@balcao/contract/entities/config'
import { createSimulador } from '@balcao/server/src/adapters/simulador/connector.ts'
import type { BotDeps } from '@balcao/server/src/bot/deps.ts'
import { type BotRuntime, createBotRuntime, type RuntimeOptions } from '@balcao/server/src/bot/runtime.ts'
import { createPool } from '@balcao/server/src/db/connection.ts'
import { ensureDataDir, startEmbedded } from '@balcao/server/src/db/embedded/supervisor.ts'
import { APP_ROLE, migrate } from '@balcao/server/src/db/migrate.ts'
import { createDatabase, type Database } from '@balcao/server/src/db/transaction.ts'
import { createIds } from '@balcao/server/src/ids.ts'
import { serializeConfig } from '@balcao/server/src/modules/configuracao/stored-config.ts'
import type { Ai } from '@balcao/server/src/ports/ai.ts'
import type { Ids } from '@balcao/server/src/ports/ids.ts'
import type { OutboundMessage } from '@balcao/connector/port'
import { createVault } from '@balcao/server/src/security/vault.ts'

interface ContaOptions {
  readonly bot?: boolean
  readonly config?: Config
}

interface BotBenchOptions extends RuntimeOptions {
  readonly ai?: Ai
}

/** The bot runtime on the embedded database with production settings, in this process and without HTTP. */
export interface BotBench {
  readonly db: Database
  readonly ids: Ids
  readonly deps: BotDeps
  readonly runtime: BotRuntime
  readonly dataDir: string
  readonly onPhoneMessage: (listener: (mensagem: OutboundMessage) => void) => void
  /** Creates a conta. Its bot is connected unless `bot` is false. */
  readonly createConta: (opcoes?: ContaOptions) => Promise<string>
  /** Updates the planner statistics while the outbox is empty. */
  readonly analyze: () => Promise<void>
  readonly commitOneRow: () => Promise<void>
  readonly close: () => Promise<void>
}

const noIa: Ai = { answer: () => Promise.resolve({ tipo: 'falha', motivo: 'sem IA' }) }

/** Each text contains the customer's name, so a reply in the wrong conversa is detected. */
export function benchConfig(): Config {
  const config = defaultConfig()
  return {
    ...config,
    whatsapp: { ...config.whatsapp, conector: 'simulador', clientId: 'bench' },
    menu: {
      ...config.menu,
      digitando: false,
      menuPrincipal:
        'Menu de {nome}. Escolha um número para continuar, por favor:\n1 - Horários\n2 - Endereço\n0 - Sair',
      opcoes: [
        {
          numero: '1',
          titulo: 'Horários',
          tipo: 'mensagem',
          resposta: '{nome}, abrimos de segunda a sexta, das 8h às 18h.',
        },
        {
          numero: '2',
          titulo: 'Endereço',
          tipo: 'mensagem',
          resposta: '{nome}, estamos na Rua das Flores, 123, Centro.',
        },
        { numero: '0', titulo: 'Sair', tipo: 'finalizar', resposta: '' },
      ],
      mensagens: {
        ...config.menu.mensagens,
        boasVindas: 'Olá, {nome}! Bem-vindo à nossa loja.',
        semEntender: 'Desculpe, {nome}, não entendi.',
        despedida: 'Até logo, {nome}!',
      },
    },
  }
}

export async function openBotBench({ ai = noIa, ...options }: BotBenchOptions = {}): Promise<BotBench> {
  const dataDir = await mkdtemp(join('/tmp', 'balcao-bench-'))
  ensureDataDir(dataDir)
  const server = await startEmbedded({ dataDir, say: () => undefined })
  const owner = createPool(server.target, { max: 1, statementTimeoutMs: 60_000 })
  await migrate(owner)
  await owner.query(
    'create table regua (id bigint generated always as identity primary key, em timestamptz default now())',
  )
  const log = pino({ level: process.env['LOG_LEVEL'] ?? 'warn' })
  const db = createDatabase({ pool: createPool(server.target, { role: APP_ROLE }), log })
  const clock = { now: () => new Date() }
  const ids = createIds(clock)
  const { factory, telefone } = createSimulador()
  let listener: (mensagem: OutboundMessage) => void = () => {}
  const deps: BotDeps = {
    db,
    clock,
    ids,
    log,
    vault: createVault('segredo do banco de provas'),
    settings: { urlPublica: 'http://localhost', conectorPadrao: 'simulador', dataDir, metricsToken: null },
    realtime: { publish: () => {}, openConversa: (_, count) => void count(), disconnect: () => {} },
    bus: { publish: () => {}, subscribe: () => () => {} },
    ai,
    connectors: {
      simulador: (host) => {
        const connector = factory(host)
        return {
          ...connector,
          send: async (mensagem) => {
            await connector.send(mensagem)
            listener(mensagem)
          },
        }
      },
    },
    phone: telefone,
    crashPoint: () => {},
    node: 'bench',
    exclusive: true,
  }
  const runtime = createBotRuntime(deps, options)
  await runtime.start()
  return {
    db,
    ids,
    deps,
    runtime,
    dataDir,
    onPhoneMessage: (fresh) => {
      listener = fresh
    },
    createConta: ({ bot = true, config = benchConfig() } = {}) => insertBenchConta(deps, config, bot ? runtime : null),
    analyze: async () => {
      await owner.query('vacuum analyze')
    },
    commitOneRow: async () => {
      await owner.query('insert into regua default values')
    },
    close: async () => {
      await runtime.stop()
      await db.end()
      await owner.end()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function insertBenchConta(deps: BotDeps, config: Config, runtime: BotRuntime | null): Promise<string> {
  const { db, ids } = deps
  const contaId = ids.uuid()
  await db.transaction(contaId, async (tx) => {
    await tx.query(
      `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', 1000000, '{}')`,
      [contaId],
    )
    await tx.query(`insert into configuracoes (conta_id, versao, dados, autor) values ($1, 1, $2, 'bench')`, [
      contaId,
      serializeConfig(deps, contaId, config),
    ])
  })
  if (runtime === null) return contaId
  await runtime.bots.start(contaId)
  for (;;) {
    const { status } = await runtime.bots.status(contaId)
    if (status === 'CONECTADO') return contaId
    if (status === 'AGUARDANDO_QR') await runtime.simulador.scan(contaId)
    else await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
