import * as z from 'zod/mini'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import type { Tx } from '#db/transaction.ts'

const notaRowSchema = z.object({
  id: z.string(),
  texto: z.string(),
  autor: z.string(),
  autor_id: z.string(),
  mencoes: z.array(z.string()),
  criada_em: z.date(),
})

export async function insertNota(
  tx: Tx,
  contaId: string,
  conversaId: string,
  { id, texto, autor, autorId, mencoes, criadaEm }: NotaConversa,
): Promise<void> {
  await tx.query(
    `insert into notas (conta_id, id, conversa_id, texto, autor_id, autor, mencoes, criada_em)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [contaId, id, conversaId, texto, autorId, autor, mencoes, criadaEm],
  )
}

/** Counts the notas of the conta after an id, at most `max`. */
export async function countNotas(tx: Tx, contaId: string, after: string, max: number): Promise<number> {
  const sql = 'select count(*)::int as n from (select from notas where conta_id = $1 and id > $2 limit $3) n'
  const [row] = await tx.rows(z.object({ n: z.int() }), sql, [contaId, after, max])
  return row?.n ?? 0
}

interface NotaPage {
  readonly limite: number
  readonly before: string | null
}

/** Newest first, at most one row more than the page. */
export async function listNotas(
  tx: Tx,
  contaId: string,
  conversaId: string,
  { limite, before }: NotaPage,
): Promise<NotaConversa[]> {
  const rows = await tx.rows(
    notaRowSchema,
    `select id, texto, autor, autor_id, mencoes, criada_em from notas
     where conta_id = $1 and conversa_id = $2 and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [contaId, conversaId, before, limite + 1],
  )
  return rows.map(({ autor_id: autorId, criada_em: criadaEm, ...nota }) => ({
    ...nota,
    autorId,
    criadaEm: criadaEm.toISOString(),
  }))
}

const personSchema = z.object({ id: z.string(), setores: z.array(z.string()) })

/** The active people of the conta among these ids, with their setores. */
export function findPeople(tx: Tx, contaId: string, ids: readonly string[]): Promise<z.output<typeof personSchema>[]> {
  return tx.rows(
    personSchema,
    `select id, setores from usuarios
     where conta_id = $1 and id::text = any ($2::text[]) and status = 'ativo' and excluido_em is null`,
    [contaId, ids],
  )
}

const OLD_BATCH = 1_000

/** Deletes one batch of notas that are older than the id. Returns the number of rows. */
export async function deleteOldNotas(tx: Tx, contaId: string, { id }: { readonly id: string }): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from notas where conta_id = $1 and id = any (array(
       select id from notas where conta_id = $1 and id < $2 order by id limit ${OLD_BATCH}))`,
    [contaId, id],
  )
  return rowCount ?? 0
}
