import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Credencial, NovaCredencial } from '@balcao/contract/entities/identidade'

/** A passkey in software: what a browser and its authenticator answer (WebAuthn level 3, ES256, no attestation). */

interface Signing {
  readonly challenge: string
  readonly rpId: string
  readonly origin: string
  /** Default: the person was verified. */
  readonly flags?: number
  /** Default: one more than at the last use. */
  readonly counter?: number
}

export interface Authenticator {
  readonly register: (signing: Signing, changes?: { readonly fmt?: string }) => NovaCredencial
  readonly login: (signing: Signing) => Credencial
}

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40
export const UNVERIFIED = PRESENT

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
}

function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string): Buffer => Buffer.from(text, 'base64url')
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  )
}

export function createAuthenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  let used = 0
  const clientData = (type: string, { challenge, origin }: Signing): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = ({ rpId, flags = PRESENT | VERIFIED, counter }: Signing, key = Buffer.alloc(0)): Buffer => {
    const numbers = Buffer.alloc(5)
    numbers.writeUInt8(key.length === 0 ? flags : flags | WITH_KEY)
    used = counter ?? used + 1
    numbers.writeUInt32BE(used, 1)
    return Buffer.concat([sha256(rpId), numbers, key])
  }
  const named = { id: base64url(credentialId), rawId: base64url(credentialId), type: 'public-key' as const }

  return {
    register: (signing, { fmt = 'none' } = {}) => {
      const length = Buffer.from([0, credentialId.length])
      const key = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const statement = new Map<string, Cbor>()
      const object = new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', statement],
        ['authData', authData({ counter: 0, ...signing }, key)],
      ])
      const clientDataJSON = base64url(clientData('webauthn.create', signing))
      return { ...named, response: { clientDataJSON, attestationObject: base64url(cbor(object)), transports: ['usb'] } }
    },
    login: (signing) => {
      const client = clientData('webauthn.get', signing)
      const data = authData(signing)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...named,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
        },
      }
    },
  }
}
