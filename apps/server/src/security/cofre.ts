import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts stored secrets with AES-256-GCM, one derived key per purpose. The sealed text contains the id of its
 * secret, so secrets can be rotated without downtime.
 */
export interface Vault {
  /** `lugar` (`tabela|coluna|conta|linha`) binds the value to its row: in another place it does not decrypt. */
  readonly seal: (texto: string, lugar: string) => string
  /** Throws when the text was changed or moved, or when its secret is unknown. */
  readonly open: (selado: string, lugar: string) => string
  readonly isSealed: (texto: string) => boolean
  /** HMAC of the text with the current secret: equal texts give equal values, and the text cannot be recovered. */
  readonly fingerprint: (texto: string, lugar: string) => string
  /** HMACs of the text with every known secret, for comparison with stored ones. */
  readonly fingerprints: (texto: string, lugar: string) => readonly string[]
}

const PREFIX = 'selado:'

interface Secret {
  readonly id: string
  readonly key: Buffer
  readonly fingerprintKey: Buffer
}

/** Parses `k2:…,k1:…`: the first secret encrypts, all decrypt. A single bare value is `k1`. */
export function parseSecrets(appSecret: string): readonly { id: string; valor: string }[] {
  return appSecret.split(',').map((parte) => {
    const nomeado = /^(k\d+):(.+)$/.exec(parte.trim())
    return { id: nomeado?.[1] ?? 'k1', valor: nomeado?.[2] ?? parte.trim() }
  })
}

export function createVault(appSecret: string): Vault {
  const segredos: readonly Secret[] = parseSecrets(appSecret).map(({ id, valor }) => ({
    id,
    key: Buffer.from(hkdfSync('sha256', valor, 'balcao', 'cofre', 32)),
    fingerprintKey: Buffer.from(hkdfSync('sha256', valor, 'balcao', 'marcas', 32)),
  }))
  const [atual] = segredos
  if (atual === undefined) throw new Error('APP_SECRET is empty')
  const porId = new Map(segredos.map((segredo) => [segredo.id, segredo]))

  return {
    fingerprint: (texto, lugar) => fingerprintOf(atual, texto, lugar),
    fingerprints: (texto, lugar) => segredos.map((segredo) => fingerprintOf(segredo, texto, lugar)),
    isSealed: (texto) => texto.startsWith(PREFIX),
    seal: (texto, lugar) => {
      const iv = randomBytes(12)
      const cifra = createCipheriv('aes-256-gcm', atual.key, iv)
      cifra.setAAD(Buffer.from(lugar))
      const corpo = Buffer.concat([cifra.update(texto, 'utf8'), cifra.final()])
      return `${PREFIX}${atual.id}:${Buffer.concat([iv, cifra.getAuthTag(), corpo]).toString('base64')}`
    },
    open: (selado, lugar) => {
      const [, id = '', base64 = ''] = /^selado:(k\d+):(.+)$/.exec(selado) ?? []
      const segredo = porId.get(id)
      if (segredo === undefined) throw new Error(`no key ${id || '?'} for a sealed value`)
      const bytes = Buffer.from(base64, 'base64')
      const cifra = createDecipheriv('aes-256-gcm', segredo.key, bytes.subarray(0, 12))
      cifra.setAAD(Buffer.from(lugar))
      cifra.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([cifra.update(bytes.subarray(28)), cifra.final()]).toString('utf8')
    },
  }
}

function fingerprintOf({ id, fingerprintKey }: Secret, texto: string, lugar: string): string {
  return `${id}:${createHmac('sha256', fingerprintKey).update(`${lugar}\0${texto}`).digest('base64url')}`
}
