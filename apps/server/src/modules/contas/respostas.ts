import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'

export async function listRespostas(tx: Tx, contaId: string): Promise<RespostaRapida[]> {
  return tx.kysely
    .selectFrom('respostasRapidas')
    .select(['atalho', 'texto', 'setores'])
    .where('contaId', '=', contaId)
    .orderBy('ordem')
    .execute()
}

export async function replaceRespostas(tx: Tx, contaId: string, respostas: readonly RespostaRapida[]): Promise<void> {
  await tx.kysely.deleteFrom('respostasRapidas').where('contaId', '=', contaId).execute()
  if (respostas.length === 0) return
  const rows = respostas.map(({ atalho, texto, setores }, ordem) => {
    return { contaId, atalho, texto, ordem, setores: JSON.stringify(setores) }
  })
  await tx.kysely.insertInto('respostasRapidas').values(rows).execute()
}

/** Takes removed setores off the replies. A reply without a setor left is for all. */
export async function removeSetoresOfRespostas(tx: Tx, contaId: string, setores: readonly string[]): Promise<void> {
  if (setores.length === 0) return
  await tx.query(
    'update respostas_rapidas set setores = setores - $2::text[] where conta_id = $1 and setores ?| $2::text[]',
    [contaId, textArray(setores)],
  )
}
