import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/** Names of usuarios of the conta, including deleted ones. */
export async function listUsuarioNames(
  tx: Tx,
  contaId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows(
    z.object({ id: z.string(), nome: z.string() }),
    'select id, nome from usuarios where conta_id = $1 and id = any ($2::uuid[])',
    [contaId, ids],
  )
  return new Map(rows.map(({ id, nome }) => [id, nome]))
}
