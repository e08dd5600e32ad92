import { IMAGEM_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { nomeDaUrl, urlDaImagem } from '../enderecos.ts'
import { apagarBytes, type ArquivosDeps, gravarBytes } from '../gravar-bytes.ts'
import { farejar } from '../rules/farejar.ts'
import { prepararImagem } from './preparar-imagem.ts'
import { deleteImagemSolta, hasImagem, updateImagemHistorica } from './repository.ts'

/** Accepts PNG, JPEG and WebP only, by their bytes. Throws `imagemGrande`, `imagemInvalida`. */
export function conferirImagem(bytes: Buffer): void {
  if (bytes.length > IMAGEM_MAXIMO_BYTES) throw new AppError('imagemGrande')
  if (farejar(bytes, '')?.midia !== 'imagem') throw new AppError('imagemInvalida')
}

/**
 * Re-encodes and stores a product picture and returns its URL. Throws `imagemGrande`, `imagemInvalida`,
 * `armazenamentoCheio`, `servidorOcupado`.
 */
export async function guardarImagem(deps: ArquivosDeps, contaId: string, bytes: Buffer): Promise<string> {
  conferirImagem(bytes)
  const { imagem, mini } = await prepararImagem(bytes)
  const nova = { uso: 'produto', tipo: 'image/webp', extensao: 'webp', nomeOriginal: '', bytes: imagem, mini } as const
  return urlDaImagem(await gravarBytes(deps, contaId, nova))
}

export async function temImagem(tx: Tx, contaId: string, url: string): Promise<boolean> {
  const nome = nomeDaUrl(url)
  return nome !== null && url === urlDaImagem(nome) && (await hasImagem(tx, contaId, nome))
}

/**
 * Releases the picture of a produto in the transaction that changes the produto. A picture that another produto
 * shows is kept. A picture that only a chat shows is kept and stops counting against the storage limit.
 */
export async function soltarImagem(
  tx: Tx,
  deps: Pick<Deps, 'files'>,
  contaId: string,
  url: string | null,
): Promise<void> {
  const nome = url === null ? null : nomeDaUrl(url)
  if (nome === null || url === null) return
  const foi = await deleteImagemSolta(tx, contaId, { nome, url })
  if (!foi) return updateImagemHistorica(tx, contaId, { nome, url })
  tx.afterCommit(async () => apagarBytes(deps, contaId, nome))
}

export async function descartarImagem(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  contaId: string,
  url: string,
): Promise<void> {
  await db.transaction(contaId, (tx) => soltarImagem(tx, { files }, contaId, url))
}
