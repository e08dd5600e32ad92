import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Seals secrets at rest with AES-256-GCM. The key of each purpose is derived from one of the application's secrets;
 * the sealed text names the secret that made it, so secrets can be rotated without a stop.
 */
export interface Cofre {
  /** `lugar` binds the value to its place (`tabela|coluna|conta|linha`): moved elsewhere it does not open. */
  readonly seal: (texto: string, lugar: string) => string
  /** Throws when the text was changed, moved, or its key is gone. */
  readonly open: (selado: string, lugar: string) => string
  readonly isSealed: (texto: string) => boolean
  /** The same for the same, and leads nobody back: an HMAC that names the secret it was made with. */
  readonly marca: (texto: string, lugar: string) => string
  /** What `marca` gives, or gave with any secret that is still known. */
  readonly marcas: (texto: string, lugar: string) => readonly string[]
}

const PREFIXO = 'selado:'

interface Segredo {
  readonly id: string
  readonly chave: Buffer
  readonly chaveDasMarcas: Buffer
}

/** `k2:…,k1:…`: the first encrypts, all decrypt; one bare value is `k1`. */
export function parseSecrets(appSecret: string): readonly { id: string; valor: string }[] {
  return appSecret.split(',').map((parte) => {
    const nomeado = /^(k\d+):(.+)$/.exec(parte.trim())
    return { id: nomeado?.[1] ?? 'k1', valor: nomeado?.[2] ?? parte.trim() }
  })
}

export function createCofre(appSecret: string): Cofre {
  const segredos: readonly Segredo[] = parseSecrets(appSecret).map(({ id, valor }) => ({
    id,
    chave: Buffer.from(hkdfSync('sha256', valor, 'balcao', 'cofre', 32)),
    chaveDasMarcas: Buffer.from(hkdfSync('sha256', valor, 'balcao', 'marcas', 32)),
  }))
  const [atual] = segredos
  if (atual === undefined) throw new Error('APP_SECRET is empty')
  const porId = new Map(segredos.map((segredo) => [segredo.id, segredo]))

  return {
    marca: (texto, lugar) => marcar(atual, texto, lugar),
    marcas: (texto, lugar) => segredos.map((segredo) => marcar(segredo, texto, lugar)),
    isSealed: (texto) => texto.startsWith(PREFIXO),
    seal: (texto, lugar) => {
      const iv = randomBytes(12)
      const cifra = createCipheriv('aes-256-gcm', atual.chave, iv)
      cifra.setAAD(Buffer.from(lugar))
      const corpo = Buffer.concat([cifra.update(texto, 'utf8'), cifra.final()])
      return `${PREFIXO}${atual.id}:${Buffer.concat([iv, cifra.getAuthTag(), corpo]).toString('base64')}`
    },
    open: (selado, lugar) => {
      const [, id = '', base64 = ''] = /^selado:(k\d+):(.+)$/.exec(selado) ?? []
      const segredo = porId.get(id)
      if (segredo === undefined) throw new Error(`no key ${id || '?'} for a sealed value`)
      const bytes = Buffer.from(base64, 'base64')
      const cifra = createDecipheriv('aes-256-gcm', segredo.chave, bytes.subarray(0, 12))
      cifra.setAAD(Buffer.from(lugar))
      cifra.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([cifra.update(bytes.subarray(28)), cifra.final()]).toString('utf8')
    },
  }
}

function marcar({ id, chaveDasMarcas }: Segredo, texto: string, lugar: string): string {
  return `${id}:${createHmac('sha256', chaveDasMarcas).update(`${lugar}\0${texto}`).digest('base64url')}`
}
