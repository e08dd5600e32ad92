import * as z from 'zod/mini'
import { createOutbound, LOOPBACK_HOSTS, type OutboundFetch } from '#adapters/outbound/outbound.ts'
import type { OficialNumber } from '#ports/oficial.ts'
import { MetaFailure, toMetaFailure } from './errors.ts'

const GRAPH_URL = 'https://graph.facebook.com'
/** Meta supports each version for two years. */
const API_VERSION = 'v24.0'
/** Hosts of Meta's files. Downloads carry the token, so no other host is allowed. */
const FILE_HOSTS: ReadonlySet<string> = new Set(['lookaside.fbsbx.com'])
const RESPONSE_MAX_BYTES = 8 * 1024 * 1024
const JSON_MAX_BYTES = 2 * 1024 * 1024

export interface GraphRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly token: string
  readonly body?: object | FormData
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** Meta's Graph API over HTTP: no redirects, with a timeout and a size limit. Every error is a `MetaFailure`. */
export interface Graph {
  readonly request: (request: GraphRequest) => Promise<unknown>
  readonly download: (
    url: string,
    options: Omit<GraphRequest, 'path' | 'method' | 'body'> & { readonly maxBytes: number },
  ) => Promise<Buffer>
}

/** `baseUrl` has no version and comes only from the environment. Throws when it would send tokens unencrypted. */
export function createGraph(baseUrl: string = GRAPH_URL): Graph {
  const base = new URL(baseUrl)
  if (base.protocol !== 'https:' && !(base.protocol === 'http:' && LOOPBACK_HOSTS.has(base.hostname))) {
    throw new Error('WHATSAPP_CLOUD_BASE_URL must be https or a loopback address')
  }
  const output = createOutbound({
    fixedOrigins: [...(baseUrl === GRAPH_URL ? [GRAPH_URL] : []), ...[...FILE_HOSTS].map((host) => `https://${host}`)],
    envOrigins: baseUrl === GRAPH_URL ? [] : [baseUrl],
    maxBytes: RESPONSE_MAX_BYTES,
  })
  const root = `${baseUrl.replace(/\/+$/, '')}/${API_VERSION}`

  return {
    request: async ({ method, path, token, body, timeoutMs, signal }) => {
      const json = body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }
      const { response, bytes } = await fetchBytes(output, `${root}/${path}`, {
        ...{ method, timeoutMs, signal, maxBytes: JSON_MAX_BYTES },
        headers: { authorization: `Bearer ${token}`, ...json },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      const parsed = parseJson(bytes)
      if (!response.ok) {
        throw toMetaFailure({ status: response.status, body: parsed, retryAfter: response.headers.get('retry-after') })
      }
      if (parsed === undefined) throw new MetaFailure('incerta', 'a resposta não se entende')
      return parsed
    },
    download: async (url, { token, timeoutMs, signal, maxBytes }) => {
      if (!isMetaHost(url, base)) throw new MetaFailure('recusada', 'o arquivo não está em um servidor da Meta')
      const headers = { authorization: `Bearer ${token}` }
      const { response, bytes } = await fetchBytes(output, url, {
        method: 'GET',
        headers,
        timeoutMs,
        signal,
        maxBytes,
      })
      if (!response.ok) throw toMetaFailure({ status: response.status, body: undefined, retryAfter: null })
      return bytes
    },
  }
}

function isMetaHost(address: string, base: URL): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  return url.origin === base.origin || (url.protocol === 'https:' && url.port === '' && FILE_HOSTS.has(url.hostname))
}

interface FetchOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly maxBytes: number
}

async function fetchBytes(
  outbound: OutboundFetch,
  url: string,
  options: FetchOptions,
): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const { method, headers, body, timeoutMs, signal: cancelled, maxBytes } = options
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = cancelled === undefined ? deadline : AbortSignal.any([deadline, cancelled])
  try {
    const init = { method, headers, signal }
    const response = await outbound(url, body === undefined ? init : { ...init, body })
    return { response, bytes: await readAll(response, maxBytes) }
  } catch (error) {
    throw error instanceof MetaFailure ? error : networkFailure(error)
  }
}

async function readAll(response: Response, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > maxBytes) throw new MetaFailure('recusada', 'a resposta é grande demais')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const NEVER_SENT_CODES: ReadonlySet<string> = new Set([
  ...(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'SAIDA_RECUSADA'] as const),
])

/** A connection that was never opened sent nothing; a broken one may have sent the request. */
function networkFailure(error: unknown): MetaFailure {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const name = error instanceof Error ? error.name : ''
  return new MetaFailure(NEVER_SENT_CODES.has(code) ? 'rede' : 'incerta', code || name || 'sem resposta')
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

const TIMEOUT_MS = 10_000

const metaNumberSchema = z.object({
  display_phone_number: z.optional(z.string()),
  verified_name: z.optional(z.string()),
})

/** Reads the number and its display name, which proves that the token is valid. Throws `MetaFailure`. */
export async function fetchNumber(
  graph: Graph,
  { telefoneId, token }: OficialNumber,
): Promise<{ readonly como: string; readonly numero: string }> {
  const path = `${telefoneId}?fields=display_phone_number,verified_name`
  const parsed = metaNumberSchema.parse(await graph.request({ method: 'GET', path, token, timeoutMs: TIMEOUT_MS }))
  const parts = [parsed.verified_name, parsed.display_phone_number].filter((part) => part !== undefined && part !== '')
  const como = parts.length === 0 ? telefoneId : parts.join(' · ')
  return { como, numero: parsed.display_phone_number ?? '' }
}

export async function setWebhookSubscription(
  graph: Graph,
  { contaWhatsappId, token }: OficialNumber,
  method: 'POST' | 'DELETE',
): Promise<void> {
  await graph.request({ method, path: `${contaWhatsappId}/subscribed_apps`, token, timeoutMs: TIMEOUT_MS })
}
