import { setTimeout as sleep } from 'node:timers/promises'
import { MEDIA_PATH_MAP } from 'baileys'
import type { MediaKind } from './media-cipher.ts'

const OFFICIAL_URL = 'https://mmg.whatsapp.net'
const WHATSAPP_HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.whatsapp\.net$/
const TIMEOUT_MS = 20_000
/** Ciphertext is longer than the file by at most this many bytes. */
const CIPHER_OVERHEAD = 64

export interface UploadHost {
  readonly hostname: string
  readonly auth: string
}

/**
 * WhatsApp's file servers. The caller gives a path and never a host, so a customer cannot choose the address that
 * we fetch.
 */
export interface MediaServer {
  readonly download: (path: string, maxBytes: number) => Promise<Buffer>
  readonly upload: (body: Buffer, kind: MediaKind, target: { token: string; host: UploadHost }) => Promise<string>
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>

/**
 * `base` replaces WhatsApp's servers in tests; the caller has checked that it is on this machine. `fetchUrl` replaces
 * `fetch`.
 */
export function createMediaServer(base?: string, fetchUrl: Fetch = fetch): MediaServer {
  return {
    download: async (path, maxBytes) => {
      const url = urlWithin(base ?? OFFICIAL_URL, path)
      const reply = await fetchWithRetry(() =>
        fetchUrl(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }),
      )
      if (!reply.ok || reply.body === null) throw new Error(`file not available (${reply.status})`)
      return readUpTo(reply.body, maxBytes + CIPHER_OVERHEAD)
    },
    upload: async (body, kind, { token, host }) => {
      if (base === undefined && !WHATSAPP_HOST.test(host.hostname)) throw new Error('not a host of WhatsApp')
      const safeToken = encodeURIComponent(token)
      const query = `auth=${encodeURIComponent(host.auth)}&token=${safeToken}`
      const url = urlWithin(base ?? `https://${host.hostname}`, `${MEDIA_PATH_MAP[kind] ?? ''}/${safeToken}?${query}`)
      const headers = { origin: 'https://web.whatsapp.com', 'content-type': 'application/octet-stream' }
      const reply = await fetchUrl(url, {
        ...{ method: 'POST', body: new Uint8Array(body), headers, redirect: 'error' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!reply.ok) throw new Error(`file not uploaded (${reply.status})`)
      return parsePath(await reply.json())
    },
  }
}

/** Retries failed downloads and overloaded servers (429, 5xx), because the server does not announce a file again. */
async function fetchWithRetry(send: () => Promise<Response>): Promise<Response> {
  for (const wait of RETRY_DELAYS_MS) {
    const reply = await send().catch(() => null)
    if (reply !== null && reply.status < 500 && reply.status !== 429) return reply
    await reply?.body?.cancel()
    await sleep(wait, undefined, { ref: false })
  }
  return send()
}
const RETRY_DELAYS_MS = [500, 2_000]

function urlWithin(base: string, path: string): URL {
  const url = new URL(path, base)
  if (!path.startsWith('/') || url.origin !== new URL(base).origin) throw new Error('path leaves its host')
  return url
}

async function readUpTo(body: ReadableStream<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of body) {
    total += chunk.length
    // Leaving the loop cancels the download.
    if (total > limit) throw new Error('file too big')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parsePath(response: unknown): string {
  if (typeof response === 'object' && response !== null && 'direct_path' in response) {
    const { direct_path: path } = response
    if (typeof path === 'string') return path
  }
  throw new Error('upload answer without a path')
}
