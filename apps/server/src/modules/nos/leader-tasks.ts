import { rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Database } from '#db/transaction.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import type { Fleet, Leader, LeaderTask } from '#ports/bus.ts'

/** Other nodes notice within this time that the leader of a task ended. */
const LOOK_MS = 60_000
/** A node that was refused a few times looks every fifth interval, at least this often: another node has the task. */
const FOLLOWER_LOOK_MS = 10_000
const FOLLOWER_INTERVALS = 5
const REFUSALS_MIN = 3
/** Share of its interval after which a task is due, because timers and the database's clock differ a little. */
const DUE_SHARE = 0.9
const ERROR_MAX = 100

/**
 * Does each task on one node: a row of `tarefas` names the node, and another one takes the task when that node has left
 * or was condemned. A node that was stopped for a while may still finish a round meanwhile, so each task must be
 * correct when two nodes do it. No connection is held, which a lock of PostgreSQL would need for the whole round.
 */
export class TaskLeader implements Leader {
  readonly #db: Database
  readonly #fleet: Pick<Fleet, 'self'>

  constructor({ db }: { readonly db: Database }, fleet: Pick<Fleet, 'self'>) {
    this.#db = db
    this.#fleet = fleet
  }

  readonly every = ({ name, ms, firstMs, task, failed }: LeaderTask): PeriodicTask => {
    let refusals = 0
    let lookedAt = -Infinity
    const followerMs = Math.min(FOLLOWER_INTERVALS * ms, FOLLOWER_LOOK_MS)
    const round = async (): Promise<void> => {
      const now = performance.now()
      if (refusals >= REFUSALS_MIN && now - lookedAt < followerMs) return
      lookedAt = now
      refusals = (await this.#round(name, ms / 1_000, task)) ? 0 : refusals + 1
    }
    return every({ ms: Math.min(ms, LOOK_MS), firstMs: firstMs ?? Math.min(ms, LOOK_MS), task: round, failed })
  }

  async #round(name: string, seconds: number, task: LeaderTask['task']): Promise<boolean> {
    const begun = await this.#db.transaction([], (tx) => beginTask(tx, { name, node: this.#fleet.self, seconds }), {
      oneTrip: true,
    })
    if (begun === 0) return false
    try {
      await task()
      await this.#end(name, null)
      return true
    } catch (error) {
      await this.#end(name, kindOf(error))
      throw error
    }
  }

  async #end(name: string, failure: string | null): Promise<void> {
    await this.#db.transaction([], (tx) => endTask(tx, { name, node: this.#fleet.self, failure }), { oneTrip: true })
  }
}

/** Name and code only: the text of an error may quote stored data. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  return ('code' in error ? `${error.name} ${String(error.code)}` : error.name).slice(0, ERROR_MAX)
}

const name = value('name', 'text')
const node = value('node', 'uuid')
const seconds = value('seconds', 'float8')

/** A start in the future was written before the clock of the database was set back. */
const isDue = sql`(t.comecou_em <= clock_timestamp() - make_interval(secs => ${seconds} * ${rawSql(String(DUE_SHARE))})
  or t.comecou_em > clock_timestamp())`
const mayBegin = sql`case when t.no = ${node} then ${isDue}
  when exists (select 1 from nos where id = t.no and morto_em is null) then false
  else t.feita_em is null or t.feita_em < t.comecou_em or ${isDue} end`

const beginTask = noRows(
  'nos: begin task',
  sql`insert into tarefas as t (nome, no, periodo_s) select ${name}, ${node}, ${seconds}
      where not exists (select 1 from tarefas t where t.nome = ${name} and not (${mayBegin}))
      on conflict (nome) do update set no = excluded.no, periodo_s = excluded.periodo_s, comecou_em = clock_timestamp()
      where ${mayBegin}`,
  { prepared: true },
)

const endTask = noRows(
  'nos: end task',
  sql`update tarefas set feita_em = clock_timestamp(), erro = ${value('failure', 'text?')}
      where nome = ${name} and no = ${node}`,
  { prepared: true },
)
