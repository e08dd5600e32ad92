import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as esperar } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { requireContaId, requireFileName } from '#adapters/disk/file-names.ts'
import { createOutbound } from '#adapters/outbound/outbound.ts'
import type { Files } from '#ports/files.ts'
import { parseListing } from './listing.ts'

export interface S3Options {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  readonly pathStyle: boolean
}

export interface S3FilesOptions extends S3Options {
  /** Crash-test hook, called before the first byte and after the file is in place. */
  readonly onWrite?: (instant: 'antes' | 'depois') => void
}

const TIMEOUT_MS = 20_000
/** A file may be streamed at the speed of a slow phone. */
const READ_TIMEOUT_MS = 120_000
const MAX_BYTES = 32 * 1024 * 1024
/** Retries on 5xx and 429, with a growing random pause. */
const RETRIES = 3
const BACKOFF_MS = 50

interface S3Request {
  readonly method?: 'GET' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  readonly signal?: AbortSignal
}

/** Stores files in an S3-compatible bucket under `conta/nome`, which several nodes can share. A PUT is atomic. */
export function createS3Files({ onWrite = () => {}, ...s3 }: S3FilesOptions): Files {
  const { accessKeyId, secretAccessKey, region } = s3
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  const base = bucketUrl(s3)
  const output = createOutbound({
    ...{ fixedOrigins: [], envOrigins: [base], timeoutMs: READ_TIMEOUT_MS },
    maxBytes: MAX_BYTES,
  })

  const ask = async (target: string, request: S3Request = {}): Promise<Response> => {
    const { method = 'GET', headers: others = {}, body = null, signal = AbortSignal.timeout(TIMEOUT_MS) } = request
    const content = { 'x-amz-content-sha256': sha256(body ?? new Uint8Array()) }
    for (let attempt = 0; ; attempt += 1) {
      const { url, headers } = await aws.sign(`${base}${target}`, { method, headers: { ...others, ...content }, body })
      const reply = await output(url, { method, headers, body, signal })
      const busy = reply.status >= 500 || reply.status === 429
      if (!busy || attempt === RETRIES) return reply
      await discard(reply)
      await esperar(Math.random() * BACKOFF_MS * 2 ** attempt)
    }
  }
  const chaveDe = (contaId: string, name: string): string => {
    requireContaId(contaId)
    requireFileName(name)
    return `/${contaId}/${name}`
  }
  const open = async (contaId: string, name: string, request: S3Request = {}): Promise<Response | null> => {
    const reply = await ask(chaveDe(contaId, name), request)
    if (reply.status !== 404) return requireSuccess(reply)
    return missingObject(reply)
  }

  return {
    write: async (contaId, name, bytes) => {
      const key = chaveDe(contaId, name)
      onWrite('antes')
      const body = new Uint8Array(bytes)
      await discard(await requireSuccess(await ask(key, { method: 'PUT', body })))
      onWrite('depois')
    },
    stream: async (contaId, name, faixa) => {
      const headers = faixa === undefined ? {} : { range: `bytes=${faixa.start}-${faixa.end}` }
      const signal = AbortSignal.timeout(READ_TIMEOUT_MS)
      const reply = await open(contaId, name, { headers, signal })
      return reply === null ? null : Readable.from(reply.body ?? [], { objectMode: false })
    },
    read: async (contaId, name) => {
      const reply = await open(contaId, name)
      return reply === null ? null : new Uint8Array(await reply.arrayBuffer())
    },
    remove: async (contaId, name) => {
      const reply = await ask(chaveDe(contaId, name), { method: 'DELETE' })
      await (reply.status === 404 ? missingObject(reply) : discard(await requireSuccess(reply)))
    },
    async *list(contaId) {
      if (contaId !== undefined) requireContaId(contaId)
      let continua: string | null = null
      do {
        const search = new URLSearchParams({ 'list-type': '2' })
        if (contaId !== undefined) search.set('prefix', `${contaId}/`)
        if (continua !== null) search.set('continuation-token', continua)
        const reply: Response = await requireSuccess(await ask(`/?${search.toString()}`))
        const page = parseListing(await reply.text())
        yield* page.files
        continua = page.continuationToken
      } while (continua !== null)
    },
    discardUnfinished: () => Promise.resolve(),
  }
}

function bucketUrl({ endpoint, bucket, pathStyle }: S3Options): string {
  const url = new URL(endpoint)
  const path = url.pathname.replace(/\/+$/, '')
  return pathStyle ? `${url.origin}${path}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${path}`
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function discard(response: Response): Promise<void> {
  await response.body?.cancel()
}

/** A missing object is normal; a missing bucket is a configuration error. */
async function missingObject(response: Response): Promise<null> {
  const texto = await response.text()
  if (texto.includes('<Code>NoSuchBucket</Code>')) throw new Error('S3 bucket does not exist')
  return null
}

async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) return response
  const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? 'no code'
  throw new Error(`S3 answered ${response.status} (${code})`)
}
