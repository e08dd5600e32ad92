import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import type { VapidKeys } from '#ports/push/sender.ts'

type KeyDeps = Pick<Deps, 'db' | 'vault' | 'push'>

/** Sealing context, which binds the private key to its row. */
const PLACE = 'configuracoes_admin|vapid_privada|unica'
const keysSchema = z.object({ vapid_publica: z.nullable(z.string()), vapid_privada: z.nullable(z.string()) })
const COLUMNS = 'vapid_publica, vapid_privada'

/**
 * Returns the keys of this installation for push services. The first call makes them, and so does a call that cannot read
 * them. Of two nodes that do so at the same time, the pair of the first one stays: a browser accepts only notices of the
 * key it subscribed with.
 */
export async function readVapidKeys(deps: KeyDeps): Promise<VapidKeys> {
  const stored = await deps.db.read([], (tx) => tx.rows(keysSchema, `select ${COLUMNS} from configuracoes_admin`))
  const [row] = stored
  return openKeys(deps, row) ?? makeKeys(deps, row?.vapid_privada ?? null)
}

function openKeys({ vault }: KeyDeps, row: z.output<typeof keysSchema> | undefined): VapidKeys | null {
  const { vapid_publica: publicKey = null, vapid_privada: sealed = null } = row ?? {}
  const privateKey = sealed === null ? null : vault.tryOpen(sealed, PLACE)
  return publicKey === null || privateKey === null ? null : { publicKey, privateKey }
}

/** Replaces the pair with this sealed key, and no pair that another node stored since. */
async function makeKeys(deps: KeyDeps, replaced: string | null): Promise<VapidKeys> {
  const fresh = await deps.push.makeKeys()
  const [row] = await deps.db.transaction([], (tx) =>
    tx.rows(
      keysSchema,
      `update configuracoes_admin set
         vapid_publica = case when vapid_privada is not distinct from $3 then $1 else vapid_publica end,
         vapid_privada = case when vapid_privada is not distinct from $3 then $2 else vapid_privada end
       returning ${COLUMNS}`,
      [fresh.publicKey, deps.vault.seal(fresh.privateKey, PLACE), replaced],
    ),
  )
  const keys = openKeys(deps, row)
  if (keys === null) throw new Error('push keys not stored')
  return keys
}
