import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'

const nome = value('nome', 'text')
const url = value('url', 'text')
const theOne = sql`conta_id = ${contaId} and nome = ${nome} and uso = 'produto'`
const notInProduto = sql`not exists (select 1 from produtos p where p.conta_id = ${contaId} and p.imagem_url = ${url})`
const notInChat = sql`not exists (
  select 1 from mensagens m where m.conta_id = ${contaId} and m.midia is not null and m.midia ->> 'url' = ${url})`

export const deleteUnusedImage = noRows(
  'arquivos: delete unused image',
  sql`delete from arquivos where ${theOne} and ${notInProduto} and ${notInChat}`,
)

export const markImageHistoric = noRows(
  'arquivos: mark image historic',
  sql`update arquivos set uso = 'historico' where ${theOne} and ${notInProduto}`,
)

export const holdImage = oneRow(
  'arquivos: hold image',
  z.object({ nome: z.string() }),
  sql`select nome from arquivos where ${theOne} and estado = 'pronto' for share`,
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
