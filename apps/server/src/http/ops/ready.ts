import { statfs } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'

const FREE_DISK_MIN = 0.05
/** Test value in the database and the context it is sealed for. */
const TEST_VALUE = 'canário'
const TEST_VALUE_CONTEXT = 'configuracoes_admin|canario|unica'

export type ReadyDeps = Pick<Deps, 'reservedDb' | 'log' | 'settings' | 'vault' | 'bots'>

const testValueSchema = z.object({ canario: z.string() })

interface Readiness {
  readonly banco: boolean
  readonly chave: boolean
  readonly disco: boolean
  readonly bots: boolean
}

/** Checks the parts a customer's message needs: database, secret, disk space and leases. */
export async function checkReady(deps: ReadyDeps): Promise<Readiness> {
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

async function hasFreeDisk({ settings, log }: ReadyDeps): Promise<boolean> {
  try {
    const { bavail, blocks } = await statfs(settings.dataDir)
    return blocks === 0 || bavail / blocks > FREE_DISK_MIN
  } catch (error) {
    log.error({ err: error }, 'free space of DATA_DIR not read')
    return false
  }
}
