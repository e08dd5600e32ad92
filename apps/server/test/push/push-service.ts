import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { type AvisoPush, avisoPushSchema } from '@balcao/contract/entities/push'

/** A push service on this machine with one browser, which decrypts notices by RFC 8291 and checks VAPID by RFC 8292. */
export interface PushService {
  readonly received: AvisoPush[]
  /** Public keys of the senders. */
  readonly senders: string[]
  /** Status of the next answers. */
  answer: number
  /** True: takes the next notices and never answers. */
  silent: boolean
  readonly subscription: (name?: string) => { endpoint: string; keys: { p256dh: string; auth: string } }
  readonly close: () => void
}

export async function createPushService(): Promise<PushService> {
  const browser = createECDH('prime256v1')
  const publicKey = browser.generateKeys()
  const auth = randomBytes(16)
  const received: AvisoPush[] = []
  const senders: string[] = []
  const server = createServer((request, reply) => {
    void buffer(request).then((body) => {
      const { status } = service
      if (status < 300) {
        senders.push(checkVapid(request.headers.authorization ?? '', `http://127.0.0.1:${port}`))
        const text = decrypt(body, { browser, publicKey, auth })
        received.push(avisoPushSchema.parse(JSON.parse(text)))
      }
      if (!service.silent) reply.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const service = { status: 201, silent: false }
  return {
    ...{ received, senders },
    get answer() {
      return service.status
    },
    set answer(status) {
      service.status = status
    },
    get silent() {
      return service.silent
    },
    set silent(silent) {
      service.silent = silent
    },
    subscription: (name = 'celular') => ({
      endpoint: `http://127.0.0.1:${port}/${name}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface BrowserKeys {
  readonly browser: ReturnType<typeof createECDH>
  readonly publicKey: Buffer
  readonly auth: Buffer
}

const derive = (key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** The encoding `aes128gcm` of RFC 8188 with one record. */
function decrypt(body: Buffer, { browser, publicKey, auth }: BrowserKeys): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const shared = browser.computeSecret(sender)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
  const secret = derive(shared, auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  // The last byte that is not padding marks the end.
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}

const claimsSchema = z.object({ aud: z.string(), sub: z.string(), exp: z.number() })

/** Returns the public key of the sender. Throws for a wrong signature, audience or time. */
function checkVapid(header: string, audience: string): string {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: part(point, 1), y: part(point, 33) }
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const { aud, exp } = claimsSchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  if (!signed || aud !== audience || exp * 1_000 < Date.now()) throw new Error('VAPID refused')
  return key
}

const part = (point: Buffer, from: number): string => point.subarray(from, from + 32).toString('base64url')
