import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { Curve, type KeyPair, NOISE_WA_HEADER, proto } from 'baileys'

/** The server side of Noise_XX_25519_AESGCM_SHA256. */

const PROTOCOLO = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0')
const VAZIO = Buffer.alloc(0)
const SELO = 16

export interface Transporte {
  readonly cifrar: (claro: Uint8Array) => Buffer
  readonly decifrar: (cifrado: Uint8Array) => Buffer
}

export interface Apresentacao {
  readonly transporte: Transporte
  readonly chaveDoCliente: Buffer
  readonly cliente: proto.ClientPayload
}

export interface Aperto {
  readonly responder: (hello: Uint8Array) => Uint8Array
  /** Reads the client's last handshake message. Returns its identity and the keys of the connection. */
  readonly concluir: (finish: Uint8Array) => Apresentacao
}

export function createAperto(estatica: KeyPair, certificado: Uint8Array): Aperto {
  const efemera = Curve.generateKeyPair()
  let hash: Buffer = createHash('sha256').update(PROTOCOLO).update(NOISE_WA_HEADER).digest()
  let cadeia: Buffer = PROTOCOLO
  let chave: Buffer = PROTOCOLO
  let contador = 0

  const absorver = (dados: Uint8Array): void => {
    hash = createHash('sha256').update(hash).update(dados).digest()
  }
  const derivar = (entrada: Uint8Array): readonly [Buffer, Buffer] => {
    const bytes = Buffer.from(hkdfSync('sha256', entrada, cadeia, VAZIO, 64))
    return [bytes.subarray(0, 32), bytes.subarray(32)]
  }
  const misturar = (publica: Uint8Array, minha: KeyPair): void => {
    ;[cadeia, chave] = derivar(Curve.sharedKey(minha.private, publica))
    contador = 0
  }
  const cifrar = (claro: Uint8Array): Buffer => {
    const cifrado = cifrarGcm(chave, contador++, hash, claro)
    absorver(cifrado)
    return cifrado
  }
  const decifrar = (cifrado: Uint8Array): Buffer => {
    const claro = decifrarGcm(chave, contador++, hash, cifrado)
    absorver(cifrado)
    return claro
  }

  return {
    responder: (hello) => {
      const { clientHello } = proto.HandshakeMessage.decode(hello)
      const doCliente = exigir(clientHello?.ephemeral)
      absorver(doCliente)
      absorver(efemera.public)
      misturar(doCliente, efemera)
      const estaticaCifrada = cifrar(estatica.public)
      misturar(doCliente, estatica)
      const payload = cifrar(certificado)
      const serverHello = { ephemeral: efemera.public, static: estaticaCifrada, payload }
      return proto.HandshakeMessage.encode({ serverHello }).finish()
    },
    concluir: (finish) => {
      const { clientFinish } = proto.HandshakeMessage.decode(finish)
      const chaveDoCliente = decifrar(exigir(clientFinish?.static))
      misturar(chaveDoCliente, efemera)
      const cliente = proto.ClientPayload.decode(decifrar(exigir(clientFinish?.payload)))
      const [leitura, escrita] = derivar(VAZIO)
      return { chaveDoCliente, cliente, transporte: createTransporte(leitura, escrita) }
    },
  }
}

function createTransporte(leitura: Buffer, escrita: Buffer): Transporte {
  let lidos = 0
  let escritos = 0
  return {
    cifrar: (claro) => cifrarGcm(escrita, escritos++, VAZIO, claro),
    decifrar: (cifrado) => decifrarGcm(leitura, lidos++, VAZIO, cifrado),
  }
}

function exigir(bytes: Uint8Array | null | undefined): Uint8Array {
  if (bytes === null || bytes === undefined || bytes.length === 0) throw new Error('incomplete handshake')
  return bytes
}

function nonce(contador: number): Buffer {
  const iv = Buffer.alloc(12)
  iv.writeUInt32BE(contador, 8)
  return iv
}

function cifrarGcm(chave: Buffer, contador: number, aad: Buffer, claro: Uint8Array): Buffer {
  const cifra = createCipheriv('aes-256-gcm', chave, nonce(contador)).setAAD(aad)
  return Buffer.concat([cifra.update(claro), cifra.final(), cifra.getAuthTag()])
}

function decifrarGcm(chave: Buffer, contador: number, aad: Buffer, cifrado: Uint8Array): Buffer {
  const corte = cifrado.length - SELO
  const cifra = createDecipheriv('aes-256-gcm', chave, nonce(contador)).setAAD(aad)
  cifra.setAuthTag(cifrado.subarray(corte))
  return Buffer.concat([cifra.update(cifrado.subarray(0, corte)), cifra.final()])
}
