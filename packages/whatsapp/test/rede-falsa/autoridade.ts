import { Curve, type KeyPair, proto, WA_CERT_DETAILS } from 'baileys'

const INTERMEDIARIA = 1
const FOLHA = 2
const UM_ANO_S = 365 * 24 * 3600

export interface Autoridade {
  readonly raiz: Uint8Array
  /** Returns the encoded chain for a server's static Noise key. */
  readonly emitir: (chaveDoServidor: Uint8Array) => Uint8Array
}

export function createAutoridade(): Autoridade {
  const raiz = Curve.generateKeyPair()
  const intermediaria = Curve.generateKeyPair()
  const inicio = Math.floor(Date.now() / 1000) - 3600
  const { Details } = proto.CertChain.NoiseCertificate

  const assinar = (emissor: KeyPair, serial: number, issuerSerial: number, key: Uint8Array) => {
    const details = Details.encode({
      serial,
      issuerSerial,
      key,
      notBefore: inicio,
      notAfter: inicio + UM_ANO_S,
    }).finish()
    return { details, signature: Curve.sign(emissor.private, details) }
  }

  return {
    raiz: raiz.public,
    emitir: (chaveDoServidor) =>
      proto.CertChain.encode({
        intermediate: assinar(raiz, INTERMEDIARIA, WA_CERT_DETAILS.SERIAL, intermediaria.public),
        leaf: assinar(intermediaria, FOLHA, INTERMEDIARIA, chaveDoServidor),
      }).finish(),
  }
}
