import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Encrypts stored secrets with AES-256-GCM, one derived key per purpose. The sealed text contains the id of its
 * secret, so secrets can be rotated without downtime.
 */
export interface Vault {
  /** `lugar` (`tabela|coluna|conta|linha`) binds the value to its row: in another place it does not decrypt. */
  readonly seal: (text: string, place: string) => string
  /** Throws when the text was changed or moved, or when its secret is unknown. */
  readonly open: (sealed: string, place: string) => string
  /** As `open`. Null when the text cannot be read. */
  readonly tryOpen: (sealed: string, place: string) => string | null
  readonly isSealed: (text: string) => boolean
  /** HMAC of the text with the current secret: equal texts give equal values, and the text cannot be recovered. */
  readonly fingerprint: (text: string, place: string) => string
  /** HMACs of the text with every known secret, for comparison with stored ones. */
  readonly fingerprints: (text: string, place: string) => readonly string[]
  /** HMAC with a separate key, for counters by e-mail or phone: a stored counter names no person. */
  readonly counterKey: (text: string) => string
  /** HMAC with a separate key, for addresses that carry their permission. */
  readonly sign: (text: string) => string
  /** True if `sign` returned this signature with a known secret. Compares signatures of the right length in constant time. */
  readonly isSigned: (text: string, signature: string) => boolean
}

const PREFIX = 'selado:'

interface Secret {
  readonly id: string
  readonly key: Buffer
  /** Imported once: each customer message needs a fingerprint, and a buffer as key makes it six times as slow. */
  readonly fingerprintKey: KeyObject
  readonly counterKey: Buffer
  readonly signatureKey: KeyObject
}

const MIN_LENGTH = 16

/**
 * Parses `k2:…,k1:…`: the first secret encrypts, all decrypt. A single value without `kN:` is `k1`. Throws a
 * Portuguese sentence for a list in which a sealed text would name the wrong secret, and for a short secret.
 */
export function parseSecrets(appSecret: string): readonly { id: string; valor: string }[] {
  const parts = appSecret.split(',').map((part) => part.trim())
  const secrets = parts.map((part) => {
    const named = /^(k\d+):(.+)$/.exec(part)
    if (named === null && parts.length > 1) {
      throw new Error('APP_SECRET tem vírgula, então cada parte precisa ser kN:chave, como em k2:nova,k1:antiga.')
    }
    return { id: named?.[1] ?? 'k1', valor: named?.[2] ?? part }
  })
  const ids = secrets.map(({ id }) => id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined)
    throw new Error(`APP_SECRET tem duas chaves com o nome ${repeated}. Dê um nome a cada uma.`)
  if (secrets.some(({ valor }) => valor.length < MIN_LENGTH)) {
    throw new Error(`APP_SECRET precisa de pelo menos ${MIN_LENGTH} caracteres que ninguém adivinhe em cada chave.`)
  }
  return secrets
}

export function createVault(appSecret: string): Vault {
  const secrets: readonly Secret[] = parseSecrets(appSecret).map(({ id, valor }) => ({
    id,
    key: derive(valor, 'cofre'),
    fingerprintKey: createSecretKey(derive(valor, 'marcas')),
    counterKey: derive(valor, 'tentativas'),
    signatureKey: createSecretKey(derive(valor, 'enderecos')),
  }))
  const [current] = secrets
  if (current === undefined) throw new Error('APP_SECRET is empty')
  const byId = new Map(secrets.map((secret) => [secret.id, secret]))
  const open: Vault['open'] = (sealed, place) => {
    const [, id = '', base64 = ''] = /^selado:(k\d+):(.+)$/.exec(sealed) ?? []
    const secret = byId.get(id)
    if (secret === undefined) throw new Error(`no key ${id || '?'} for a sealed value`)
    const bytes = Buffer.from(base64, 'base64')
    const cipher = createDecipheriv('aes-256-gcm', secret.key, bytes.subarray(0, 12))
    cipher.setAAD(Buffer.from(place))
    cipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
  }

  return {
    fingerprint: (text, place) => fingerprintOf(current, text, place),
    fingerprints: (text, place) => secrets.map((secret) => fingerprintOf(secret, text, place)),
    counterKey: (text) => createHmac('sha256', current.counterKey).update(text).digest('base64url'),
    sign: (text) => signatureOf(current, text),
    isSigned: (text, signature) => {
      // Compared as text: the base64 decoder skips unknown characters, so many texts decode to the same bytes.
      const given = Buffer.from(signature)
      return secrets.some((secret) => {
        const expected = Buffer.from(signatureOf(secret, text))
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
    },
    isSealed: (text) => text.startsWith(PREFIX),
    seal: (text, place) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.key, iv)
      cipher.setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${PREFIX}${current.id}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`
    },
    open,
    tryOpen: (sealed, place) => {
      try {
        return open(sealed, place)
      } catch {
        return null
      }
    },
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'balcao', purpose, 32))
}

function signatureOf({ signatureKey }: Secret, text: string): string {
  return createHmac('sha256', signatureKey).update(text).digest('base64url')
}

function fingerprintOf({ id, fingerprintKey }: Secret, text: string, place: string): string {
  return `${id}:${createHmac('sha256', fingerprintKey).update(`${place}\0${text}`).digest('base64url')}`
}
