import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { BotStatus, ConversaAtiva, StatusBot } from '@balcao/contract/entities/bot-status'
import { type ConectorTipo, CONNECTORS } from '@balcao/contract/connectors'
import { hasBotSession, isBotRunning } from '@balcao/contract/bot-status'
import { type Log, tipoLogSchema } from '@balcao/contract/entities/log'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { type BotRow, findBot, shownMotivo, shownStatus } from '#modules/bot/index.ts'
import type { AccountContext } from '#modules/ia/index.ts'
import type { LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'

const ACTIVE_MAX = 100

const listActive = manyRows(
  'bot: list active contatos',
  z.object({
    id: z.string(),
    telefone: z.string(),
    nome: z.string(),
    etapa: z.nullable(z.string()),
    ultimaAtividade: instant,
  }),
  sql`select c.id, c.telefone, c.nome, c.estado->>'etapa' as etapa, c.ultima_atividade
      from contatos c join conversas v on v.conta_id = c.conta_id and v.id = c.conversa_id
      where c.conta_id = ${contaId} and c.ultima_atividade > ${value('since', 'timestamptz')} and v.status <> 'finalizada'
      order by c.ultima_atividade desc limit ${rawSql(String(ACTIVE_MAX))}`,
)

const listLogs = manyRows(
  'bot: list last logs',
  z.object({
    id: z.string(),
    tipo: tipoLogSchema,
    mensagem: z.string(),
    detalhes: z.nullable(z.union([z.string(), z.record(z.string(), z.unknown())])),
    timestamp: instant,
  }),
  sql`select id, tipo, mensagem, detalhes, timestamp from logs where conta_id = ${contaId}
      order by id desc limit ${rawSql(String(LOGS_MANTIDOS))}`,
)

const CONTAS_CACHED = 1_000
/** Reading the status lists costs two scans, so one read per conta is cached for all clients. */
const LISTS_TTL_MS = 2_000
const CHANGED_LISTS_TTL_MS = 250

interface StatusLists {
  readonly conversasAtivas: ConversaAtiva[]
  readonly logs: Log[]
}

interface CachedLists {
  readonly readAt: number
  readonly lists: Promise<StatusLists>
  changed: boolean
}

export interface ContextSource {
  readonly get: (contaId: string) => Promise<AccountContext>
}

export class BotStatuses {
  readonly #deps: Pick<BotDeps, 'db' | 'clock'>
  readonly #contexts: ContextSource
  readonly #lists = new LRUCache<string, CachedLists>({ max: CONTAS_CACHED })

  constructor(deps: Pick<BotDeps, 'db' | 'clock'>, contexts: ContextSource) {
    this.#deps = deps
    this.#contexts = contexts
  }

  async get({ contaId, linhaId }: LineKey): Promise<BotStatus> {
    const { config, manutencao, linhas } = await this.#contexts.get(contaId)
    const saved = linhas.find(({ id }) => id === linhaId)?.conector ?? config.whatsapp.conector
    const [bot, lists] = await Promise.all([
      this.#deps.db.transaction(contaId, (tx) => findBot(tx, { contaId, linhaId })),
      this.#listsOf(contaId, config.menu.expiraEmMinutos),
    ])
    return { ...toBotStatus(bot, lists, manutencao), modoTeste: isSimulated(bot, saved) }
  }

  listsChanged(contaId: string): void {
    const cached = this.#lists.get(contaId)
    if (cached !== undefined) cached.changed = true
  }

  forgetLists(contaId: string): void {
    this.#lists.delete(contaId)
  }

  #listsOf(contaId: string, expiraEmMinutos: number): Promise<StatusLists> {
    const { db, clock } = this.#deps
    const cached = this.#lists.get(contaId)
    const ttlMs = cached?.changed === true ? CHANGED_LISTS_TTL_MS : LISTS_TTL_MS
    if (cached !== undefined && performance.now() - cached.readAt < ttlMs) return cached.lists
    const since = new Date(clock.now().getTime() - expiraEmMinutos * 60_000)
    const lists = db.transaction(contaId, async (tx) => ({
      conversasAtivas: await listActiveConversas(tx, contaId, since),
      logs: await listLastLogs(tx, contaId),
    }))
    this.#lists.set(contaId, { readAt: performance.now(), lists, changed: false })
    lists.catch(() => this.#lists.delete(contaId))
    return lists
  }
}

async function listActiveConversas(tx: Tx, contaId: string, since: Date): Promise<ConversaAtiva[]> {
  const rows = await listActive(tx, { contaId, since })
  return rows.map(({ etapa, ...row }) => ({ ...row, ...(etapa === null ? {} : { etapa }) }))
}

async function listLastLogs(tx: Tx, contaId: string): Promise<Log[]> {
  const rows = await listLogs(tx, { contaId })
  return rows.map(({ detalhes, ...row }) => ({ ...row, ...(detalhes === null ? {} : { detalhes }) }))
}

/** A running session keeps its connector until the next start, so the saved one counts only without a session. */
function isSimulated(bot: BotRow | null, saved: ConectorTipo): boolean {
  const used = bot !== null && hasBotSession(shownStatus(bot)) ? bot.conector : saved
  return CONNECTORS[used].pairing === 'simulated'
}

function toBotStatus(bot: BotRow | null, lists: StatusLists, manutencao: boolean): Omit<BotStatus, 'modoTeste'> {
  const status = shownStatus(bot)
  const shown = { status, isRunning: isBotRunning(status), inicializado: hasBotSession(status) }
  if (bot === null) return { ...shown, qrCode: null, qr: null, ...lists }
  const { conector, conectadoComo } = bot
  const motivo = shownMotivo(bot, manutencao)
  return {
    ...shown,
    ...(motivo === null ? {} : { motivo }),
    ...qrCodeOf(bot, status),
    ...(conectadoComo === null ? {} : { conectadoComo }),
    conector,
    ...lists,
  }
}

function qrCodeOf(bot: BotRow, status: StatusBot): Pick<BotStatus, 'qrCode' | 'qr' | 'qrExpiraEm'> {
  const { qrCode, qrExpiraEm: expiresAt } = bot
  if (status !== 'AGUARDANDO_QR' || qrCode === null) return { qrCode: null, qr: null }
  return { qrCode, qr: qrCode, ...(expiresAt === null ? {} : { qrExpiraEm: expiresAt.toISOString() }) }
}
