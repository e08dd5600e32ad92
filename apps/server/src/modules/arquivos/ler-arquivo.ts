import type { Deps } from '#deps.ts'
import { nomeDaUrl } from './enderecos.ts'
import { findTipo } from './repository.ts'

export interface ArquivoLido {
  readonly bytes: Uint8Array
  readonly mimeType: string
}

/** The bytes of one of the account's files, by a message's `midia.url`; null for what is gone, another's, or no file of ours. */
export async function lerArquivo(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  contaId: string,
  url: string,
): Promise<ArquivoLido | null> {
  const nome = nomeDaUrl(url)
  if (nome === null) return null
  const mimeType = await db.read(contaId, (tx) => findTipo(tx, contaId, nome))
  if (mimeType === null) return null
  const bytes = await files.read(contaId, nome)
  return bytes === null ? null : { bytes, mimeType }
}
