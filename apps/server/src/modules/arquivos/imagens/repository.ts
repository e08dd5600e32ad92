import type { Tx } from '#db/transaction.ts'

interface Imagem {
  readonly nome: string
  readonly url: string
}

const NAO_E_DE_PRODUTO = 'not exists (select 1 from produtos p where p.conta_id = $1 and p.imagem_url = $3)'
const NAO_E_DE_CHAT = `not exists (select 1 from mensagens m
  where m.conta_id = $1 and m.midia is not null and m.midia ->> 'url' = $3)`

/** Deletes the row if neither a produto nor a chat shows the picture. Returns true if it deleted the row. */
export async function deleteImagemSolta(tx: Tx, contaId: string, { nome, url }: Imagem): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from arquivos where conta_id = $1 and nome = $2 and uso = 'produto' and ${NAO_E_DE_PRODUTO} and ${NAO_E_DE_CHAT}`,
    [contaId, nome, url],
  )
  return rowCount === 1
}

export async function updateImagemHistorica(tx: Tx, contaId: string, { nome, url }: Imagem): Promise<void> {
  await tx.query(
    `update arquivos set uso = 'historico' where conta_id = $1 and nome = $2 and uso = 'produto' and ${NAO_E_DE_PRODUTO}`,
    [contaId, nome, url],
  )
}

/** Locks the row with `for share`, so no transaction releases the picture meanwhile. */
export async function hasImagem(tx: Tx, contaId: string, nome: string): Promise<boolean> {
  const linha = await tx.kysely
    .selectFrom('arquivos')
    .select('nome')
    .where('contaId', '=', contaId)
    .where('nome', '=', nome)
    .where('uso', '=', 'produto')
    .where('estado', '=', 'pronto')
    .forShare()
    .executeTakeFirst()
  return linha !== undefined
}

export interface ImagemPublica {
  readonly contaId: string
  readonly tamanho: number
  readonly tamanhoMini: number | null
}

export async function findImagemPublica(tx: Tx, nome: string): Promise<ImagemPublica | null> {
  const linha = await tx.kysely
    .selectFrom('arquivos')
    .select(['contaId', 'tamanho', 'tamanhoMini'])
    .where('nome', '=', nome)
    .where('uso', 'in', ['produto', 'historico'])
    .where('estado', '=', 'pronto')
    .executeTakeFirst()
  return linha ?? null
}
