import { columns, rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { Collector } from '#lib/queue/collector.ts'
import { OFFLINE_MS, signalQueues } from '#modules/prazos/index.ts'

type PresenceDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'fleet'>

const RETRY_MS = 1_000

interface Present {
  readonly contaId: string
  readonly people: ReadonlySet<string>
}

/** Stores which people have a window on this node. */
export class PresenceRows {
  readonly #deps: PresenceDeps
  readonly #stored = new Map<string, ReadonlySet<string>>()
  readonly #changes: Collector<Present>

  constructor(deps: PresenceDeps) {
    this.#deps = deps
    const failed = (error: unknown): void => deps.log.warn({ err: error }, 'presence not stored, retrying')
    this.#changes = new Collector({
      keyOf: ({ contaId }) => contaId,
      flush: (changes) => this.#write(changes),
      retry: { ms: RETRY_MS, failed },
    })
  }

  /** Call it after this node joined. */
  async start(): Promise<void> {
    const { db, clock } = this.#deps
    await db.transaction('*', (tx) => closeRowsOfDeadNodes(tx, { now: clock.now() }))
  }

  readonly changed = (contaId: string, people: readonly string[]): void => {
    this.#changes.add({ contaId, people: new Set(people) })
  }

  async stop(): Promise<void> {
    this.#changes.close()
    await this.#changes.idle()
    const { db, clock, fleet } = this.#deps
    await db.transaction('*', (tx) => closeRowsOfNode(tx, { no: fleet.self, now: clock.now() }))
  }

  async #write(changes: readonly Present[]): Promise<void> {
    const changed = changes.filter(({ contaId, people }) => !isSame(people, this.#stored.get(contaId)))
    if (changed.length === 0) return
    await this.#store(changed)
    for (const { contaId, people } of changed) {
      if (people.size === 0) this.#stored.delete(contaId)
      else this.#stored.set(contaId, people)
    }
  }

  async #store(changed: readonly Present[]): Promise<void> {
    const { db, clock, fleet } = this.#deps
    const i = changed.flatMap(({ contaId, people }) => [...people].map((usuarioId) => ({ contaId, usuarioId })))
    const contas = changed.map(({ contaId }) => contaId)
    const change = { no: fleet.self, now: clock.now(), i }
    await db.transaction(contas, async (tx) => {
      await closeRows(tx, { ...change, contas })
      await openRows(tx, change)
      await signalQueues(tx, { contas })
    })
  }
}

function isSame(people: ReadonlySet<string>, stored: ReadonlySet<string> = new Set()): boolean {
  return people.size === stored.size && [...people].every((id) => stored.has(id))
}

const no = value('no', 'uuid')
const now = value('now', 'timestamptz')
const present = columns('i', { contaId: 'uuid', usuarioId: 'uuid' })

const closeRows = noRows(
  'distribuicao: close presence',
  sql`update presencas p set saiu_em = ${now}
      where p.no = ${no} and p.saiu_em is null and p.conta_id = any (${value('contas', 'uuid[]')}) and not exists (
        select 1 from ${present} where i.conta_id = p.conta_id and i.usuario_id = p.usuario_id)`,
)

/** A person who returns in time was never offline. */
const openRows = noRows(
  'distribuicao: open presence',
  sql`insert into presencas as p (conta_id, usuario_id, no, entrou_em)
      select u.conta_id, u.id, ${no}, ${now} from ${present}
      join usuarios u on u.conta_id = i.conta_id and u.id = i.usuario_id order by u.conta_id, u.id
      on conflict (conta_id, usuario_id, no) do update set saiu_em = null,
        entrou_em = case when p.saiu_em < ${now} - make_interval(secs => ${rawSql(String(OFFLINE_MS / 1_000))})
          then ${now} else p.entrou_em end
      where p.saiu_em is not null`,
)

const closeRowsOfNode = noRows(
  'distribuicao: close presence of node',
  sql`update presencas set saiu_em = ${now} where no = ${no} and saiu_em is null`,
)

export const closeRowsOfDeadNodes = noRows(
  'distribuicao: close presence of dead nodes',
  sql`update presencas p set saiu_em = ${now}
      where p.saiu_em is null and not exists (select 1 from nos n where n.id = p.no and n.morto_em is null)`,
)
