import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { lineOf } from '#db/statement/line.ts'
import { columns, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { ApplyEventIn, DialogueRef, SendEventIn } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { Batcher } from '#lib/queue/batcher.ts'
import { waitAtMost } from '#lib/time.ts'
import { listOverdueQuestions } from '#modules/ia/index.ts'
import type { Bots, BuildEvent } from '#ports/bots.ts'
import type { SimulatedPhones } from '#ports/simulador.ts'
import type { ChatInbox } from '#ports/webchat/chat.ts'
import { AiBriefs } from './ai/briefs.ts'
import { AiQuestions } from './ai/questions.ts'
import type { BotDeps, LeavingPlan } from './deps.ts'
import { AddressJoins } from './identity/addresses.ts'
import { MensagemAnnouncer } from './outbox/announce.ts'
import { Receipts, SentMarker } from './outbox/delivery.ts'
import { Nodes } from './session/ask-owner.ts'
import { BotCommands } from './session/commands.ts'
import { SessionRegistry } from './session/registry.ts'
import type { BotSession } from './session/session.ts'
import { BotStatuses, LineEvents } from './session/status.ts'
import { runBatch, TurnRetries } from './turn/batch.ts'
import { AccountContexts } from './context.ts'
import { ContatoFinder } from './turn/find-contatos.ts'
import { handleMessage, sendEventIn, type TurnDeps } from './turn/handle-message.ts'
import type { AnsweredQuestion, Turn } from './turn/types.ts'

const BATCH_MAX = 100
const PARALLEL_BATCHES = 4
const CONTAS_CACHED = 5_000
/** After a refusal, answers of this conta are marked `limite` for 1 s without reading the counter. */
const FULL_MS = 1_000
/** Within the 10 s of a shutdown, so that a long queue leaves time to release the leases. */
const DRAIN_MS = 3_000

export interface BotRuntime extends ChatInbox {
  readonly bots: Bots
  readonly phones: SimulatedPhones
  readonly applyEvent: (dialogue: DialogueRef, event: BuildEvent) => Promise<void>
  readonly applyEventIn: ApplyEventIn
  readonly sendEventIn: SendEventIn
  readonly start: () => Promise<void>
  /** Prepares a stop: the node becomes not ready and other nodes take its bots. Without a plan it does nothing. */
  readonly leave: (plan?: LeavingPlan) => Promise<void>
  readonly stop: () => Promise<void>
  readonly idle: () => Promise<void>
}

export interface RuntimeOptions {
  readonly batchMax?: number
  readonly parallelBatches?: number
}

/** Builds the parts of the bot. Their callbacks run only after `start`. */
export function createBotRuntime(deps: BotDeps, options: RuntimeOptions = {}): BotRuntime {
  const { batchMax = BATCH_MAX, parallelBatches = PARALLEL_BATCHES } = options
  const contexts = new AccountContexts(deps)
  const contatos = new ContatoFinder(deps)
  const fullContas = new LRUCache<string, true>({ max: CONTAS_CACHED, ttl: FULL_MS, ttlResolution: 0 })
  const sentMarker = new SentMarker(deps)
  const announcer = new MensagemAnnouncer(deps)
  const addresses = new AddressJoins(deps, { contatos, announcer })
  const receipts = new Receipts(deps, announcer)
  const statuses = new BotStatuses(deps, contexts)
  const events = new LineEvents(deps, contexts, statuses)
  const retries = new TurnRetries()
  const queue = new Batcher<Turn>({
    max: batchMax,
    slots: parallelBatches,
    groupOf: ({ contaId }) => contaId,
    express: true,
    alone: (contaId) => retries.isAlone(contaId),
    handleBatch: (turns) => runBatch(bot, retries, turns),
  })
  const questions = new AiQuestions(deps, {
    contexts,
    answer: (dialogue, answered) => queueAnswer(queue, dialogue, answered),
  })
  const briefs = new AiBriefs(deps, contexts)
  const receive: BotRuntime['receive'] = (line, channel, message) => handleMessage(bot, line, channel, message)
  const sessions = new SessionRegistry(deps, {
    ...{ sentMarker, announcer, receipts, receive },
    whatsappOf: async (contaId) => (await contexts.get(contaId)).config.whatsapp,
    identity: (contaId, notice) => addresses.announced(contaId, notice),
    customerTyping: (line, canonical) => commands.customerTyping(line, canonical),
    events,
    released: (line) => questions.release(line),
    taken: (line) => questions.recover(line),
  })
  const nodes = new Nodes(deps, { sessions, receiver: () => commands })
  const turnParts = { contexts, contatos, addresses, fullContas, sessions, statuses, events, questions, briefs, nodes }
  const commands = new BotCommands(deps, turnParts)
  const bot: TurnDeps = { ...deps, ...turnParts, queue, bots: commands }

  const poll = new WorkPoll(deps, { sessions, questions })
  return {
    bots: commands,
    phones: async (line, order) => (await nodes.askOwner(line, { tipo: 'phone', order }))?.done ?? false,
    receive,
    receipt: (contaId, mensagemId, receipt) => receipts.add(contaId, mensagemId, receipt),
    customerTyping: (line, endereco) => commands.customerTyping(line, endereco),
    applyEvent: (dialogue, event) => queueEvent(queue, dialogue, event),
    ...eventsInTransactions(bot),
    ...lifecycle(deps, { queue, sentMarker, receipts, announcer, sessions, nodes, questions, briefs, poll }),
  }
}

interface RunningParts {
  readonly queue: Batcher<Turn>
  readonly sentMarker: SentMarker
  readonly receipts: Receipts
  readonly announcer: MensagemAnnouncer
  readonly sessions: SessionRegistry
  readonly nodes: Nodes
  readonly questions: AiQuestions
  readonly briefs: AiBriefs
  readonly poll: WorkPoll
}

function lifecycle({ timings }: BotDeps, parts: RunningParts): Pick<BotRuntime, 'start' | 'leave' | 'stop' | 'idle'> {
  const { queue, sentMarker, receipts, announcer, sessions, nodes, questions, briefs, poll } = parts
  const written = async (): Promise<void> => {
    await receipts.idle()
    await announcer.idle()
  }
  return {
    start: () => {
      poll.start()
      return sessions.start()
    },
    leave: (plan) => sessions.leave(plan),
    stop: async () => {
      nodes.stop()
      poll.stop()
      questions.stop()
      briefs.stop()
      await waitAtMost(timings?.drainMs ?? DRAIN_MS, queue.idle())
      await sentMarker.idle()
      await sessions.stop()
      await written()
    },
    idle: async () => {
      await queue.idle()
      await sentMarker.idle()
      await written()
    },
  }
}

function queueEvent(
  queue: Pick<Batcher<Turn>, 'add'>,
  { contaId, linhaId, contatoId }: DialogueRef,
  event: BuildEvent,
  answered?: AnsweredQuestion,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const key = `${contaId}#${contatoId}`
    const turn = { tipo: 'evento', key, contaId, linhaId, contatoId, event, resolve, reject } as const
    queue.add(answered === undefined ? turn : { ...turn, answered })
  })
}

function queueAnswer(
  queue: Pick<Batcher<Turn>, 'add'>,
  dialogue: DialogueRef,
  answered: AnsweredQuestion,
): Promise<void> {
  const { perguntaId, answer: resultado } = answered
  return queueEvent(queue, dialogue, (base) => ({ tipo: 'respostaIa', perguntaId, resultado, ...base }), answered)
}

function eventsInTransactions(bot: TurnDeps): Pick<BotRuntime, 'applyEventIn' | 'sendEventIn'> {
  return {
    applyEventIn: async (tx, dialogue, event) => {
      const { stored } = await sendEventIn(tx, bot, dialogue, event)
      await stored
    },
    sendEventIn: (tx, ref, event) => sendEventIn(tx, bot, ref, event),
  }
}

const POLL_MS = 1_000
const UNHELD_MS = 30_000
/** Younger work has its wake-up or its timer. */
const OVERDUE_MS = 1_000

const overdue = sql`now() - make_interval(secs => ${rawSql(String(OVERDUE_MS / 1_000))})`

/**
 * Stored work of these lines that is overdue, one row for each line that has some. `limit 1` keeps the planner at one
 * index lookup for each line and table. Two parts for `saida`, as in `rowsOfLine`.
 */
const listOverdue = manyRows(
  'trabalho-atrasado',
  z.object({ linhaId: z.string(), saida: z.boolean(), perguntas: z.boolean(), chegadas: z.boolean() }),
  sql`
select i.linha_id, coalesce(s.sim, false) as saida, coalesce(p.sim, false) as perguntas, coalesce(o.sim, false) as chegadas
from ${columns('i', { contaId: 'uuid', linhaId: 'uuid', ready: 'bool' })}
left join lateral (
  select true as sim from saida s
  where i.ready and i.linha_id = i.conta_id and s.conta_id = i.conta_id and s.linha_id is null and s.proxima_em < ${overdue}
  union all
  select true from saida s
  where i.ready and s.conta_id = i.conta_id and s.linha_id = i.linha_id and s.proxima_em < ${overdue}
  limit 1
) s on true
left join lateral (
  select true as sim from perguntas_ia p
  where p.conta_id = i.conta_id and ${lineOf('p')} = i.linha_id and p.perguntar_em < ${value('questionsDue', 'timestamptz')} limit 1
) p on true
left join lateral (
  select true as sim from linhas_oficial_chegadas o
  where o.linha_id = i.linha_id and o.chegou_em < ${overdue} and (o.tentar_em is null or o.tentar_em <= now()) limit 1
) o on true
where s.sim or p.sim or o.sim`,
  { prepared: true, planner: 'indexes' },
)

/** Reads the stored work of this node's bots periodically, because a wake-up over the bus may be lost. */
class WorkPoll {
  readonly #deps: BotDeps
  readonly #parts: Pick<RunningParts, 'sessions' | 'questions'>
  #tasks: readonly PeriodicTask[] = []

  constructor(deps: BotDeps, parts: Pick<RunningParts, 'sessions' | 'questions'>) {
    this.#deps = deps
    this.#parts = parts
  }

  start(): void {
    const { leader, log, timings } = this.#deps
    const failed = (error: unknown): void => log.error({ err: error }, 'poll of stored work failed, retrying')
    const unheld = {
      name: 'perguntas',
      ms: timings?.unheldMs ?? UNHELD_MS,
      task: () => this.#parts.questions.recoverUnheld(),
      failed,
    }
    this.#tasks = [
      every({ ms: timings?.pollMs ?? POLL_MS, task: () => this.#poll(), failed }),
      leader?.every(unheld) ?? every(unheld),
    ]
  }

  stop(): void {
    for (const task of this.#tasks) void task.stop()
  }

  async #poll(): Promise<void> {
    const { inboundArrived } = this.#deps
    const sessions = this.#parts.sessions.all()
    if (sessions.length === 0) return
    // A renewal ends the silence of the node and no link changes, so no event resumes the queues.
    for (const session of sessions) session.resume()
    const work = await this.#readOverdue(sessions)
    for (const { linhaId, chegadas } of work) if (chegadas) inboundArrived?.(linhaId)
    await this.#recoverQuestions(work.flatMap(({ linhaId, perguntas }) => (perguntas ? [linhaId] : [])))
    const waiting = new Set(work.flatMap(({ linhaId, saida }) => (saida ? [linhaId] : [])))
    for (const session of sessions) if (waiting.has(session.lease.linhaId)) await this.#readPage(session)
  }

  #readOverdue(sessions: readonly BotSession[]) {
    // A link that comes up reads all rows, so a session without a link needs none.
    const i = sessions.map(({ lease, ready }) => ({ contaId: lease.contaId, linhaId: lease.linhaId, ready }))
    const values = { i, questionsDue: this.#questionsDue() }
    return this.#deps.db.transaction('*', (tx) => listOverdue(tx, values), { planner: 'indexes', oneTrip: true })
  }

  #questionsDue(): Date {
    return new Date(this.#deps.clock.now().getTime() - OVERDUE_MS)
  }

  async #recoverQuestions(linhas: readonly string[]): Promise<void> {
    if (linhas.length === 0) return
    const due = { linhas, until: this.#questionsDue() }
    this.#parts.questions.recoverOverdue(await this.#deps.db.read('*', (tx) => listOverdueQuestions(tx, due)))
  }

  async #readPage(session: BotSession): Promise<void> {
    const { contaId, linhaId } = session.lease
    await session
      .readPage()
      .catch((error: unknown) => this.#deps.log.error({ err: error, contaId, linhaId }, 'pending messages not read'))
  }
}
