import type { Tx } from '#db/transaction.ts'

interface ImageRef {
  readonly nome: string
  readonly url: string
}

const NOT_IN_PRODUTO = 'not exists (select 1 from produtos p where p.conta_id = $1 and p.imagem_url = $3)'
const NOT_IN_CHAT = `not exists (select 1 from mensagens m
  where m.conta_id = $1 and m.midia is not null and m.midia ->> 'url' = $3)`

/** Deletes the row if neither a produto nor a chat shows the picture. Returns true if it deleted the row. */
export async function deleteUnusedImage(tx: Tx, contaId: string, { nome, url }: ImageRef): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from arquivos where conta_id = $1 and nome = $2 and uso = 'produto' and ${NOT_IN_PRODUTO} and ${NOT_IN_CHAT}`,
    [contaId, nome, url],
  )
  return rowCount === 1
}

export async function markImageHistoric(tx: Tx, contaId: string, { nome, url }: ImageRef): Promise<void> {
  await tx.query(
    `update arquivos set uso = 'historico' where conta_id = $1 and nome = $2 and uso = 'produto' and ${NOT_IN_PRODUTO}`,
    [contaId, nome, url],
  )
}

/** Locks the row with `for share`, so no transaction releases the picture meanwhile. */
export async function holdImage(tx: Tx, contaId: string, name: string): Promise<boolean> {
  const line = await tx.kysely
    .selectFrom('arquivos')
    .select('nome')
    .where('contaId', '=', contaId)
    .where('nome', '=', name)
    .where('uso', '=', 'produto')
    .where('estado', '=', 'pronto')
    .forShare()
    .executeTakeFirst()
  return line !== undefined
}

export interface PublicImage {
  readonly contaId: string
  readonly tamanho: number
  readonly tamanhoMini: number | null
}

export async function findPublicImage(tx: Tx, name: string): Promise<PublicImage | null> {
  const line = await tx.kysely
    .selectFrom('arquivos')
    .select(['contaId', 'tamanho', 'tamanhoMini'])
    .where('nome', '=', name)
    .where('uso', 'in', ['produto', 'historico'])
    .where('estado', '=', 'pronto')
    .executeTakeFirst()
  return line ?? null
}
