import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as esperar } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { requireContaId, requireFileName } from '#adapters/disco/nomes.ts'
import { createOutbound } from '#adapters/saida/saida.ts'
import type { Files } from '#ports/files.ts'
import { parseListing } from './listagem.ts'

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
  readonly onWrite?: (instante: 'antes' | 'depois') => void
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
  const saida = createOutbound({
    ...{ fixedOrigins: [], envOrigins: [base], timeoutMs: READ_TIMEOUT_MS },
    maxBytes: MAX_BYTES,
  })

  const pedir = async (alvo: string, pedido: S3Request = {}): Promise<Response> => {
    const { method = 'GET', headers: outros = {}, body = null, signal = AbortSignal.timeout(TIMEOUT_MS) } = pedido
    const conteudo = { 'x-amz-content-sha256': sha256(body ?? new Uint8Array()) }
    for (let tentativa = 0; ; tentativa += 1) {
      const { url, headers } = await aws.sign(`${base}${alvo}`, { method, headers: { ...outros, ...conteudo }, body })
      const resposta = await saida(url, { method, headers, body, signal })
      const ocupado = resposta.status >= 500 || resposta.status === 429
      if (!ocupado || tentativa === RETRIES) return resposta
      await discard(resposta)
      await esperar(Math.random() * BACKOFF_MS * 2 ** tentativa)
    }
  }
  const chaveDe = (contaId: string, nome: string): string => {
    requireContaId(contaId)
    requireFileName(nome)
    return `/${contaId}/${nome}`
  }
  const abrir = async (contaId: string, nome: string, pedido: S3Request = {}): Promise<Response | null> => {
    const resposta = await pedir(chaveDe(contaId, nome), pedido)
    if (resposta.status !== 404) return requireSuccess(resposta)
    return missingObject(resposta)
  }

  return {
    write: async (contaId, nome, bytes) => {
      const chave = chaveDe(contaId, nome)
      onWrite('antes')
      const body = new Uint8Array(bytes)
      await discard(await requireSuccess(await pedir(chave, { method: 'PUT', body })))
      onWrite('depois')
    },
    stream: async (contaId, nome, faixa) => {
      const headers = faixa === undefined ? {} : { range: `bytes=${faixa.start}-${faixa.end}` }
      const signal = AbortSignal.timeout(READ_TIMEOUT_MS)
      const resposta = await abrir(contaId, nome, { headers, signal })
      return resposta === null ? null : Readable.from(resposta.body ?? [], { objectMode: false })
    },
    read: async (contaId, nome) => {
      const resposta = await abrir(contaId, nome)
      return resposta === null ? null : new Uint8Array(await resposta.arrayBuffer())
    },
    remove: async (contaId, nome) => {
      const resposta = await pedir(chaveDe(contaId, nome), { method: 'DELETE' })
      await (resposta.status === 404 ? missingObject(resposta) : discard(await requireSuccess(resposta)))
    },
    async *list(contaId) {
      if (contaId !== undefined) requireContaId(contaId)
      let continua: string | null = null
      do {
        const busca = new URLSearchParams({ 'list-type': '2' })
        if (contaId !== undefined) busca.set('prefix', `${contaId}/`)
        if (continua !== null) busca.set('continuation-token', continua)
        const resposta: Response = await requireSuccess(await pedir(`/?${busca.toString()}`))
        const pagina = parseListing(await resposta.text())
        yield* pagina.files
        continua = pagina.continuationToken
      } while (continua !== null)
    },
    discardUnfinished: () => Promise.resolve(),
  }
}

function bucketUrl({ endpoint, bucket, pathStyle }: S3Options): string {
  const url = new URL(endpoint)
  const caminho = url.pathname.replace(/\/+$/, '')
  return pathStyle ? `${url.origin}${caminho}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${caminho}`
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
  const codigo = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? 'no code'
  throw new Error(`S3 answered ${response.status} (${codigo})`)
}
