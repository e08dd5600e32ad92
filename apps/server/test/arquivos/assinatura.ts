import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Amazon Signature Version 4, implemented from its specification. Checks requests as a real service does. */

const hash = (dados: string | Buffer): string => createHash('sha256').update(dados).digest('hex')
const hmac = (chave: string | Buffer, dados: string): Buffer => createHmac('sha256', chave).update(dados).digest()
const rfc3986 = (texto: string): string =>
  encodeURIComponent(texto).replaceAll(/[!'()*]/g, (letra) => `%${letra.charCodeAt(0).toString(16).toUpperCase()}`)

export interface Credenciais {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const DEZ_MINUTOS_MS = 600_000

export function recusarAssinatura(pedido: IncomingMessage, corpo: Buffer, quem: Credenciais): string | null {
  const lida =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      pedido.headers.authorization ?? '',
    )
  if (lida === null) return 'AccessDenied'
  const [, chave, dia = '', regiao = '', assinados = '', assinatura] = lida
  if (chave !== quem.accessKeyId) return 'InvalidAccessKeyId'
  if (regiao !== quem.region) return 'AuthorizationHeaderMalformed'
  const quando = String(pedido.headers['x-amz-date'])
  const instante = Date.parse(quando.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!quando.startsWith(dia) || !(Math.abs(Date.now() - instante) < DEZ_MINUTOS_MS)) return 'RequestTimeTooSkewed'
  const doCorpo = String(pedido.headers['x-amz-content-sha256'])
  if (doCorpo !== hash(corpo)) return 'XAmzContentSHA256Mismatch'
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((nome) => assinados.split(';').includes(nome))) {
    return 'AccessDenied'
  }
  const { pathname, searchParams } = new URL(pedido.url ?? '/', 'http://s3')
  const busca = [...searchParams]
    .map(([nome, valor]) => `${rfc3986(nome)}=${rfc3986(valor)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
  const canonico = [
    pedido.method,
    pathname
      .split('/')
      .map((parte) => rfc3986(decodeURIComponent(parte)))
      .join('/'),
    busca.join('&'),
    ...assinados.split(';').map((nome) => `${nome}:${String(pedido.headers[nome]).trim()}`),
    '',
    assinados,
    doCorpo,
  ].join('\n')
  const escopo = `${dia}/${regiao}/s3/aws4_request`
  const aAssinar = ['AWS4-HMAC-SHA256', quando, escopo, hash(canonico)].join('\n')
  const segredo = [dia, regiao, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${quem.secretAccessKey}`)
  return createHmac('sha256', segredo).update(aAssinar).digest('hex') === assinatura ? null : 'SignatureDoesNotMatch'
}
