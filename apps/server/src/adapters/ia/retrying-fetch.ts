import { setTimeout as sleep } from 'node:timers/promises'
import type { OutboundFetch } from '#adapters/outbound/outbound.ts'
import { AiFailure, abortFailure } from './failures.ts'

const RESPONSE_MAX_BYTES = 1_048_576
/** A longer wait before the retry would use up the time for the answer. */
const WAIT_MAX_MS = 3_000

export interface RetryingFetchOptions {
  readonly outbound: OutboundFetch
  readonly signal: AbortSignal
  readonly backoffMs: number
}

/**
 * A `fetch` for one question: no redirects, at most 1 MB per response, and one retry with jitter on 429, 5xx or a
 * connection error. Throws `AiFailure`.
 */
export function createRetryingFetch({ outbound, signal, backoffMs }: RetryingFetchOptions): typeof globalThis.fetch {
  let mayRetry = true
  return async (url, init) => {
    for (;;) {
      const reply = await fetchOnce(
        () => outbound(urlOf(url), { ...init, signal, redirect: 'manual' }),
        signal,
        mayRetry,
      )
      const waitMs = mayRetry && isRetryable(reply) ? retryDelay(reply, backoffMs) : null
      if (reply !== null && waitMs === null) return readLimited(reply)
      mayRetry = false
      await reply?.body?.cancel()
      await wait(waitMs ?? backoffMs, signal)
    }
  }
}

async function fetchOnce(
  request: () => Promise<Response>,
  signal: AbortSignal,
  mayRetry: boolean,
): Promise<Response | null> {
  try {
    return await request()
  } catch (error) {
    if (signal.aborted) throw error
    if (mayRetry) return null
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new AiFailure('rede', cause)
  }
}

const urlOf = (url: Parameters<typeof globalThis.fetch>[0]): string => (url instanceof Request ? url.url : String(url))

const isRetryable = (response: Response | null): boolean =>
  response === null || response.status === 429 || response.status >= 500

function retryDelay(response: Response | null, backoffMs: number): number | null {
  const requested = Number(response?.headers.get('retry-after') ?? 0) * 1000
  if (requested > WAIT_MAX_MS) return null
  return Math.max(Number.isFinite(requested) ? requested : 0, backoffMs * (0.5 + Math.random()))
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw abortFailure(signal)
  })
}

async function readLimited(response: Response): Promise<Response> {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    await response.body?.cancel()
    throw new AiFailure('redirecionou', String(status))
  }
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > RESPONSE_MAX_BYTES) throw new AiFailure('grande')
    parts.push(part)
  }
  const type = headers.get('content-type') ?? 'application/json'
  return new Response(bytes === 0 ? null : new Blob(parts), {
    status,
    headers: { 'content-type': type },
  })
}
