import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { LinkState } from '@balcao/connector/port'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { BotStatus, ConversaAtiva, MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'
import { type ConectorTipo, CONNECTORS } from '@balcao/contract/connectors'
import { hasBotSession, isBotRunning } from '@balcao/contract/bot-status'
import { type Log, tipoLogSchema } from '@balcao/contract/entities/log'
import { instant } from '#db/statement/fields.ts'
import { storedLine } from '#db/statement/line.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { type BotRow, findBot, shownMotivo, shownStatus } from '#modules/bot/index.ts'
import type { AccountContext } from '#modules/ia/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { readLines } from '#modules/linhas/index.ts'
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

const findServedOf = oneRow(
  'bot: find attended of address',
  z.object({
    id: z.string(),
    setor: z.nullable(z.string()),
    status: z.string(),
    operadorId: z.nullable(z.string()),
  }),
  sql`select v.id, v.setor, v.status, v.operador_id from enderecos e
      join conversas v on v.conta_id = e.conta_id and v.contato_id = e.contato_id
        and v.linha_id is not distinct from ${value('linha', 'uuid?')}
      where e.conta_id = ${contaId} and e.endereco = ${value('address', 'text')}
        and v.status in ('aguardando', 'em_atendimento')`,
)

interface ChangedStatus {
  readonly status: StatusBot
  readonly motivo?: MotivoBot
}

/** Publishes the state of lines. The main line has the events of `/bot`, the others `linhaMudou` and `linhaQrCode`. */
export class LineEvents {
  readonly #deps: Pick<BotDeps, 'db' | 'realtime' | 'vault'>
  readonly #contexts: ContextSource
  readonly #statuses: BotStatuses
  readonly #publishing = new Map<string, symbol>()

  constructor(deps: Pick<BotDeps, 'db' | 'realtime' | 'vault'>, contexts: ContextSource, statuses: BotStatuses) {
    this.#deps = deps
    this.#contexts = contexts
    this.#statuses = statuses
  }

  async statusChanged(line: LineKey, changed: ChangedStatus): Promise<void> {
    const { contaId } = line
    // `linhaMudou` carries the whole line.
    if (!(await this.#isMain(line))) return
    this.#deps.realtime.publish(contaId, 'botStatusChange', { userId: contaId, ...changed })
  }

  async qrCode(line: LineKey, { qrCode, expiraEm }: Extract<LinkState, { tipo: 'pareando' }>): Promise<void> {
    const { contaId, linhaId } = line
    const code = { userId: contaId, qrCode, qrExpiraEm: expiraEm.toISOString() }
    if (await this.#isMain(line)) this.#deps.realtime.publish(contaId, 'botQrCode', code)
    else this.#deps.realtime.publish(contaId, 'linhaQrCode', { ...code, linhaId })
  }

  /** Reads and publishes the state. Only the newest read publishes: an older one may end later with an outdated state. */
  async publish(line: LineKey): Promise<void> {
    const { linhaId } = line
    const mine = Symbol(linhaId)
    this.#publishing.set(linhaId, mine)
    try {
      const publish = await this.#read(line)
      if (this.#publishing.get(linhaId) === mine) publish()
    } finally {
      if (this.#publishing.get(linhaId) === mine) this.#publishing.delete(linhaId)
    }
  }

  /** Publishes what the status of the main line shows of the whole conta: contatos and logs. */
  async publishConta(contaId: string): Promise<void> {
    const linhaId = await this.#mainId(contaId)
    await this.publish({ contaId, linhaId })
  }

  /** Shows the people of the open conversa that its customer is typing. */
  async typing(line: LineKey, canonical: string): Promise<void> {
    const { db, realtime } = this.#deps
    const { contaId, linhaId } = line
    const of = { contaId, linha: storedLine(line), address: canonical }
    const conversa = await db.read(contaId, (tx) => findServedOf(tx, of))
    if (conversa === null) return
    const event = { userId: contaId, conversaId: conversa.id }
    realtime.publishConversa(contaId, 'clienteDigitando', event, audienceOf({ ...conversa, linhaId }))
  }

  async #read(line: LineKey): Promise<() => void> {
    const { db, realtime } = this.#deps
    const { contaId, linhaId } = line
    this.#statuses.forgetLists(contaId)
    if (await this.#isMain(line)) {
      const status = await this.#statuses.get(line)
      return () => realtime.publish(contaId, 'botStatus', { userId: contaId, ...status })
    }
    const linhas = await db.transaction(contaId, (tx) => readLines(tx, this.#deps, contaId))
    const linha = linhas.find(({ id }) => id === linhaId)
    // A deleted line is not listed.
    return () => linha !== undefined && realtime.publish(contaId, 'linhaMudou', { userId: contaId, linha })
  }

  async #isMain({ contaId, linhaId }: LineKey): Promise<boolean> {
    return (await this.#mainId(contaId)) === linhaId
  }

  async #mainId(contaId: string): Promise<string> {
    const { linhas } = await this.#contexts.get(contaId)
    return linhas.find(({ principal }) => principal)?.id ?? contaId
  }
}
