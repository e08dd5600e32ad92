import type { Deps } from '#deps.ts'
import type { LerMidia } from '#ports/ai.ts'
import { nomeDaUrl } from './enderecos.ts'
import { paraJpeg } from './imagens/preparar-imagem.ts'
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

/** The same for a messaging service: a picture that it would not show goes out as JPEG. */
export async function lerParaEnviar(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  contaId: string,
  url: string,
): Promise<ArquivoLido | null> {
  const lido = await lerArquivo(deps, contaId, url)
  if (lido?.mimeType !== 'image/webp') return lido
  try {
    return { bytes: await paraJpeg(lido.bytes), mimeType: 'image/jpeg' }
  } catch (error) {
    deps.log.warn({ err: error, contaId }, 'a picture leaves as it is: it could not be drawn as JPEG')
    return lido
  }
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
