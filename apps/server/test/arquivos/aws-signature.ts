import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Amazon Signature Version 4, implemented from its specification. Checks requests as a real service does. */

const hash = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
const rfc3986 = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const TEN_MINUTES_MS = 600_000

export function signatureError(request: IncomingMessage, body: Buffer, credentials: AwsCredentials): string | null {
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (parsed === null) return 'AccessDenied'
  const [, chave, day = '', regiao = '', assinados = '', signature] = parsed
  if (chave !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  if (regiao !== credentials.region) return 'AuthorizationHeaderMalformed'
  const quando = String(request.headers['x-amz-date'])
  const instant = Date.parse(quando.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!quando.startsWith(day) || !(Math.abs(Date.now() - instant) < TEN_MINUTES_MS)) return 'RequestTimeTooSkewed'
  const doCorpo = String(request.headers['x-amz-content-sha256'])
  if (doCorpo !== hash(body)) return 'XAmzContentSHA256Mismatch'
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => assinados.split(';').includes(name))) {
    return 'AccessDenied'
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
  const search = [...searchParams]
    .map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
  const canonical = [
    request.method,
    pathname
      .split('/')
      .map((part) => rfc3986(decodeURIComponent(part)))
      .join('/'),
    search.join('&'),
    ...assinados.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    assinados,
    doCorpo,
  ].join('\n')
  const escopo = `${day}/${regiao}/s3/aws4_request`
  const aAssinar = ['AWS4-HMAC-SHA256', quando, escopo, hash(canonical)].join('\n')
  const secret = [day, regiao, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`)
  return createHmac('sha256', secret).update(aAssinar).digest('hex') === signature ? null : 'SignatureDoesNotMatch'
}
