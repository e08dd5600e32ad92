import * as z from 'zod/mini'
import { type Produto, produtoSchema } from '@balcao/contract/entities/produto'
import { instant } from '#db/statement/fields.ts'
import { changes, columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { hasImage } from '#modules/arquivos/index.ts'

const rowSchema = z.extend(z.omit(produtoSchema, { pausadoAte: true }), { pausadoAte: z.nullable(instant) })

/** A pause that ended stays stored and is not shown. */
function toProduto({ pausadoAte, ...row }: z.output<typeof rowSchema>): Produto {
  return { ...row, ...(pausadoAte === null ? {} : { pausadoAte }) }
}

const PRODUTO = sql`id, nome, descricao, preco, coalesce(link_checkout, '') as link_checkout, ativo, ordem, imagem_url,
  estoque, sinonimos, categoria, grupos, pausado_ate`
const imageSchema = z.object({ imagemUrl: z.nullable(z.string()) })
const theOne = sql`conta_id = ${contaId} and id = ${value('id', 'uuid')}`

/** Until the transaction ends, for changes that depend on the number or order of the produtos. */
export const lockCatalog = noRows(
  'produtos: lock',
  sql`select pg_advisory_xact_lock(hashtext('produtos'), hashtext(${contaId}::text))`,
)

const listRows = manyRows(
  'produtos: list',
  rowSchema,
  sql`select ${PRODUTO} from produtos where conta_id = ${contaId} order by ordem, id`,
  { prepared: true },
)

export async function listProdutos(tx: Tx, values: Parameters<typeof listRows>[1]): Promise<Produto[]> {
  return (await listRows(tx, values)).map(toProduto)
}

const listRowsOf = manyRows(
  'produtos: list some',
  rowSchema,
  sql`select ${PRODUTO} from produtos where conta_id = ${contaId} and id = any (${value('ids', 'uuid[]')})
      order by ordem, id`,
  { prepared: true },
)

/** Those of the ids that exist. Another text than an id is none. */
export async function listProdutosOf(tx: Tx, conta: string, ids: readonly string[]): Promise<Produto[]> {
  return (await listRowsOf(tx, { contaId: conta, ids: ids.filter(isUuid) })).map(toProduto)
}

/** Visible products whose folded names have all the patterns. A catalog is small enough to be read whole. */
export const listProdutosNamed = manyRows(
  'produtos: search',
  z.object({ id: z.string(), nome: z.string(), preco: z.number() }),
  sql`select id, nome, preco from produtos
      where conta_id = ${contaId} and ativo and busca_dobrar(nome) like all (${value('words', 'text[]')})
      order by ordem, id limit ${value('limit', 'int')}`,
)

const findRow = oneRow('produtos: find', rowSchema, sql`select ${PRODUTO} from produtos where ${theOne}`)

export async function findProduto(tx: Tx, values: Parameters<typeof findRow>[1]): Promise<Produto | null> {
  const row = await findRow(tx, values)
  return row === null ? null : toProduto(row)
}

export const lockProdutoImage = oneRow(
  'produtos: lock image',
  imageSchema,
  sql`select imagem_url from produtos where ${theOne} for no key update`,
)

export const countProdutos = oneValue(
  'produtos: count',
  z.int(),
  sql`select count(*)::int as value from produtos where conta_id = ${contaId}`,
)

export const insertProduto = noRows(
  'produtos: insert',
  sql`insert into produtos (conta_id, id, nome, descricao, preco, link_checkout, ativo, ordem, imagem_url, estoque,
        sinonimos, categoria, grupos, pausado_ate)
      values (${contaId}, ${value('id', 'uuid')}, ${value('nome', 'text')}, ${value('descricao', 'text')},
        ${value('preco', 'float8')}, nullif(${value('linkCheckout', 'text')}, ''), ${value('ativo', 'bool')},
        ${value('ordem', 'int')}, ${value('imagemUrl', 'text?')}, ${value('estoque', 'int?')},
        ${value('sinonimos', 'jsonb')}, ${value('categoria', 'text')}, ${value('grupos', 'jsonb')},
        ${value('pausadoAte', 'timestamptz?')})`,
)

/** Concurrent edits of different fields both persist. */
export const updateProduto = noRows(
  'produtos: update',
  sql`update produtos set ${changes('fields', {
    nome: 'text',
    descricao: 'text',
    preco: 'float8',
    linkCheckout: 'text?',
    ativo: 'bool',
    ordem: 'int',
    imagemUrl: 'text?',
    estoque: 'int?',
    sinonimos: 'jsonb',
    categoria: 'text',
    grupos: 'jsonb',
    pausadoAte: 'timestamptz?',
  })} where ${theOne}`,
)

export const deleteProduto = oneRow(
  'produtos: delete',
  imageSchema,
  sql`with apagado as (delete from produtos where ${theOne} returning ordem, imagem_url),
        seguintes as (update produtos p set ordem = p.ordem - 1 from apagado a where p.conta_id = ${contaId} and p.ordem > a.ordem)
      select imagem_url from apagado`,
)

export const updateSortOrder = noRows(
  'produtos: sort',
  sql`update produtos p set ordem = i.ordem from ${columns('i', { id: 'uuid', ordem: 'int' })}
      where p.conta_id = ${contaId} and p.id = i.id`,
)

/** Throws `dadosInvalidos` unless the URL is a stored product picture of the conta. */
export async function requireImage(tx: Tx, contaId: string, imagemUrl: string | null): Promise<void> {
  if (imagemUrl === null || (await hasImage(tx, contaId, imagemUrl))) return
  const mensagem = 'Esta imagem não está mais disponível. Envie-a de novo.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'imagemUrl', mensagem }] })
}
