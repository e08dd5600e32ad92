import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { type EraseDeps, eraseContato } from './erase-titular.ts'
import { type ErasureMark, erasureMarkContext, mergeErasureMarks } from './erasure-marks.ts'

const BATCH_SIZE = 5_000

const addressSchema = z.object({ endereco: z.string(), contato_id: z.string(), criado_em: z.date() })

/**
 * Erases customers again that a restored backup brought back. Runs at every start, before the bots. A contato
 * whose erased address was stored after the erasure is a new customer and stays. Returns how many were erased.
 */
export async function eraseRestoredTitulares(deps: EraseDeps): Promise<number> {
  let count = 0
  for (const [contaId, lapides] of Map.groupBy(await mergeErasureMarks(deps), ({ contaId: conta }) => conta)) {
    for (const contatoId of await listRestored(deps, contaId, lapides)) {
      await eraseContato(deps, contatoId, { contaId, requester: null })
      count += 1
    }
  }
  if (count > 0) deps.log.warn({ clientes: count }, 'contatos of restored backup erased again')
  return count
}

async function listRestored(
  { db, vault }: Pick<EraseDeps, 'db' | 'vault'>,
  contaId: string,
  marks: readonly ErasureMark[],
): Promise<Set<string>> {
  const quando = new Map(marks.map(({ mark, erasedAt }) => [mark, erasedAt]))
  const last = new Date(Math.max(...marks.map(({ erasedAt }) => erasedAt.getTime())))
  const found = new Set<string>()
  let after = ''
  for (;;) {
    const page = await db.read(contaId, (tx) => listAddresses(tx, contaId, last, after))
    for (const { endereco, contato_id, criado_em } of page) {
      const marcas = vault.fingerprints(endereco, erasureMarkContext(contaId))
      if (marcas.some((mark) => criado_em <= (quando.get(mark) ?? new Date(0)))) found.add(contato_id)
    }
    const end = page.at(-1)
    if (end === undefined || page.length < BATCH_SIZE) return found
    after = end.endereco
  }
}

function listAddresses(tx: Tx, contaId: string, until: Date, after: string): Promise<z.output<typeof addressSchema>[]> {
  return tx.rows(
    addressSchema,
    `select endereco, contato_id, criado_em from enderecos
     where conta_id = $1 and endereco > $3 and criado_em <= $2 order by endereco limit ${BATCH_SIZE}`,
    [contaId, until, after],
  )
}
