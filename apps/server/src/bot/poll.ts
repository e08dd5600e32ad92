import * as z from 'zod/mini'
import { columns, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { listOverdueQuestions } from '#modules/ia/index.ts'
import type { AiQuestions } from './ai/questions.ts'
import type { BotDeps } from './deps.ts'
import type { SessionRegistry } from './session/registry.ts'
import type { BotSession } from './session/session.ts'

const POLL_MS = 1_000
const UNHELD_MS = 30_000
/** Younger work has its wake-up or its timer. */
const OVERDUE_MS = 1_000

const overdue = sql`now() - make_interval(secs => ${rawSql(String(OVERDUE_MS / 1_000))})`

/**
 * Stored work of these contas that is overdue, one row for each conta that has some. `limit 1` keeps the planner at one
 * index lookup for each conta and table.
 */
const listOverdue = manyRows(
  'trabalho-atrasado',
  z.object({ contaId: z.string(), saida: z.boolean(), perguntas: z.boolean(), chegadas: z.boolean() }),
  sql`
select i.conta_id, coalesce(s.sim, false) as saida, coalesce(p.sim, false) as perguntas, coalesce(o.sim, false) as chegadas
from ${columns('i', { contaId: 'uuid', ready: 'bool' })}
left join lateral (
  select true as sim from saida s where i.ready and s.conta_id = i.conta_id and s.proxima_em < ${overdue} limit 1
) s on true
left join lateral (
  select true as sim from perguntas_ia p
  where p.conta_id = i.conta_id and p.perguntar_em < ${value('questionsDue', 'timestamptz')} limit 1
) p on true
left join lateral (
  select true as sim from oficial_chegadas o
  where o.conta_id = i.conta_id and o.chegou_em < ${overdue} and (o.tentar_em is null or o.tentar_em <= now()) limit 1
) o on true
where s.sim or p.sim or o.sim`,
  { prepared: true, planner: 'indexes' },
)

export interface WorkPollParts {
  readonly sessions: Pick<SessionRegistry, 'all'>
  readonly questions: Pick<AiQuestions, 'recoverOverdue' | 'recoverUnheld'>
}

/** Reads the stored work of this node's bots periodically, because a wake-up over the bus may be lost. */
export class WorkPoll {
  readonly #deps: Pick<BotDeps, 'db' | 'clock' | 'leader' | 'log' | 'timings' | 'inboundArrived'>
  readonly #parts: WorkPollParts
  #tasks: readonly PeriodicTask[] = []

  constructor(
    deps: Pick<BotDeps, 'db' | 'clock' | 'leader' | 'log' | 'timings' | 'inboundArrived'>,
    parts: WorkPollParts,
  ) {
    this.#deps = deps
    this.#parts = parts
  }

  start(): void {
    const { leader, log, timings } = this.#deps
    const failed = (error: unknown): void => log.error({ err: error }, 'poll of stored work failed, retrying')
    const unheld = {
      ...{ name: 'perguntas', ms: timings?.unheldMs ?? UNHELD_MS, failed },
      task: () => this.#parts.questions.recoverUnheld(),
    }
    this.#tasks = [
      every({ ms: timings?.pollMs ?? POLL_MS, task: () => this.#poll(), failed }),
      leader?.every(unheld) ?? every(unheld),
    ]
  }

  /** Running rounds are not awaited: they only read and start work. */
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
    for (const { contaId, chegadas } of work) if (chegadas) inboundArrived?.(contaId)
    await this.#recoverQuestions(work.flatMap(({ contaId, perguntas }) => (perguntas ? [contaId] : [])))
    const waiting = new Set(work.flatMap(({ contaId, saida }) => (saida ? [contaId] : [])))
    for (const session of sessions) if (waiting.has(session.contaId)) await this.#readPage(session)
  }

  #readOverdue(sessions: readonly BotSession[]) {
    // A link that comes up reads all rows, so a session without a link needs none.
    const i = sessions.map(({ contaId, ready }) => ({ contaId, ready }))
    const values = { i, questionsDue: this.#questionsDue() }
    return this.#deps.db.transaction('*', (tx) => listOverdue(tx, values), { planner: 'indexes', oneTrip: true })
  }

  #questionsDue(): Date {
    return new Date(this.#deps.clock.now().getTime() - OVERDUE_MS)
  }

  async #recoverQuestions(contas: readonly string[]): Promise<void> {
    if (contas.length === 0) return
    const due = { contas, until: this.#questionsDue() }
    this.#parts.questions.recoverOverdue(await this.#deps.db.read('*', (tx) => listOverdueQuestions(tx, due)))
  }

  /** An error of one conta must not stop the others. */
  async #readPage(session: BotSession): Promise<void> {
    const { contaId } = session
    await session
      .readPage()
      .catch((error: unknown) => this.#deps.log.error({ err: error, contaId }, 'pending messages not read'))
  }
}
