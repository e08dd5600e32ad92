import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { createOutbound } from '#adapters/outbound/outbound.ts'
import { FILE_NAME, FOLDER_NAME, requireContaId, requireFileName, requireNotePath } from '#lib/file-names.ts'
import type { Files, Notes, StoredFile } from '#ports/files.ts'

export interface S3Options {
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly pathStyle: boolean
}

export interface S3FilesOptions extends S3Options {
  readonly onWrite?: (instant: 'antes' | 'depois') => void
}

const TIMEOUT_MS = 20_000
/** A file may be streamed at the speed of a slow phone. */
const READ_TIMEOUT_MS = 120_000
const MAX_BYTES = 32 * 1024 * 1024
const RETRIES = 3
const BACKOFF_MS = 50

interface S3Request {
  readonly method?: 'GET' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  readonly signal?: AbortSignal
}

type SendS3Request = (target: string, request?: S3Request) => Promise<Response>

function createS3Client(s3: S3Options): SendS3Request {
  const { accessKeyId, secretAccessKey, region } = s3
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  const base = bucketUrl(s3)
  const fetchOutbound = createOutbound({
    ...{ fixedOrigins: [], envOrigins: [base], timeoutMs: READ_TIMEOUT_MS },
    maxBytes: MAX_BYTES,
  })

  return async (target, request = {}) => {
    const { method = 'GET', headers: others = {}, body = null, signal = AbortSignal.timeout(TIMEOUT_MS) } = request
    const content = { 'x-amz-content-sha256': sha256(body ?? new Uint8Array()) }
    for (let attempt = 0; ; attempt += 1) {
      const { url, headers } = await aws.sign(`${base}${target}`, { method, headers: { ...others, ...content }, body })
      const response = await fetchOutbound(url, { method, headers, body, signal })
      const busy = response.status >= 500 || response.status === 429
      if (!busy || attempt === RETRIES) return response
      await discard(response)
      await sleep(Math.random() * BACKOFF_MS * 2 ** attempt)
    }
  }
}

/** Stores files in an S3-compatible bucket under `conta/nome`, which several nodes can share. A PUT is atomic. */
export function createS3Files({ onWrite = () => {}, ...s3 }: S3FilesOptions): Files {
  const send = createS3Client(s3)
  const get = async (contaId: string, name: string, request: S3Request = {}): Promise<Response | null> =>
    getObject(send, keyOf(contaId, name), request)

  return {
    shared: true,
    notes: createS3Notes(send),
    write: async (contaId, name, bytes) => {
      const key = keyOf(contaId, name)
      onWrite('antes')
      await putObject(send, key, bytes)
      onWrite('depois')
    },
    stream: async (contaId, name, range) => {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
      const signal = AbortSignal.timeout(READ_TIMEOUT_MS)
      const response = await get(contaId, name, { headers, signal })
      return response === null ? null : Readable.from(response.body ?? [], { objectMode: false })
    },
    read: async (contaId, name) => {
      const response = await get(contaId, name)
      return response === null ? null : new Uint8Array(await response.arrayBuffer())
    },
    remove: async (contaId, name) => removeObject(send, keyOf(contaId, name)),
    list: (contaId) => listFiles(send, contaId),
    discardUnfinished: () => Promise.resolve(),
  }
}

function keyOf(contaId: string, name: string): string {
  requireContaId(contaId)
  requireFileName(name)
  return `/${contaId}/${name}`
}

function createS3Notes(send: SendS3Request): Notes {
  const keyOfNote = (path: string): string => {
    requireNotePath(path)
    return `/${path}`
  }
  return {
    write: async (path, text) => putObject(send, keyOfNote(path), Buffer.from(text)),
    read: async (path) => (await (await getObject(send, keyOfNote(path)))?.text()) ?? null,
    remove: async (path) => removeObject(send, keyOfNote(path)),
    async *list(folder) {
      const prefix = `${folder}/`
      for await (const key of listKeys(send, prefix)) yield key.slice(prefix.length)
    },
  }
}

async function getObject(send: SendS3Request, key: string, request: S3Request = {}): Promise<Response | null> {
  const response = await send(key, request)
  return response.status === 404 ? missingObject(response) : requireSuccess(response)
}

async function putObject(send: SendS3Request, key: string, bytes: Uint8Array): Promise<void> {
  await discard(await requireSuccess(await send(key, { method: 'PUT', body: new Uint8Array(bytes) })))
}

async function removeObject(send: SendS3Request, key: string): Promise<void> {
  const response = await send(key, { method: 'DELETE' })
  await (response.status === 404 ? missingObject(response) : discard(await requireSuccess(response)))
}

/** Foreign keys are skipped: the bucket holds notes and may hold other data. */
async function* listFiles(send: SendS3Request, contaId: string | undefined): AsyncIterable<StoredFile> {
  if (contaId !== undefined) requireContaId(contaId)
  for await (const key of listKeys(send, contaId === undefined ? '' : `${contaId}/`)) {
    const [folder = '', nome = '', ...rest] = key.split('/')
    if (FOLDER_NAME.test(folder) && FILE_NAME.test(nome) && rest.length === 0) yield { contaId: folder, nome }
  }
}

async function* listKeys(send: SendS3Request, prefix: string): AsyncIterable<string> {
  let continuationToken: string | null = null
  do {
    const search = new URLSearchParams({ 'list-type': '2' })
    if (prefix !== '') search.set('prefix', prefix)
    if (continuationToken !== null) search.set('continuation-token', continuationToken)
    const response: Response = await requireSuccess(await send(`/?${search.toString()}`))
    const xml = await response.text()
    for (const [, key = ''] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) yield key
    const token: string | undefined = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(xml)?.[1]
    continuationToken = token === undefined ? null : decodeEntities(token)
  } while (continuationToken !== null)
}

const XML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (entity, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    return XML_ENTITIES[name] ?? entity
  })
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

async function missingObject(response: Response): Promise<null> {
  const text = await response.text()
  if (text.includes('<Code>NoSuchBucket</Code>')) throw new Error('S3 bucket does not exist')
  return null
}

async function requireSuccess(response: Response): Promise<Response> {
  if (response.ok) return response
  const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? 'no code'
  throw new Error(`S3 answered ${response.status} (${code})`)
}
