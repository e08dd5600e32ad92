import * as z from 'zod/mini'
import { type Etiqueta, etiquetaSchema } from '@balcao/contract/entities/etiqueta'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'

export interface StoredEtiqueta extends Etiqueta {
  /** Folded name. */
  readonly chave: string
}

const storedSchema = z.extend(etiquetaSchema, { chave: z.string() })

export function listEtiquetas(tx: Tx, contaId: string): Promise<StoredEtiqueta[]> {
  const sql = 'select id, nome, cor, chave from etiquetas where conta_id = $1 order by chave'
  return tx.rows(storedSchema, sql, [contaId])
}

/** Transactions of a conta that create etiquetas run one after the other, so that their limit holds. */
export async function lockNewEtiquetas(tx: Tx, contaId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('etiquetas'), hashtext($1))`, [contaId])
}

/** Returns null for an unknown id. Locks the row. */
export async function lockEtiqueta(tx: Tx, contaId: string, id: string): Promise<Etiqueta | null> {
  const sql = 'select id, nome, cor from etiquetas where conta_id = $1 and id = $2 for no key update'
  const [etiqueta] = await tx.rows(etiquetaSchema, sql, [contaId, id])
  return etiqueta ?? null
}

export async function insertEtiquetas(tx: Tx, contaId: string, etiquetas: readonly StoredEtiqueta[]): Promise<void> {
  await tx.query(
    `insert into etiquetas (conta_id, id, nome, chave, cor)
     select $1, i.* from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as i (id, nome, chave, cor)`,
    [
      contaId,
      plainArray(etiquetas.map(({ id }) => id)),
      textArray(etiquetas.map(({ nome }) => nome)),
      textArray(etiquetas.map(({ chave }) => chave)),
      plainArray(etiquetas.map(({ cor }) => cor)),
    ],
  )
}

export async function updateEtiqueta(tx: Tx, contaId: string, { id, nome, chave, cor }: StoredEtiqueta): Promise<void> {
  await tx.query('update etiquetas set nome = $3, chave = $4, cor = $5 where conta_id = $1 and id = $2', [
    ...[contaId, id, nome, chave, cor],
  ])
}

/** The newest contatos that have the etiqueta, or else the newest contato of the conta: windows need one to read again. */
export async function listTagged(tx: Tx, contaId: string, id: string, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ contato_id: string }>(
    `with t as (
       select contato_id from contatos_etiquetas where conta_id = $1 and etiqueta_id = $2 order by contato_id desc limit $3
     ), c as (select id from contatos where conta_id = $1 order by id desc limit 1)
     select contato_id from t union all select id from c where not exists (select from t)`,
    [contaId, id, limit],
  )
  return rows.map(({ contato_id: contatoId }) => contatoId)
}

/** The rows of its contatos follow by cascade. */
export async function deleteEtiquetaRow(tx: Tx, contaId: string, id: string): Promise<void> {
  await tx.query('delete from etiquetas where conta_id = $1 and id = $2', [contaId, id])
}

/** Locks the etiquetas against deletion and returns the ids that exist. */
export async function holdEtiquetas(tx: Tx, contaId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(
    'select id from etiquetas where conta_id = $1 and id::text = any ($2::text[]) order by id for key share',
    [contaId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export interface TaggedContato {
  readonly contatoId: string
  readonly etiquetaId: string
}

export async function addEtiquetas(tx: Tx, contaId: string, tagged: readonly TaggedContato[]): Promise<void> {
  if (tagged.length === 0) return
  await tx.query(
    `insert into contatos_etiquetas (conta_id, etiqueta_id, contato_id)
     select $1, i.* from unnest($2::uuid[], $3::uuid[]) as i (etiqueta_id, contato_id) order by 2, 3
     on conflict do nothing`,
    [
      contaId,
      plainArray(tagged.map(({ etiquetaId }) => etiquetaId)),
      plainArray(tagged.map(({ contatoId }) => contatoId)),
    ],
  )
}

export async function replaceEtiquetas(
  tx: Tx,
  contaId: string,
  contatoId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query('delete from contatos_etiquetas where conta_id = $1 and contato_id = $2', [contaId, contatoId])
  await addEtiquetas(
    tx,
    contaId,
    ids.map((etiquetaId) => ({ contatoId, etiquetaId })),
  )
}
