import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { S3Options } from '#adapters/s3/files.ts'
import { signatureError } from './assinatura.ts'

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
  const falhas: number[] = []
  const servidor = createServer((pedido, resposta) => {
    void buffer(pedido).then((corpo) => {
      const falha = falhas.shift()
      const recusa = signatureError(pedido, corpo, CREDENTIALS)
      if (falha !== undefined) return sendError(resposta, falha, 'SlowDown')
      if (recusa !== null) return sendError(resposta, 403, recusa)
      return handle({ request: pedido, response: resposta, body: corpo, objetos })
    })
  })
  servidor.listen(0, '127.0.0.1')
  await once(servidor, 'listening')
  const endereco = servidor.address()
  const porta = typeof endereco === 'object' && endereco !== null ? endereco.port : 0
  return {
    options: { ...CREDENTIALS, endpoint: `http://127.0.0.1:${porta}`, bucket: BUCKET.slice(1), pathStyle: true },
    objects: objetos,
    failNext: (...statuses) => void falhas.push(...statuses),
    close: async () => {
      servidor.closeAllConnections()
      servidor.close()
      await once(servidor, 'close')
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
  const chave = decodeURIComponent(pathname.slice(BUCKET.length + 1))
  if (chave === '') return list(response, [...objetos.keys()], searchParams)
  if (request.method === 'PUT') {
    objetos.set(chave, body)
    return void response.writeHead(200).end()
  }
  if (request.method === 'DELETE') {
    objetos.delete(chave)
    return void response.writeHead(204).end()
  }
  const achado = objetos.get(chave)
  if (achado === undefined) return sendError(response, 404, 'NoSuchKey')
  const faixa = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (faixa === null) return void response.writeHead(200).end(achado)
  response.writeHead(206).end(achado.subarray(Number(faixa[1]), Number(faixa[2]) + 1))
}

/** Two keys per page. The continuation token contains characters that need escaping in XML and in URLs. */
function list(response: ServerResponse, keys: readonly string[], query: URLSearchParams): void {
  if (query.get('list-type') !== '2') return sendError(response, 400, 'InvalidRequest')
  const desde = /^1&<\+\/ =(.*)$/.exec(query.get('continuation-token') ?? '')?.[1] ?? ''
  if (query.has('continuation-token') && desde === '') return sendError(response, 400, 'InvalidArgument')
  const todas = keys.filter((chave) => chave.startsWith(query.get('prefix') ?? '') && chave > desde)
  const pagina = todas.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, KEYS_PER_PAGE)
  const mais = todas.length > pagina.length
  const token = mais ? `<NextContinuationToken>1&amp;&lt;&#43;/&#x20;=${pagina.at(-1)}</NextContinuationToken>` : ''
  const itens = pagina.map((chave) => `<Contents><Key>${chave}</Key><Size>1</Size></Contents>`).join('')
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>${mais}</IsTruncated>${itens}${token}</ListBucketResult>`)
}

function sendError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}
