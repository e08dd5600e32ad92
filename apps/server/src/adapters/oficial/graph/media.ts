import { createHash } from 'node:crypto'
import { setTimeout as dormir } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { OficialNumber } from '#ports/oficial.ts'
import type { RemoteFile } from '#adapters/oficial/content.ts'
import { MetaFailure, type MetaFailureType } from './errors.ts'
import type { Graph } from './client.ts'

const MAX_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 15_000

const fileUrlSchema = z.object({
  url: z.string(),
  file_size: z.optional(z.coerce.number()),
  sha256: z.optional(z.string()),
})
const uploadedSchema = z.object({ id: z.string() })

/**
 * Downloads a contato's file and retries transient errors, because no caller does. Throws when it is too large,
 * deleted or does not match its checksum.
 */
export async function downloadMetaFile(
  graph: Graph,
  numero: OficialNumber,
  file: Pick<RemoteFile, 'id'>,
): Promise<Buffer> {
  for (const wait of WAITS_MS) {
    try {
      return await downloadOnce(graph, numero, file)
    } catch (error) {
      if (!(error instanceof MetaFailure) || !TRANSIENT_TYPES.has(error.tipo)) throw error
      await dormir(wait, undefined, { ref: false })
    }
  }
  return downloadOnce(graph, numero, file)
}
const WAITS_MS = [500, 2_000]
const TRANSIENT_TYPES: ReadonlySet<MetaFailureType> = new Set(['incerta', 'rede', 'instavel', 'devagar'])

async function downloadOnce(
  graph: Graph,
  { telefoneId, token }: OficialNumber,
  { id }: Pick<RemoteFile, 'id'>,
): Promise<Buffer> {
  const caminho = `${encodeURIComponent(id)}?phone_number_id=${telefoneId}`
  const parsed = await graph.request({ method: 'GET', path: caminho, token, timeoutMs: TIMEOUT_MS })
  const { url, file_size: size = 0, sha256 } = fileUrlSchema.parse(parsed)
  if (size > MAX_BYTES) throw new MetaFailure('recusada', 'o arquivo é grande demais')
  const bytes = await graph.download(url, { token, timeoutMs: TIMEOUT_MS, maximo: MAX_BYTES })
  const summary = createHash('sha256').update(bytes).digest()
  // Webhooks give the checksum in base64, the API in hex.
  if (sha256 !== undefined && ![summary.toString('hex'), summary.toString('base64')].includes(sha256)) {
    throw new MetaFailure('recusada', 'o arquivo chegou diferente')
  }
  return bytes
}

export type MetaMediaType = 'image' | 'audio' | 'document'

/** Meta's type for a file of this MIME type; null when Meta does not accept it. */
export function metaMediaFormat(mimeType: string): { readonly tipo: MetaMediaType; readonly mime: string } | null {
  const [mime = ''] = mimeType.split(';')
  if (mime === 'image/jpeg' || mime === 'image/png') return { tipo: 'image', mime }
  if (mime === 'audio/ogg') return { tipo: 'audio', mime: 'audio/ogg; codecs=opus' }
  if (mime === 'audio/mp4' || mime === 'audio/mpeg') return { tipo: 'audio', mime }
  if (mime === 'text/csv') return { tipo: 'document', mime: 'text/plain' }
  return /^(application|text)\//.test(mime) ? { tipo: 'document', mime } : null
}

/** Uploads a file and returns its id at Meta. Repeating the upload is harmless. */
export async function uploadMetaFile(
  graph: Graph,
  { telefoneId, token }: OficialNumber,
  file: { readonly bytes: Uint8Array; readonly mime: string; readonly name: string },
): Promise<string> {
  const corpo = new FormData()
  corpo.set('messaging_product', 'whatsapp')
  corpo.set('type', file.mime)
  corpo.set('file', new Blob([Uint8Array.from(file.bytes)], { type: file.mime }), file.name)
  const parsed = await graph.request({
    method: 'POST',
    path: `${telefoneId}/media`,
    token,
    body: corpo,
    timeoutMs: TIMEOUT_MS,
  })
  return uploadedSchema.parse(parsed).id
}
