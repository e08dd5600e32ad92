import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../env.ts'
import { createPool } from '#db/connection.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { openDatabase } from '#db/open-database.ts'
import { checkSealedValues, resealValues } from '#db/sealed-values.ts'
import { createDatabase } from '#db/transaction.ts'
import { resetAdminPassword } from '#modules/auth/index.ts'
import { createPasswords } from '#security/password.ts'
import { loadAppSecret } from '#security/app-secret.ts'
import { createVault, type Vault } from '#security/vault.ts'
import { createIds } from '../ids.ts'
import { createLog } from '../log.ts'
import { requireDataFolder, say, withOwner, withPool } from './database.ts'

/** Opens the vault of an installation. Throws a Portuguese sentence if it has no secret, instead of creating one. */
export function openVault(env: Env): Vault {
  const file = join(env.dataDir, 'app-secret')
  if (env.APP_SECRET === undefined && !existsSync(file)) throw new Error(`Não há APP_SECRET nem o arquivo ${file}.`)
  return createVault(loadAppSecret(env.dataDir, env.APP_SECRET))
}

export async function reseal(env: Env): Promise<void> {
  const vault = createVault(loadAppSecret(env.dataDir, env.APP_SECRET))
  const { done, unreadable } = await withOwner(env, async (owner) => {
    await migrate(owner)
    await checkSealedValues(owner, vault)
    return resealValues(owner, vault)
  })
  for (const [key, values] of done) say(`${values} valores da chave ${key} foram selados de novo.`)
  for (const [table, values] of unreadable)
    say(`${values} valores de ${table} não se abrem e ficaram como estão. Salve de novo os dados dessas contas.`)
  if (done.size === 0 && unreadable.size === 0) say('Tudo já está selado com a chave mais nova.')
  say('Se houver clientes apagados (privacidade), guarde a chave antiga: é com ela que as marcas deles foram feitas.')
}

/** Locks folder and database, so a running Balcão refuses the command. */
export async function adminPassword(
  env: Env,
  email: string,
  options: { readonly removeFactor: boolean },
): Promise<void> {
  requireDataFolder(env)
  const { target, poolTarget, parts } = await openDatabase({
    dataDir: env.dataDir,
    url: env.DATABASE_URL,
    use: 'alone',
    say,
  })
  try {
    await withPool(createPool(target, { max: 1 }), (owner) => migrate(owner))
    const clock = { now: () => new Date() }
    const { log } = createLog(env.LOG_LEVEL)
    const admin = await withPool(createPool(poolTarget, { role: APP_ROLE, max: 1 }), (pool) =>
      resetAdminPassword(
        { db: createDatabase({ pool, log }), clock, ids: createIds(clock), passwords: createPasswords() },
        email,
        options,
      ),
    )
    say(`administrador: ${admin.email} · senha nova (mostrada só agora): ${admin.senha}`)
    if (options.removeFactor) say('A verificação em duas etapas foi removida: aplicativo, chaves de acesso e códigos.')
  } finally {
    for (const { close } of parts) await close()
  }
}
