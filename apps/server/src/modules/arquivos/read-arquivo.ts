import type { Deps } from '#deps.ts'
import type { ReadMidia } from '#ports/ai.ts'
import { toJpeg } from './images/prepare-image.ts'
import { findArquivoType } from './repository.ts'
import { nameFromUrl } from './urls.ts'

interface ReadArquivo {
  readonly bytes: Uint8Array
  readonly mimeType: string
}

/** Null if the file is deleted, of another conta or at an external address. */
export async function readArquivo(
  { db, files }: Pick<Deps, 'db' | 'files'>,
  contaId: string,
  url: string,
): Promise<ReadArquivo | null> {
  const name = nameFromUrl(url)
  if (name === null) return null
  const found = await db.read(contaId, (tx) => findArquivoType(tx, { contaId, nome: name }))
  if (found === null) return null
  const bytes = await files.read(contaId, name)
  return bytes === null ? null : { bytes, mimeType: found.tipo }
}

export async function readForSending(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  contaId: string,
  url: string,
): Promise<ReadArquivo | null> {
  const parsed = await readArquivo(deps, contaId, url)
  if (parsed?.mimeType !== 'image/webp') return parsed
  try {
    return { bytes: await toJpeg(contaId, parsed.bytes), mimeType: 'image/jpeg' }
  } catch (error) {
    deps.log.warn({ err: error, contaId }, 'picture not converted to JPEG, sent as WebP')
    return parsed
  }
}

/** Null if the read fails, so the AI still answers the text. */
export function createReadMidia(deps: Pick<Deps, 'db' | 'files' | 'log'>): ReadMidia {
  return async (contaId, url) => {
    try {
      const parsed = await readArquivo(deps, contaId, url)
      return parsed !== null && /^(image|audio)\//.test(parsed.mimeType) ? parsed : null
    } catch (error) {
      deps.log.error({ err: error, contaId }, 'file not read for the AI')
      return null
    }
  }
}
