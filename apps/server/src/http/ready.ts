import { statfs } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'

const DISCO_LIVRE_MINIMO = 0.05
/** What the word in the database says, and the place it is sealed for. */
const CANARIO = 'canário'
const LUGAR_DO_CANARIO = 'configuracoes_admin|canario|unica'

export type ReadyDeps = Pick<Deps, 'db' | 'log' | 'settings' | 'cofre' | 'bots'>

const canarioSchema = z.object({ canario: z.string() })

/** Each part by itself, so that whoever is woken up knows where to look. */
interface Prontidao {
  readonly banco: boolean
  readonly chave: boolean
  readonly disco: boolean
  readonly bots: boolean
}

/** Whether this process can do what a customer's message needs: asked anew each time. */
export async function checkReady(deps: ReadyDeps): Promise<Prontidao> {
  const [canario, disco] = await Promise.all([writeCanary(deps), hasRoom(deps)])
  return {
    banco: canario !== null,
    chave: canario !== null && opens(deps, canario),
    disco,
    bots: deps.bots.leasesVivos(),
  }
}

/** Takes a write and gives the sealed word back, sealed now if this database has none yet. Null when it takes no write. */
async function writeCanary({ db, log, cofre }: ReadyDeps): Promise<string | null> {
  const novo = cofre.seal(CANARIO, LUGAR_DO_CANARIO)
  const sql = 'update configuracoes_admin set canario = coalesce(canario, $1) returning canario'
  try {
    const [lido] = await db.transaction('*', (tx) => tx.rows(canarioSchema, sql, [novo]))
    return lido?.canario ?? null
  } catch (error) {
    log.error({ err: error }, 'database does not take a write')
    return null
  }
}

/** A database that another secret sealed (restored over this one, say) would give errors wherever a secret is needed. */
function opens({ cofre, log }: ReadyDeps, canario: string): boolean {
  try {
    return cofre.open(canario, LUGAR_DO_CANARIO) === CANARIO
  } catch (error) {
    log.error({ err: error }, 'the secret of this process does not open what the database holds')
    return false
  }
}

async function hasRoom({ settings, log }: ReadyDeps): Promise<boolean> {
  try {
    const { bavail, blocks } = await statfs(settings.dataDir)
    return blocks === 0 || bavail / blocks > DISCO_LIVRE_MINIMO
  } catch (error) {
    log.error({ err: error }, 'could not read the free space of DATA_DIR')
    return false
  }
}
