import { IMAGEM_MAXIMO_BYTES } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { sniffType } from '#modules/arquivos/rules/sniff.ts'
import { checkSpace, deleteBytes, type ArquivosDeps, storeBytes } from '#modules/arquivos/store-bytes.ts'
import { nameFromUrl, imageUrl } from '#modules/arquivos/urls.ts'
import { prepareImage } from './prepare-image.ts'
import { deleteUnusedImage, holdImage, markImageHistoric } from '#modules/arquivos/repository.ts'

/** Throws `imagemGrande`, `imagemInvalida`. */
export function checkImage(bytes: Buffer): void {
  if (bytes.length > IMAGEM_MAXIMO_BYTES) throw new AppError('imagemGrande')
  if (sniffType(bytes, '')?.midia !== 'imagem') throw new AppError('imagemInvalida')
}

/** Throws `imagemGrande`, `imagemInvalida`, `armazenamentoCheio`, `servidorOcupado`. */
export async function storeImage(deps: ArquivosDeps, contaId: string, bytes: Buffer): Promise<string> {
  checkImage(bytes)
  await checkSpace(deps, contaId, 'produto')
  const { image, mini } = await prepareImage(contaId, bytes)
  const fresh = { uso: 'produto', tipo: 'image/webp', extension: 'webp', nomeOriginal: '', bytes: image, mini } as const
  return imageUrl(await storeBytes(deps, contaId, fresh))
}

export async function hasImage(tx: Tx, contaId: string, url: string): Promise<boolean> {
  const name = nameFromUrl(url)
  return name !== null && url === imageUrl(name) && (await holdImage(tx, { contaId, nome: name })) !== null
}

/** Keeps a picture that another produto or a chat shows. A picture that only a chat shows counts against another limit. */
export async function releaseImage(
  tx: Tx,
  deps: Pick<Deps, 'files'>,
  contaId: string,
  url: string | null,
): Promise<void> {
  const nome = url === null ? null : nameFromUrl(url)
  if (nome === null || url === null) return
  const image = { contaId, nome, url }
  if ((await deleteUnusedImage(tx, image)) === 0) await markImageHistoric(tx, image)
  else tx.afterCommit(async () => deleteBytes(deps, contaId, nome))
}

export async function discardImage(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  contaId: string,
  url: string,
): Promise<void> {
  await db.transaction(contaId, (tx) => releaseImage(tx, { files }, contaId, url))
}
