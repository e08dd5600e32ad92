import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { temImagem } from '#modules/arquivos/index.ts'

/** An address that a product is to show must be one that this account was given. Throws `dadosInvalidos`. */
export async function exigirImagem(tx: Tx, contaId: string, imagemUrl: string | null): Promise<void> {
  if (imagemUrl === null || (await temImagem(tx, contaId, imagemUrl))) return
  const mensagem = 'Esta imagem não está mais disponível. Envie-a de novo.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'imagemUrl', mensagem }] })
}
