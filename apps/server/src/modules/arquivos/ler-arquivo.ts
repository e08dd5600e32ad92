import type { Deps } from '#deps.ts'
import type { LerMidia } from '#ports/ai.ts'
import { nomeDaUrl } from './enderecos.ts'
import { paraJpeg } from './imagens/preparar-imagem.ts'
import { findTipo } from './repository.ts'

export interface ArquivoLido {
  readonly bytes: Uint8Array
  readonly mimeType: string
}

/**
 * Reads a file of the conta by the `midia.url` of a mensagem. Returns null if it is deleted, of another conta or an
 * external address.
 */
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

/** Reads a file for sending to a messaging service. Converts WebP to JPEG. */
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
    deps.log.warn({ err: error, contaId }, 'picture not converted to JPEG, sent as WebP')
    return lido
  }
}

/** Reads pictures and audio for the AI. Returns null if the read fails, so the AI still answers the text. */
export function createLerMidia(deps: Pick<Deps, 'db' | 'files' | 'log'>): LerMidia {
  return async (contaId, url) => {
    try {
      const lido = await lerArquivo(deps, contaId, url)
      return lido !== null && /^(image|audio)\//.test(lido.mimeType) ? lido : null
    } catch (error) {
      deps.log.error({ err: error, contaId }, 'file not read for the AI')
      return null
    }
  }
}
