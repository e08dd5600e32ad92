import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { Curve, type KeyPair, NOISE_WA_HEADER, proto } from 'baileys'

/** The server side of Noise_XX_25519_AESGCM_SHA256. */

const PROTOCOL = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0')
const EMPTY = Buffer.alloc(0)
const TAG_LENGTH = 16

export interface Transport {
  readonly encrypt: (claro: Uint8Array) => Buffer
  readonly decrypt: (cifrado: Uint8Array) => Buffer
}

export interface Introduction {
  readonly transport: Transport
  readonly clientKey: Buffer
  readonly client: proto.ClientPayload
}

export interface NoiseHandshake {
  readonly respond: (hello: Uint8Array) => Uint8Array
  /** Reads the client's last handshake message. Returns its identity and the keys of the connection. */
  readonly finish: (finish: Uint8Array) => Introduction
}

export function createNoiseHandshake(staticKey: KeyPair, certificate: Uint8Array): NoiseHandshake {
  const efemera = Curve.generateKeyPair()
  let hash: Buffer = createHash('sha256').update(PROTOCOL).update(NOISE_WA_HEADER).digest()
  let cadeia: Buffer = PROTOCOL
  let chave: Buffer = PROTOCOL
  let contador = 0

  const absorver = (dados: Uint8Array): void => {
    hash = createHash('sha256').update(hash).update(dados).digest()
  }
  const derivar = (entrada: Uint8Array): readonly [Buffer, Buffer] => {
    const bytes = Buffer.from(hkdfSync('sha256', entrada, cadeia, EMPTY, 64))
    return [bytes.subarray(0, 32), bytes.subarray(32)]
  }
  const misturar = (publica: Uint8Array, minha: KeyPair): void => {
    ;[cadeia, chave] = derivar(Curve.sharedKey(minha.private, publica))
    contador = 0
  }
  const cifrar = (claro: Uint8Array): Buffer => {
    const cifrado = encryptGcm(chave, contador++, hash, claro)
    absorver(cifrado)
    return cifrado
  }
  const decifrar = (cifrado: Uint8Array): Buffer => {
    const claro = decryptGcm(chave, contador++, hash, cifrado)
    absorver(cifrado)
    return claro
  }

  return {
    respond: (hello) => {
      const { clientHello } = proto.HandshakeMessage.decode(hello)
      const doCliente = requireBytes(clientHello?.ephemeral)
      absorver(doCliente)
      absorver(efemera.public)
      misturar(doCliente, efemera)
      const estaticaCifrada = cifrar(staticKey.public)
      misturar(doCliente, staticKey)
      const payload = cifrar(certificate)
      const serverHello = { ephemeral: efemera.public, static: estaticaCifrada, payload }
      return proto.HandshakeMessage.encode({ serverHello }).finish()
    },
    finish: (finish) => {
      const { clientFinish } = proto.HandshakeMessage.decode(finish)
      const chaveDoCliente = decifrar(requireBytes(clientFinish?.static))
      misturar(chaveDoCliente, efemera)
      const cliente = proto.ClientPayload.decode(decifrar(requireBytes(clientFinish?.payload)))
      const [leitura, escrita] = derivar(EMPTY)
      return { clientKey: chaveDoCliente, client: cliente, transport: createTransport(leitura, escrita) }
    },
  }
}

function createTransport(leitura: Buffer, escrita: Buffer): Transport {
  let lidos = 0
  let escritos = 0
  return {
    encrypt: (claro) => encryptGcm(escrita, escritos++, EMPTY, claro),
    decrypt: (cifrado) => decryptGcm(leitura, lidos++, EMPTY, cifrado),
  }
}

function requireBytes(bytes: Uint8Array | null | undefined): Uint8Array {
  if (bytes === null || bytes === undefined || bytes.length === 0) throw new Error('incomplete handshake')
  return bytes
}

function nonce(counter: number): Buffer {
  const iv = Buffer.alloc(12)
  iv.writeUInt32BE(counter, 8)
  return iv
}

function encryptGcm(chave: Buffer, contador: number, aad: Buffer, claro: Uint8Array): Buffer {
  const cifra = createCipheriv('aes-256-gcm', chave, nonce(contador)).setAAD(aad)
  return Buffer.concat([cifra.update(claro), cifra.final(), cifra.getAuthTag()])
}

function decryptGcm(chave: Buffer, contador: number, aad: Buffer, cifrado: Uint8Array): Buffer {
  const corte = cifrado.length - TAG_LENGTH
  const cifra = createDecipheriv('aes-256-gcm', chave, nonce(contador)).setAAD(aad)
  cifra.setAuthTag(cifrado.subarray(corte))
  return Buffer.concat([cifra.update(cifrado.subarray(0, corte)), cifra.final()])
}
