import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import type { VapidKeys } from '#ports/push/sender.ts'

type KeyDeps = Pick<Deps, 'db' | 'vault' | 'push'>

/** Sealing context, which binds the private key to its row. */
const PLACE = 'configuracoes_admin|vapid_privada|unica'
const keysSchema = z.object({ vapid_publica: z.nullable(z.string()), vapid_privada: z.nullable(z.string()) })
const COLUMNS = 'vapid_publica, vapid_privada'

/**
 * Returns the keys of this installation for push services. The first call makes them. Of two nodes that do so at the same
 * time, the pair of the first one stays: a browser accepts only notices of the key it subscribed with.
 */
export async function readVapidKeys(deps: KeyDeps): Promise<VapidKeys> {
  const stored = await deps.db.read([], (tx) => tx.rows(keysSchema, `select ${COLUMNS} from configuracoes_admin`))
  return openKeys(deps, stored[0]) ?? makeKeys(deps)
}

function openKeys({ vault }: KeyDeps, row: z.output<typeof keysSchema> | undefined): VapidKeys | null {
  const { vapid_publica: publicKey = null, vapid_privada: sealed = null } = row ?? {}
  return publicKey === null || sealed === null ? null : { publicKey, privateKey: vault.open(sealed, PLACE) }
}

async function makeKeys(deps: KeyDeps): Promise<VapidKeys> {
  const fresh = await deps.push.makeKeys()
  const [row] = await deps.db.transaction([], (tx) =>
    tx.rows(
      keysSchema,
      `update configuracoes_admin set vapid_publica = coalesce(vapid_publica, $1),
         vapid_privada = case when vapid_publica is null then $2 else vapid_privada end returning ${COLUMNS}`,
      [fresh.publicKey, deps.vault.seal(fresh.privateKey, PLACE)],
    ),
  )
  const keys = openKeys(deps, row)
  if (keys === null) throw new Error('push keys not stored')
  return keys
}
