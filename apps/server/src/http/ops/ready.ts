import { statfs } from 'node:fs/promises'
import * as z from 'zod/mini'
import { sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import { TEST_VALUE } from '#db/sealed-values.ts'
import type { Deps, Readiness, ReadinessMonitor } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'

const CHECK_MS = 2_000
/** Age of the last successful check above which the database counts as unreachable. A check may hang. */
const CHECK_AGE_MAX_MS = 4_000
/** A check writes at the start, after a failed check and once in this time. */
const WRITE_MS = 60_000
const FREE_DISK_MIN = 0.05

type ReadyDeps = Pick<Deps, 'reservedDb' | 'log' | 'settings' | 'vault' | 'bots'> & {
  /** Share of free space of the disk of this folder, from 0 to 1. Default: reads it. */
  readonly freeDisk?: (folder: string) => Promise<number>
}

async function readFreeDisk(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return blocks === 0 ? 1 : bavail / blocks
}

const checkSchema = z.object({ canario: z.string(), writable: z.boolean() })

const writeCheck = oneRow(
  'canario-gravar',
  checkSchema,
  sql`update configuracoes_admin set canario = coalesce(canario, ${value('sealed', 'text')})
    returning canario, true as writable`,
)

const readCheck = oneRow(
  'canario-ler',
  checkSchema,
  sql`select canario, current_setting('transaction_read_only') = 'off' as writable from configuracoes_admin
    where canario is not null`,
  { prepared: true },
)

export function isReady(parts: Readiness): boolean {
  return Object.values(parts).every((ok) => ok)
}

/** Checks the parts a customer's message needs: database, secret, disk space and leases. */
export function createReadiness(deps: ReadyDeps): ReadinessMonitor {
  const database = new DatabaseCheck(deps)
  let disco = false
  let first: Promise<unknown> | null = null
  let task: PeriodicTask | null = null
  const check = async (): Promise<void> => {
    const [free] = await Promise.all([hasFreeDisk(deps), database.round()])
    disco = free
  }
  return {
    read: async () => {
      await (first ??= check())
      const banco = database.answers()
      return { banco, chave: banco && database.opens(), disco, bots: deps.bots.leasesAlive() }
    },
    start: () => {
      first ??= check()
      task ??= every({
        ms: CHECK_MS,
        task: check,
        failed: (error) => deps.log.error({ err: error }, 'readiness not checked'),
      })
    },
    stop: () => {
      database.stop()
      void task?.stop()
    },
  }
}

/** Reads, or writes and reads, the sealed test value. Logs the first of several equal failures. */
class DatabaseCheck {
  readonly #deps: ReadyDeps
  #succeededAt = -Infinity
  #writtenAt = -Infinity
  #failed = false
  #opens: boolean | null = null
  #stopped = false

  constructor(deps: ReadyDeps) {
    this.#deps = deps
  }

  readonly answers = (): boolean => performance.now() - this.#succeededAt < CHECK_AGE_MAX_MS

  /** False if another secret sealed this database, as after a restored backup. */
  readonly opens = (): boolean => this.#opens === true

  async round(): Promise<void> {
    const since = performance.now()
    try {
      const sealed = await this.#ask(since)
      this.#succeededAt = since
      this.#failed = false
      this.#open(sealed)
    } catch (error) {
      // The next check writes, because the database may have become read-only.
      this.#succeededAt = -Infinity
      this.#writtenAt = -Infinity
      if (!this.#failed && !this.#stopped) this.#deps.log.error({ err: error }, 'database check failed, node not ready')
      this.#failed = true
    }
  }

  /** A stop ends the connections under a running check. That is no failure. */
  stop(): void {
    this.#stopped = true
  }

  async #ask(since: number): Promise<string> {
    const { reservedDb, vault } = this.#deps
    const write = since - this.#writtenAt >= WRITE_MS
    const row = await reservedDb.transaction(
      '*',
      (tx) => (write ? writeCheck(tx, { sealed: vault.seal(TEST_VALUE.text, TEST_VALUE.place) }) : readCheck(tx, {})),
      { oneTrip: true },
    )
    if (row === null) throw new Error('no sealed test value in configuracoes_admin')
    if (!row.writable) throw new Error('database is read-only')
    if (write) this.#writtenAt = since
    return row.canario
  }

  #open(sealed: string): void {
    const { vault, log } = this.#deps
    const before = this.#opens
    try {
      this.#opens = vault.open(sealed, TEST_VALUE.place) === TEST_VALUE.text
    } catch (error) {
      this.#opens = false
      if (before !== false) log.error({ err: error }, 'stored test value not decrypted, wrong APP_SECRET')
    }
  }
}

async function hasFreeDisk({ settings, log, freeDisk = readFreeDisk }: ReadyDeps): Promise<boolean> {
  try {
    return (await freeDisk(settings.dataDir)) > FREE_DISK_MIN
  } catch (error) {
    log.error({ err: error }, 'free space of DATA_DIR not read')
    return false
  }
}
