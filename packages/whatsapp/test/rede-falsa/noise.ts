import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { Curve, type KeyPair, NOISE_WA_HEADER, proto } from 'baileys'

/** The server side of Noise_XX_25519_AESGCM_SHA256. */

const PROTOCOL = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0')
const EMPTY = Buffer.alloc(0)
const TAG_LENGTH = 16

export interface Transport {
  readonly encrypt: (clear: Uint8Array) => Buffer
  readonly decrypt: (encrypted: Uint8Array) => Buffer
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
  let chain: Buffer = PROTOCOL
  let key: Buffer = PROTOCOL
  let contador = 0

  const absorver = (data: Uint8Array): void => {
    hash = createHash('sha256').update(hash).update(data).digest()
  }
  const derivar = (input: Uint8Array): readonly [Buffer, Buffer] => {
    const bytes = Buffer.from(hkdfSync('sha256', input, chain, EMPTY, 64))
    return [bytes.subarray(0, 32), bytes.subarray(32)]
  }
  const misturar = (publica: Uint8Array, mine: KeyPair): void => {
    ;[chain, key] = derivar(Curve.sharedKey(mine.private, publica))
    contador = 0
  }
  const cifrar = (clear: Uint8Array): Buffer => {
    const encrypted = encryptGcm(key, contador++, hash, clear)
    absorver(encrypted)
    return encrypted
  }
  const decifrar = (encrypted: Uint8Array): Buffer => {
    const clear = decryptGcm(key, contador++, hash, encrypted)
    absorver(encrypted)
    return clear
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
      const [reading, escrita] = derivar(EMPTY)
      return { clientKey: chaveDoCliente, client: cliente, transport: createTransport(reading, escrita) }
    },
  }
}

function createTransport(reading: Buffer, escrita: Buffer): Transport {
  let parsed = 0
  let written = 0
  return {
    encrypt: (clear) => encryptGcm(escrita, written++, EMPTY, clear),
    decrypt: (encrypted) => decryptGcm(reading, parsed++, EMPTY, encrypted),
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

function encryptGcm(key: Buffer, contador: number, aad: Buffer, clear: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce(contador)).setAAD(aad)
  return Buffer.concat([cipher.update(clear), cipher.final(), cipher.getAuthTag()])
}

function decryptGcm(key: Buffer, contador: number, aad: Buffer, encrypted: Uint8Array): Buffer {
  const cut = encrypted.length - TAG_LENGTH
  const cipher = createDecipheriv('aes-256-gcm', key, nonce(contador)).setAAD(aad)
  cipher.setAuthTag(encrypted.subarray(cut))
  return Buffer.concat([cipher.update(encrypted.subarray(0, cut)), cipher.final()])
}
