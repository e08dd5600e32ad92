import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

type ArquivoUse = 'midia' | 'produto'
/** `historico`: a picture of an earlier produto that a chat still shows. */
export type StorageUse = ArquivoUse | 'historico'

export interface NewArquivo {
  readonly nome: string
  readonly uso: ArquivoUse
  readonly tipo: string
  readonly tamanho: number
  readonly tamanhoMini: number | null
  readonly nomeOriginal: string
  readonly criadoEm: Date
}

/**
 * Returns the used storage of the conta. Holds the advisory lock of its uploads until the transaction ends, so two
 * uploads cannot take the same space.
 */
export async function lockStorageUse(
  tx: Tx,
  contaId: string,
  use: StorageUse,
): Promise<{ arquivos: number; bytes: number }> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('arquivos'), hashtext($1))`, [contaId])
  const [parsed] = await tx.rows(
    z.object({ arquivos: z.number(), bytes: z.number() }),
    `select count(*)::int as arquivos, coalesce(sum(tamanho + coalesce(tamanho_mini, 0)), 0)::float8 as bytes
     from arquivos where conta_id = $1 and uso = $2`,
    [contaId, use],
  )
  return parsed ?? { arquivos: 0, bytes: 0 }
}

export async function insertArquivo(tx: Tx, contaId: string, arquivo: NewArquivo): Promise<void> {
  await tx.kysely
    .insertInto('arquivos')
    .values({ contaId, ...arquivo })
    .execute()
}

export async function markArquivoReady(tx: Tx, contaId: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('arquivos')
    .set({ estado: 'pronto' })
    .where('contaId', '=', contaId)
    .where('nome', '=', name)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function deleteArquivo(tx: Tx, contaId: string, name: string): Promise<void> {
  await tx.kysely.deleteFrom('arquivos').where('contaId', '=', contaId).where('nome', '=', name).execute()
}

export interface ReadyArquivo {
  readonly contaId: string
  readonly tipo: string
  readonly tamanho: number
  readonly nomeOriginal: string
}

export async function findReadyArquivo(tx: Tx, name: string): Promise<ReadyArquivo | null> {
  const line = await tx.kysely
    .selectFrom('arquivos')
    .select(['contaId', 'tipo', 'tamanho', 'nomeOriginal'])
    .where('nome', '=', name)
    .where('uso', '=', 'midia')
    .where('estado', '=', 'pronto')
    .executeTakeFirst()
  return line ?? null
}

export async function findArquivoType(tx: Tx, contaId: string, name: string): Promise<string | null> {
  const line = await tx.kysely
    .selectFrom('arquivos')
    .select('tipo')
    .where('contaId', '=', contaId)
    .where('nome', '=', name)
    .where('estado', '=', 'pronto')
    .executeTakeFirst()
  return line?.tipo ?? null
}

const URL_SQL = `case a.uso when 'midia' then '/api/midias/' else '/api/imagens/' end || a.nome`

export async function deleteOrphanRows(
  tx: Tx,
  contaId: string,
  before: { pendente: Date; pronto: Date },
): Promise<number> {
  const means = await tx.query(`delete from arquivos where conta_id = $1 and estado = 'pendente' and criado_em < $2`, [
    contaId,
    before.pendente,
  ])
  const loose = await tx.query(
    `delete from arquivos a where a.conta_id = $1 and a.criado_em < $2
       and not exists (
         select 1 from mensagens m where m.conta_id = $1 and m.midia is not null and m.midia ->> 'url' = ${URL_SQL})
       and not exists (select 1 from produtos p where p.conta_id = $1 and p.imagem_url = ${URL_SQL})`,
    [contaId, before.pronto],
  )
  return (means.rowCount ?? 0) + (loose.rowCount ?? 0)
}

export async function listNamesWithRow(tx: Tx, contaId: string, names: readonly string[]): Promise<Set<string>> {
  const lines = await tx.kysely
    .selectFrom('arquivos')
    .select('nome')
    .where('contaId', '=', contaId)
    .where('nome', 'in', names)
    .execute()
  return new Set(lines.map(({ nome }) => nome))
}

export async function listContasWithArquivos(tx: Tx): Promise<string[]> {
  const lines = await tx.kysely.selectFrom('arquivos').select('contaId').distinct().execute()
  return lines.map(({ contaId }) => contaId)
}
