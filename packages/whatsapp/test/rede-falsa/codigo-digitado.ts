import { createDecipheriv, randomBytes } from 'node:crypto'
import { aesDecryptCTR, aesEncryptCTR, Curve, derivePairingCodeKey, hkdf, type KeyPair } from 'baileys'

/** The phone's side of a pairing by typed code. Without the code, the server learns nothing from the messages. */

const SAL = 32
const IV = 16
const IV_DO_PACOTE = 12
const CHAVE = 32
const SELO = 16

export async function embrulhar(publica: Uint8Array, codigo: string): Promise<Buffer> {
  const sal = randomBytes(SAL)
  const iv = randomBytes(IV)
  return Buffer.concat([sal, iv, aesEncryptCTR(publica, await derivePairingCodeKey(codigo, sal), iv)])
}

/** A wrong code gives a useless key. */
export async function desembrulhar(embrulhada: Buffer, codigo: string): Promise<Buffer> {
  const chave = await derivePairingCodeKey(codigo, embrulhada.subarray(0, SAL))
  return aesDecryptCTR(embrulhada.subarray(SAL + IV), chave, embrulhada.subarray(SAL, SAL + IV))
}

export interface ChavesDoAperto {
  readonly minha: KeyPair
  readonly efemera: KeyPair
  readonly doAparelho: Uint8Array
  readonly identidade: Buffer
}

/** The shared secret of both sides. Throws if the code was wrong or a key was replaced on the way. */
export function segredoDoAperto(pacote: Buffer, { minha, efemera, doAparelho, identidade }: ChavesDoAperto): Buffer {
  const comum = Curve.sharedKey(efemera.private, doAparelho)
  const chave = hkdf(comum, CHAVE, {
    salt: pacote.subarray(0, SAL),
    info: 'link_code_pairing_key_bundle_encryption_key',
  })
  const aberto = abrir(pacote.subarray(SAL + IV_DO_PACOTE), chave, pacote.subarray(SAL, SAL + IV_DO_PACOTE))
  if (!aberto.subarray(0, CHAVE).equals(identidade) || !aberto.subarray(CHAVE, 2 * CHAVE).equals(minha.public)) {
    throw new Error('pairing keys were replaced')
  }
  const daConta = Curve.sharedKey(minha.private, identidade)
  return Buffer.from(hkdf(Buffer.concat([comum, daConta, aberto.subarray(2 * CHAVE)]), CHAVE, { info: 'adv_secret' }))
}

function abrir(cifrado: Buffer, chave: Uint8Array, iv: Buffer): Buffer {
  const aes = createDecipheriv('aes-256-gcm', chave, iv)
  aes.setAuthTag(cifrado.subarray(-SELO))
  return Buffer.concat([aes.update(cifrado.subarray(0, -SELO)), aes.final()])
}
