import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { findKnownContatos } from '#modules/enderecos/index.ts'
import { erasureMarkContext } from './erasure-marks.ts'

const findMarks = manyRows(
  'apagados: find marks',
  z.object({ marca: z.string() }),
  sql`select marca from apagados where conta_id = ${contaId} and marca = any (${value('marks', 'text[]')})`,
)

export async function findErasedPhones(
  tx: Tx,
  { vault }: Pick<Deps, 'vault'>,
  contaId: string,
  telefones: readonly string[],
): Promise<Set<string>> {
  if (telefones.length === 0) return new Set()
  const marksOf = (telefone: string): readonly string[] =>
    vault.fingerprints(`tel:${telefone}`, erasureMarkContext(contaId))
  const byMark = new Map(telefones.flatMap((one) => marksOf(one).map((mark) => [mark, one] as const)))
  const rows = await findMarks(tx, { contaId, marks: [...byMark.keys()] })
  return new Set(rows.flatMap(({ marca }) => byMark.get(marca) ?? []))
}

/** Throws `contatoApagado`, unless a contato has the phone now. */
export async function requireNotErased(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  telefone: string,
): Promise<void> {
  const erased = await findErasedPhones(tx, deps, contaId, [telefone])
  if (erased.size === 0) return
  if ((await findKnownContatos(tx, contaId, [telefone])).length === 0) throw new AppError('contatoApagado')
}
