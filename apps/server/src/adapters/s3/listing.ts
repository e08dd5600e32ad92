import { FILE_NAME, FOLDER_NAME } from '#adapters/disk/file-names.ts'
import type { StoredFile } from '#ports/files.ts'

export interface S3Page {
  readonly files: readonly StoredFile[]
  readonly continuationToken: string | null
}

/** Parses one page of ListObjectsV2. Foreign keys are skipped: the bucket may hold other data. */
export function parseListing(xml: string): S3Page {
  const arquivos: StoredFile[] = []
  for (const [, key = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) {
    const [contaId = '', nome = '', ...rest] = key.split('/')
    if (FOLDER_NAME.test(contaId) && FILE_NAME.test(nome) && rest.length === 0) arquivos.push({ contaId, nome })
  }
  const continua = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(xml)?.[1]
  return { files: arquivos, continuationToken: continua === undefined ? null : decodeEntities(continua) }
}

const XML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (inteira, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return XML_ENTITIES[name] ?? inteira
  })
}
