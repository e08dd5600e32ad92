import { statfs } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Deps, Readiness } from '#deps.ts'

const READY_CACHE_MS = 1_000
const FREE_DISK_MIN = 0.05
/** Test value in the database and the context it is sealed for. */
const TEST_VALUE = 'canário'
const TEST_VALUE_CONTEXT = 'configuracoes_admin|canario|unica'

type ReadyDeps = Pick<Deps, 'reservedDb' | 'log' | 'settings' | 'vault' | 'bots'> & {
  /** Share of free space of the disk of this folder, from 0 to 1. */
  readonly freeDisk: (folder: string) => Promise<number>
}

export async function readFreeDisk(folder: string): Promise<number> {
  const { bavail, blocks } = await statfs(folder)
  return blocks === 0 ? 1 : bavail / blocks
}

const testValueSchema = z.object({ canario: z.string() })

export function isReady(parts: Readiness): boolean {
  return Object.values(parts).every((ok) => ok)
}

/** Readiness of this node, checked at most once a second. */
export function createReadiness(deps: ReadyDeps): () => Promise<Readiness> {
  return onceASecond(() => checkReady(deps))
}

/** Asks at most once a second and never twice at the same time. */
function onceASecond<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null
  let pending = false
  return () => {
    const now = performance.now()
    if (last === null || (!pending && now - last.at > READY_CACHE_MS)) {
      pending = true
      last = { at: now, answer: ask().finally(() => (pending = false)) }
    }
    return last.answer
  }
}

/** Checks the parts a customer's message needs: database, secret, disk space and leases. */
async function checkReady(deps: ReadyDeps): Promise<Readiness> {
  const [canario, disco] = await Promise.all([storeTestValue(deps), hasFreeDisk(deps)])
  return {
    banco: canario !== null,
    chave: canario !== null && opensTestValue(deps, canario),
    disco,
    bots: deps.bots.leasesAlive(),
  }
}

/** Writes the sealed test value if there is none, and returns the stored one. Null if the write fails. */
async function storeTestValue({ reservedDb, log, vault }: ReadyDeps): Promise<string | null> {
  const fresh = vault.seal(TEST_VALUE, TEST_VALUE_CONTEXT)
  const sql = 'update configuracoes_admin set canario = coalesce(canario, $1) returning canario'
  try {
    const [parsed] = await reservedDb.transaction('*', (tx) => tx.rows(testValueSchema, sql, [fresh]))
    return parsed?.canario ?? null
  } catch (error) {
    log.error({ err: error }, 'database write failed, node not ready')
    return null
  }
}

/** False if another secret sealed this database, as after a restored backup. */
function opensTestValue({ vault, log }: ReadyDeps, sealed: string): boolean {
  try {
    return vault.open(sealed, TEST_VALUE_CONTEXT) === TEST_VALUE
  } catch (error) {
    log.error({ err: error }, 'stored test value not decrypted, wrong APP_SECRET')
    return false
  }
}

async function hasFreeDisk({ settings, log, freeDisk }: ReadyDeps): Promise<boolean> {
  try {
    return (await freeDisk(settings.dataDir)) > FREE_DISK_MIN
  } catch (error) {
    log.error({ err: error }, 'free space of DATA_DIR not read')
    return false
  }
}
