import type { Deps } from '#deps.ts'
import type { LerMidia } from '#ports/ai.ts'
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

/** What a model may see or hear of a message. A file that cannot be read is no reason not to answer. */
export function createLerMidia(deps: Pick<Deps, 'db' | 'files' | 'log'>): LerMidia {
  return async (contaId, url) => {
    try {
      const lido = await lerArquivo(deps, contaId, url)
      return lido !== null && /^(image|audio)\//.test(lido.mimeType) ? lido : null
    } catch (error) {
      deps.log.error({ err: error, contaId }, 'a file could not be read for the AI')
      return null
    }
  }
}
