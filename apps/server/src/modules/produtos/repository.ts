import type { Produto } from '@balcao/contract/entities/produto'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { hasImage } from '#modules/arquivos/index.ts'

/** Advisory lock until the transaction ends, for changes that depend on the number or order of the produtos. */
export async function lockCatalog(tx: Tx, contaId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('produtos'), hashtext($1))`, [contaId])
}

const COLUMNS = ['id', 'nome', 'descricao', 'preco', 'linkCheckout', 'ativo', 'ordem', 'imagemUrl'] as const

interface ProdutoRow extends Omit<Produto, 'linkCheckout'> {
  readonly linkCheckout: string | null
}

const toProduto = ({ linkCheckout, ...rest }: ProdutoRow): Produto => ({ ...rest, linkCheckout: linkCheckout ?? '' })

export async function listProdutos(tx: Tx, contaId: string): Promise<Produto[]> {
  const lines = await tx.kysely
    .selectFrom('produtos')
    .select(COLUMNS)
    .where('contaId', '=', contaId)
    .orderBy('ordem')
    .orderBy('id')
    .execute()
  return lines.map(toProduto)
}

export async function findProduto(tx: Tx, contaId: string, id: string): Promise<Produto | null> {
  const line = await tx.kysely
    .selectFrom('produtos')
    .select(COLUMNS)
    .where('contaId', '=', contaId)
    .where('id', '=', id)
    .executeTakeFirst()
  return line === undefined ? null : toProduto(line)
}

export async function lockProdutoImage(
  tx: Tx,
  contaId: string,
  id: string,
): Promise<{ imagemUrl: string | null } | null> {
  const line = await tx.kysely
    .selectFrom('produtos')
    .select('imagemUrl')
    .where('contaId', '=', contaId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return line ?? null
}

export async function countProdutos(tx: Tx, contaId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>('select count(*)::int as n from produtos where conta_id = $1', [
    contaId,
  ])
  return rows[0]?.n ?? 0
}

export async function insertProduto(tx: Tx, contaId: string, produto: Produto): Promise<void> {
  const { linkCheckout } = produto
  await tx.kysely
    .insertInto('produtos')
    .values({ contaId, ...produto, linkCheckout: linkCheckout === '' ? null : linkCheckout })
    .execute()
}

/** Updates only the given columns, so concurrent edits of different fields both persist. */
export async function updateProduto(
  tx: Tx,
  contaId: string,
  id: string,
  { linkCheckout, ...changes }: Partial<Omit<Produto, 'id'>>,
): Promise<void> {
  const link = linkCheckout === undefined ? {} : { linkCheckout: linkCheckout === '' ? null : linkCheckout }
  if (Object.keys({ ...changes, ...link }).length === 0) return
  await tx.kysely
    .updateTable('produtos')
    .set({ ...changes, ...link })
    .where('contaId', '=', contaId)
    .where('id', '=', id)
    .execute()
}

/** Deletes a produto and closes the gap in the order. Returns its picture, or null if the produto does not exist. */
export async function deleteProduto(tx: Tx, contaId: string, id: string): Promise<{ imagemUrl: string | null } | null> {
  const deleted = await tx.kysely
    .deleteFrom('produtos')
    .where('contaId', '=', contaId)
    .where('id', '=', id)
    .returning(['ordem', 'imagemUrl'])
    .executeTakeFirst()
  if (deleted === undefined) return null
  await tx.query('update produtos set ordem = ordem - 1 where conta_id = $1 and ordem > $2', [contaId, deleted.ordem])
  return { imagemUrl: deleted.imagemUrl }
}

export async function updateSortOrder(
  tx: Tx,
  contaId: string,
  orders: readonly { readonly id: string; readonly ordem: number }[],
): Promise<number> {
  const { rowCount } = await tx.query(
    `update produtos p set ordem = i.ordem from unnest($2::uuid[], $3::int[]) as i (id, ordem)
     where p.conta_id = $1 and p.id = i.id`,
    [contaId, orders.map(({ id }) => id), orders.map(({ ordem }) => ordem)],
  )
  return rowCount ?? 0
}

/** Throws `dadosInvalidos` unless the URL is a stored product picture of the conta. */
export async function requireImage(tx: Tx, contaId: string, imagemUrl: string | null): Promise<void> {
  if (imagemUrl === null || (await hasImage(tx, contaId, imagemUrl))) return
  const mensagem = 'Esta imagem não está mais disponível. Envie-a de novo.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'imagemUrl', mensagem }] })
}
