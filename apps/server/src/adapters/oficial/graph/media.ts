import { createHash } from 'node:crypto'
import { handleWhen, IterableBackoff, retry } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import * as z from 'zod/mini'
import { MediaRefused } from '@balcao/connector/errors'
import type { InboundMessage, SessionHost } from '@balcao/connector/port'
import { createStoreMedia } from '@balcao/connector/store-media'
import type { OficialNumber } from '#ports/oficial.ts'
import type { MetaMessage, RemoteFile } from '#adapters/oficial/content.ts'
import { MetaFailure, type MetaFailureType } from './errors.ts'
import { type Graph, fetchNumber } from './client.ts'

const MAX_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 15_000

const fileUrlSchema = z.object({
  url: z.string(),
  file_size: z.optional(z.coerce.number()),
  sha256: z.optional(z.string()),
})
const uploadedSchema = z.object({ id: z.string() })

/** Limits memory: after a stop many files wait, each of some megabytes. */
const CONCURRENCY = 4
/** A storage that fails longer must not hold back the message: it then arrives without its file. */
const STORE_PATIENCE_MS = 5 * 60_000
const WAITING_MAX = 5_000
const WAITS_MS = [500, 2_000]
const TRANSIENT_TYPES: ReadonlySet<MetaFailureType> = new Set(['incerta', 'rede', 'instavel', 'devagar'])

export interface MetaFilesOptions {
  readonly graph: Graph
  readonly host: Pick<SessionHost, 'storeMedia'>
  readonly storeWaitMs?: number
  /** Monotonic, in ms. */
  readonly now?: () => number
  readonly number: () => OficialNumber | null
  readonly report: (error: unknown, event: string) => void
}

/**
 * Downloads and stores the file of a message. Without its file the message still names the type of media. Rejects only
 * when a later attempt may succeed; a failing storage is repeated for 5 minutes.
 */
export function createMetaFiles(options: MetaFilesOptions): (message: MetaMessage) => Promise<InboundMessage> {
  const { graph, host, number, report, storeWaitMs, now = () => performance.now() } = options
  const downloads = new PQueue({ concurrency: CONCURRENCY })
  const store = createStoreMedia(host, report, storeWaitMs)
  const failingSince = new LRUCache<string, number>({ max: WAITING_MAX })

  const mayStoreLater = (error: unknown, messageId: string): boolean => {
    if (error instanceof MediaRefused) return false
    const since = failingSince.get(messageId) ?? now()
    failingSince.set(messageId, since)
    return now() - since < STORE_PATIENCE_MS
  }

  const withFile = async (
    current: OficialNumber,
    inbound: InboundMessage,
    file: RemoteFile,
  ): Promise<InboundMessage> => {
    let bytes
    try {
      bytes = await downloadMetaFile(graph, current, file)
    } catch (error) {
      report(error, 'media not stored')
      // Meta keeps the file for weeks, so it can be downloaded with a new token.
      if (isAccessError(error) && !(await isTokenAccepted(graph, current))) throw error
      return inbound
    }
    try {
      return { ...inbound, midia: await store(bytes, file.filename ?? '') }
    } catch (error) {
      report(error, 'media not stored')
      if (mayStoreLater(error, inbound.id)) throw error
      return inbound
    }
  }

  return async ({ inbound, file }) => {
    const current = number()
    if (file === undefined || current === null) return inbound
    return downloads.add(() => withFile(current, inbound, file))
  }
}

const isTokenAccepted = (graph: Graph, number: OficialNumber): Promise<boolean> =>
  fetchNumber(graph, number).then(
    () => true,
    (error: unknown) => !isAccessError(error),
  )

const isAccessError = (error: unknown): boolean =>
  error instanceof MetaFailure && (error.tipo === 'credenciais' || error.tipo === 'bloqueada')

const transientRetry = retry(
  handleWhen((error) => error instanceof MetaFailure && TRANSIENT_TYPES.has(error.tipo)),
  { maxAttempts: WAITS_MS.length, backoff: new IterableBackoff(WAITS_MS) },
).dangerouslyUnref()

/**
 * Downloads a contato's file and retries transient errors, because no caller does. Throws when it is too large,
 * deleted or does not match its checksum.
 */
const downloadMetaFile = (graph: Graph, number: OficialNumber, file: Pick<RemoteFile, 'id'>): Promise<Buffer> =>
  transientRetry.execute(() => downloadOnce(graph, number, file))

async function downloadOnce(
  graph: Graph,
  { telefoneId, token }: OficialNumber,
  { id }: Pick<RemoteFile, 'id'>,
): Promise<Buffer> {
  const path = `${encodeURIComponent(id)}?phone_number_id=${telefoneId}`
  const reply = await graph.request({ method: 'GET', path, token, timeoutMs: TIMEOUT_MS })
  const { url, file_size: size = 0, sha256 } = fileUrlSchema.parse(reply)
  if (size > MAX_BYTES) throw new MetaFailure('recusada', 'o arquivo é grande demais')
  const bytes = await graph.download(url, { token, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
  const digest = createHash('sha256').update(bytes).digest()
  // Webhooks give the checksum in base64, the API in hex.
  if (sha256 !== undefined && ![digest.toString('hex'), digest.toString('base64')].includes(sha256)) {
    throw new MetaFailure('recusada', 'o arquivo chegou diferente')
  }
  return bytes
}

export type MetaMediaType = 'image' | 'audio' | 'document'

export function metaMediaFormat(mimeType: string): { readonly tipo: MetaMediaType; readonly mime: string } | null {
  const [mime = ''] = mimeType.split(';')
  if (mime === 'image/jpeg' || mime === 'image/png') return { tipo: 'image', mime }
  if (mime === 'audio/ogg') return { tipo: 'audio', mime: 'audio/ogg; codecs=opus' }
  if (mime === 'audio/mp4' || mime === 'audio/mpeg') return { tipo: 'audio', mime }
  if (mime === 'text/csv') return { tipo: 'document', mime: 'text/plain' }
  return /^(application|text)\//.test(mime) ? { tipo: 'document', mime } : null
}

export async function uploadMetaFile(
  graph: Graph,
  { telefoneId, token }: OficialNumber,
  file: { readonly bytes: Uint8Array; readonly mime: string; readonly name: string },
): Promise<string> {
  const body = new FormData()
  body.set('messaging_product', 'whatsapp')
  body.set('type', file.mime)
  body.set('file', new Blob([Uint8Array.from(file.bytes)], { type: file.mime }), file.name)
  const parsed = await graph.request({
    method: 'POST',
    path: `${telefoneId}/media`,
    token,
    body,
    timeoutMs: TIMEOUT_MS,
  })
  return uploadedSchema.parse(parsed).id
}
