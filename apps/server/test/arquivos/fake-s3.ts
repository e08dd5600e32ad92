import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { S3Options } from '#adapters/s3/files.ts'
import { signatureError } from './aws-signature.ts'

export interface FakeS3 {
  readonly options: S3Options
  /** By key as received. */
  readonly objects: Map<string, Buffer>
  readonly failNext: (...statuses: number[]) => void
  readonly close: () => Promise<void>
}

const KEYS_PER_PAGE = 2
const CREDENTIALS = { accessKeyId: 'AKIDTESTE', secretAccessKey: 'segredo/do+balde', region: 'sa-east-1' }
const BUCKET = '/balcao'

export async function createFakeS3(): Promise<FakeS3> {
  const objetos = new Map<string, Buffer>()
  const failures: number[] = []
  const server = createServer((pedido, reply) => {
    void buffer(pedido).then((corpo) => {
      const failure = failures.shift()
      const refusal = signatureError(pedido, corpo, CREDENTIALS)
      if (failure !== undefined) return sendError(reply, failure, 'SlowDown')
      if (refusal !== null) return sendError(reply, 403, refusal)
      return handle({ request: pedido, response: reply, body: corpo, objetos })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endereco = server.address()
  const porta = typeof endereco === 'object' && endereco !== null ? endereco.port : 0
  return {
    options: { ...CREDENTIALS, endpoint: `http://127.0.0.1:${porta}`, bucket: BUCKET.slice(1), pathStyle: true },
    objects: objetos,
    failNext: (...statuses) => void failures.push(...statuses),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface S3Request {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  readonly objetos: Map<string, Buffer>
}

function handle({ request, response, body, objetos }: S3Request): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
  if (pathname !== BUCKET && !pathname.startsWith(`${BUCKET}/`)) return sendError(response, 404, 'NoSuchBucket')
  const key = decodeURIComponent(pathname.slice(BUCKET.length + 1))
  if (key === '') return list(response, [...objetos.keys()], searchParams)
  if (request.method === 'PUT') {
    objetos.set(key, body)
    return void response.writeHead(200).end()
  }
  if (request.method === 'DELETE') {
    objetos.delete(key)
    return void response.writeHead(204).end()
  }
  const found = objetos.get(key)
  if (found === undefined) return sendError(response, 404, 'NoSuchKey')
  const faixa = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (faixa === null) return void response.writeHead(200).end(found)
  response.writeHead(206).end(found.subarray(Number(faixa[1]), Number(faixa[2]) + 1))
}

/** Two keys per page. The continuation token contains characters that need escaping in XML and in URLs. */
function list(response: ServerResponse, keys: readonly string[], query: URLSearchParams): void {
  if (query.get('list-type') !== '2') return sendError(response, 400, 'InvalidRequest')
  const since = /^1&<\+\/ =(.*)$/.exec(query.get('continuation-token') ?? '')?.[1] ?? ''
  if (query.has('continuation-token') && since === '') return sendError(response, 400, 'InvalidArgument')
  const all = keys.filter((key) => key.startsWith(query.get('prefix') ?? '') && key > since)
  const page = all.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, KEYS_PER_PAGE)
  const mais = all.length > page.length
  const token = mais ? `<NextContinuationToken>1&amp;&lt;&#43;/&#x20;=${page.at(-1)}</NextContinuationToken>` : ''
  const items = page.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>${mais}</IsTruncated>${items}${token}</ListBucketResult>`)
}

function sendError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}
