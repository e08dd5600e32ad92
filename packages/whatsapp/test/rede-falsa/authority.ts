import { Curve, type KeyPair, proto, WA_CERT_DETAILS } from 'baileys'

const INTERMEDIATE_SERIAL = 1
const LEAF_SERIAL = 2
const ONE_YEAR_S = 365 * 24 * 3600

export interface Authority {
  readonly root: Uint8Array
  /** Returns the encoded chain for a server's static Noise key. */
  readonly issue: (chaveDoServidor: Uint8Array) => Uint8Array
}

export function createAuthority(): Authority {
  const raiz = Curve.generateKeyPair()
  const intermediaria = Curve.generateKeyPair()
  const start = Math.floor(Date.now() / 1000) - 3600
  const { Details } = proto.CertChain.NoiseCertificate

  const assinar = (emitter: KeyPair, serial: number, issuerSerial: number, key: Uint8Array) => {
    const details = Details.encode({
      serial,
      issuerSerial,
      key,
      notBefore: start,
      notAfter: start + ONE_YEAR_S,
    }).finish()
    return { details, signature: Curve.sign(emitter.private, details) }
  }

  return {
    root: raiz.public,
    issue: (chaveDoServidor) =>
      proto.CertChain.encode({
        intermediate: assinar(raiz, INTERMEDIATE_SERIAL, WA_CERT_DETAILS.SERIAL, intermediaria.public),
        leaf: assinar(intermediaria, LEAF_SERIAL, INTERMEDIATE_SERIAL, chaveDoServidor),
      }).finish(),
  }
}
