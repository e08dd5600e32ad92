import { statfs } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'

const DISCO_LIVRE_MINIMO = 0.05
/** Test value in the database and the context it is sealed for. */
const CANARIO = 'canário'
const LUGAR_DO_CANARIO = 'configuracoes_admin|canario|unica'

export type ReadyDeps = Pick<Deps, 'db' | 'log' | 'settings' | 'cofre' | 'bots'>

const canarioSchema = z.object({ canario: z.string() })

interface Prontidao {
  readonly banco: boolean
  readonly chave: boolean
  readonly disco: boolean
  readonly bots: boolean
}

/** Checks the parts a customer's message needs: database, secret, disk space and leases. */
export async function checkReady(deps: ReadyDeps): Promise<Prontidao> {
  const [canario, disco] = await Promise.all([writeCanary(deps), hasRoom(deps)])
  return {
    banco: canario !== null,
    chave: canario !== null && opens(deps, canario),
    disco,
    bots: deps.bots.leasesVivos(),
  }
}

/** Writes the sealed test value if there is none, and returns the stored one. Null if the write fails. */
async function writeCanary({ db, log, cofre }: ReadyDeps): Promise<string | null> {
  const novo = cofre.seal(CANARIO, LUGAR_DO_CANARIO)
  const sql = 'update configuracoes_admin set canario = coalesce(canario, $1) returning canario'
  try {
    const [lido] = await db.transaction('*', (tx) => tx.rows(canarioSchema, sql, [novo]))
    return lido?.canario ?? null
  } catch (error) {
    log.error({ err: error }, 'database write failed, node not ready')
    return null
  }
}

/** False if another secret sealed this database, as after a restored backup. */
function opens({ cofre, log }: ReadyDeps, canario: string): boolean {
  try {
    return cofre.open(canario, LUGAR_DO_CANARIO) === CANARIO
  } catch (error) {
    log.error({ err: error }, 'stored test value not decrypted, wrong APP_SECRET')
    return false
  }
}

async function hasRoom({ settings, log }: ReadyDeps): Promise<boolean> {
  try {
    const { bavail, blocks } = await statfs(settings.dataDir)
    return blocks === 0 || bavail / blocks > DISCO_LIVRE_MINIMO
  } catch (error) {
    log.error({ err: error }, 'free space of DATA_DIR not read')
    return false
  }
}
