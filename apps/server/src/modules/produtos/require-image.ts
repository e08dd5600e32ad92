import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { hasImage } from '#modules/arquivos/index.ts'

/** Throws `dadosInvalidos` unless the URL is a stored product picture of the conta. */
export async function requireImage(tx: Tx, contaId: string, imagemUrl: string | null): Promise<void> {
  if (imagemUrl === null || (await hasImage(tx, contaId, imagemUrl))) return
  const mensagem = 'Esta imagem não está mais disponível. Envie-a de novo.'
  throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'imagemUrl', mensagem }] })
}
