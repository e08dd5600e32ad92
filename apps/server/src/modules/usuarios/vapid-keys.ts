import * as z from 'zod/mini'
import { sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { VapidKeys } from '#ports/push/sender.ts'

type KeyDeps = Pick<Deps, 'db' | 'vault' | 'push'>

/** Sealing context, which binds the private key to its row. */
const PLACE = 'configuracoes_admin|vapid_privada|unica'
const keysSchema = z.object({ vapidPublica: z.nullable(z.string()), vapidPrivada: z.nullable(z.string()) })
const keys = sql`vapid_publica, vapid_privada`
const theReplaced = sql`vapid_privada is not distinct from ${value('replaced', 'text?')}`

const findKeys = oneRow('usuarios: find push keys', keysSchema, sql`select ${keys} from configuracoes_admin`)

const replaceKeys = oneRow(
  'usuarios: replace push keys',
  keysSchema,
  sql`update configuracoes_admin set
        vapid_publica = case when ${theReplaced} then ${value('publicKey', 'text')} else vapid_publica end,
        vapid_privada = case when ${theReplaced} then ${value('sealed', 'text')} else vapid_privada end
      returning ${keys}`,
)

/**
 * Returns the keys of this installation for push services. The first call makes them, and so does a call that cannot read
 * them. Of two nodes that do so at the same time, the pair of the first one stays: a browser accepts only notices of the
 * key it subscribed with.
 */
export async function readVapidKeys(deps: KeyDeps): Promise<VapidKeys> {
  const stored = await deps.db.read([], (tx) => findKeys(tx, {}))
  return openKeys(deps, stored) ?? makeKeys(deps, stored?.vapidPrivada ?? null)
}

function openKeys({ vault }: KeyDeps, row: z.output<typeof keysSchema> | null): VapidKeys | null {
  const { vapidPublica: publicKey = null, vapidPrivada: sealed = null } = row ?? {}
  const privateKey = sealed === null ? null : vault.tryOpen(sealed, PLACE)
  return publicKey === null || privateKey === null ? null : { publicKey, privateKey }
}

/** Replaces the pair with this sealed key, and no pair that another node stored since. */
async function makeKeys(deps: KeyDeps, replaced: string | null): Promise<VapidKeys> {
  const { publicKey, privateKey } = await deps.push.makeKeys()
  const sealed = deps.vault.seal(privateKey, PLACE)
  const row = await deps.db.transaction([], (tx) => replaceKeys(tx, { publicKey, sealed, replaced }))
  const keys = openKeys(deps, row)
  if (keys === null) throw new Error('push keys not stored')
  return keys
}
