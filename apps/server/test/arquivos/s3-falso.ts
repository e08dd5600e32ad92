import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { S3Options } from '#adapters/s3/files.ts'
import { recusarAssinatura } from './assinatura.ts'

export interface S3Falso {
  readonly opcoes: S3Options
  /** By key as received. */
  readonly objetos: Map<string, Buffer>
  readonly falhar: (...statuses: number[]) => void
  readonly close: () => Promise<void>
}

const POR_PAGINA = 2
const QUEM = { accessKeyId: 'AKIDTESTE', secretAccessKey: 'segredo/do+balde', region: 'sa-east-1' }
const BALDE = '/balcao'

export async function createS3Falso(): Promise<S3Falso> {
  const objetos = new Map<string, Buffer>()
  const falhas: number[] = []
  const servidor = createServer((pedido, resposta) => {
    void buffer(pedido).then((corpo) => {
      const falha = falhas.shift()
      const recusa = recusarAssinatura(pedido, corpo, QUEM)
      if (falha !== undefined) return erro(resposta, falha, 'SlowDown')
      if (recusa !== null) return erro(resposta, 403, recusa)
      return atender({ pedido, resposta, corpo, objetos })
    })
  })
  servidor.listen(0, '127.0.0.1')
  await once(servidor, 'listening')
  const endereco = servidor.address()
  const porta = typeof endereco === 'object' && endereco !== null ? endereco.port : 0
  return {
    opcoes: { ...QUEM, endpoint: `http://127.0.0.1:${porta}`, bucket: BALDE.slice(1), pathStyle: true },
    objetos,
    falhar: (...statuses) => void falhas.push(...statuses),
    close: async () => {
      servidor.closeAllConnections()
      servidor.close()
      await once(servidor, 'close')
    },
  }
}

interface Atendimento {
  readonly pedido: IncomingMessage
  readonly resposta: ServerResponse
  readonly corpo: Buffer
  readonly objetos: Map<string, Buffer>
}

function atender({ pedido, resposta, corpo, objetos }: Atendimento): void {
  const { pathname, searchParams } = new URL(pedido.url ?? '/', 'http://s3')
  if (pathname !== BALDE && !pathname.startsWith(`${BALDE}/`)) return erro(resposta, 404, 'NoSuchBucket')
  const chave = decodeURIComponent(pathname.slice(BALDE.length + 1))
  if (chave === '') return listar(resposta, [...objetos.keys()], searchParams)
  if (pedido.method === 'PUT') {
    objetos.set(chave, corpo)
    return void resposta.writeHead(200).end()
  }
  if (pedido.method === 'DELETE') {
    objetos.delete(chave)
    return void resposta.writeHead(204).end()
  }
  const achado = objetos.get(chave)
  if (achado === undefined) return erro(resposta, 404, 'NoSuchKey')
  const faixa = /^bytes=(\d+)-(\d+)$/.exec(pedido.headers.range ?? '')
  if (faixa === null) return void resposta.writeHead(200).end(achado)
  resposta.writeHead(206).end(achado.subarray(Number(faixa[1]), Number(faixa[2]) + 1))
}

/** Two keys per page. The continuation token contains characters that need escaping in XML and in URLs. */
function listar(resposta: ServerResponse, chaves: readonly string[], busca: URLSearchParams): void {
  if (busca.get('list-type') !== '2') return erro(resposta, 400, 'InvalidRequest')
  const desde = /^1&<\+\/ =(.*)$/.exec(busca.get('continuation-token') ?? '')?.[1] ?? ''
  if (busca.has('continuation-token') && desde === '') return erro(resposta, 400, 'InvalidArgument')
  const todas = chaves.filter((chave) => chave.startsWith(busca.get('prefix') ?? '') && chave > desde)
  const pagina = todas.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, POR_PAGINA)
  const mais = todas.length > pagina.length
  const token = mais ? `<NextContinuationToken>1&amp;&lt;&#43;/&#x20;=${pagina.at(-1)}</NextContinuationToken>` : ''
  const itens = pagina.map((chave) => `<Contents><Key>${chave}</Key><Size>1</Size></Contents>`).join('')
  resposta
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><ListBucketResult><IsTruncated>${mais}</IsTruncated>${itens}${token}</ListBucketResult>`)
}

function erro(resposta: ServerResponse, status: number, codigo: string): void {
  resposta.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${codigo}</Code></Error>`)
}
