import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/** `historico`: a picture of an earlier produto that a chat still shows. */
export type StorageUse = 'midia' | 'produto' | 'historico'

const nome = value('nome', 'text')
const theOne = sql`conta_id = ${contaId} and nome = ${nome}`

const lockUploads = noRows(
  'arquivos: lock uploads',
  sql`select pg_advisory_xact_lock(hashtext('arquivos'), hashtext(${contaId}::text))`,
)

const sumStorage = oneRow(
  'arquivos: sum storage',
  z.object({ arquivos: z.int(), bytes: z.number() }),
  sql`select count(*)::int as arquivos, coalesce(sum(tamanho + coalesce(tamanho_mini, 0)), 0)::float8 as bytes
    from arquivos where conta_id = ${contaId} and uso = ${value('use', 'text')}`,
)

/** Locks the uploads of the conta until the transaction ends, so two uploads cannot take the same space. */
export async function lockStorageUse(
  tx: Tx,
  contaId: string,
  use: StorageUse,
): Promise<{ arquivos: number; bytes: number }> {
  await lockUploads(tx, { contaId })
  return (await sumStorage(tx, { contaId, use })) ?? { arquivos: 0, bytes: 0 }
}

export const insertArquivo = noRows(
  'arquivos: insert',
  sql`insert into arquivos (conta_id, nome, uso, tipo, tamanho, tamanho_mini, nome_original, criado_em)
    values (${contaId}, ${nome}, ${value('uso', 'text')}, ${value('tipo', 'text')}, ${value('tamanho', 'int')},
      ${value('tamanhoMini', 'int?')}, ${value('nomeOriginal', 'text')}, ${value('criadoEm', 'timestamptz')})`,
)

export const markArquivoReady = noRows(
  'arquivos: mark ready',
  sql`update arquivos set estado = 'pronto' where ${theOne}`,
)

export const deleteArquivo = noRows('arquivos: delete', sql`delete from arquivos where ${theOne}`)

const readyArquivoSchema = z.object({
  contaId: z.string(),
  tipo: z.string(),
  tamanho: z.number(),
  nomeOriginal: z.string(),
})
export type ReadyArquivo = z.output<typeof readyArquivoSchema>

export const findReadyArquivo = oneRow(
  'arquivos: find ready',
  readyArquivoSchema,
  sql`select conta_id, tipo, tamanho, nome_original from arquivos
    where nome = ${nome} and uso = 'midia' and estado = 'pronto'`,
)

export const findArquivoType = oneRow(
  'arquivos: find type',
  z.object({ tipo: z.string() }),
  sql`select tipo from arquivos where ${theOne} and estado = 'pronto'`,
)

const URL_SQL = sql`case a.uso when 'midia' then '/api/midias/' else '/api/imagens/' end || a.nome`

const deletePending = noRows(
  'arquivos: delete pending',
  sql`delete from arquivos
    where conta_id = ${contaId} and estado = 'pendente' and criado_em < ${value('pendente', 'timestamptz')}`,
)

const deleteUnused = noRows(
  'arquivos: delete unused',
  sql`delete from arquivos a where a.conta_id = ${contaId} and a.criado_em < ${value('pronto', 'timestamptz')}
    and not exists (
      select 1 from mensagens m
      where m.conta_id = ${contaId} and m.midia is not null and m.midia ->> 'url' = ${URL_SQL})
    and not exists (select 1 from produtos p where p.conta_id = ${contaId} and p.imagem_url = ${URL_SQL})`,
)

export async function deleteOrphanRows(
  tx: Tx,
  contaId: string,
  before: { readonly pendente: Date; readonly pronto: Date },
): Promise<number> {
  const pending = await deletePending(tx, { contaId, ...before })
  return pending + (await deleteUnused(tx, { contaId, ...before }))
}

const listNames = manyRows(
  'arquivos: list names',
  z.object({ nome: z.string() }),
  sql`select nome from arquivos where conta_id = ${contaId} and nome = any (${value('names', 'text[]')})`,
)

export async function listNamesWithRow(tx: Tx, contaId: string, names: readonly string[]): Promise<Set<string>> {
  return new Set((await listNames(tx, { contaId, names })).map((row) => row.nome))
}

export const listContasWithArquivos = manyRows(
  'arquivos: list contas',
  z.object({ contaId: z.string() }),
  sql`select distinct conta_id from arquivos`,
)

const url = value('url', 'text')
const theImage = sql`conta_id = ${contaId} and nome = ${nome} and uso = 'produto'`
const notInProduto = sql`not exists (select 1 from produtos p where p.conta_id = ${contaId} and p.imagem_url = ${url})`
const notInChat = sql`not exists (
  select 1 from mensagens m where m.conta_id = ${contaId} and m.midia is not null and m.midia ->> 'url' = ${url})`

export const deleteUnusedImage = noRows(
  'arquivos: delete unused image',
  sql`delete from arquivos where ${theImage} and ${notInProduto} and ${notInChat}`,
)

export const markImageHistoric = noRows(
  'arquivos: mark image historic',
  sql`update arquivos set uso = 'historico' where ${theImage} and ${notInProduto}`,
)

export const holdImage = oneRow(
  'arquivos: hold image',
  z.object({ nome: z.string() }),
  sql`select nome from arquivos where ${theImage} and estado = 'pronto' for share`,
)

const publicImageSchema = z.object({
  contaId: z.string(),
  tamanho: z.number(),
  tamanhoMini: z.nullable(z.number()),
})

export const findPublicImage = oneRow(
  'arquivos: find public image',
  publicImageSchema,
  sql`select conta_id, tamanho, tamanho_mini from arquivos
    where nome = ${nome} and uso in ('produto', 'historico') and estado = 'pronto'`,
)
