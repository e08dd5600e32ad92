import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeWAMessage,
  generateSignalPubKey,
  initAuthCreds,
  type KeyPair,
  proto,
  unpadRandomMax16,
} from 'baileys'
import { mudo } from '#mudo.ts'
import { createChavesEmMemoria } from './chaves-em-memoria.ts'

/** The public keys that start a Signal session with a device. */
export interface Pacote {
  readonly registro: number
  readonly identidade: Uint8Array
  readonly assinada: { readonly id: number; readonly publica: Uint8Array; readonly assinatura: Uint8Array }
  readonly deUmaVez?: { readonly id: number; readonly publica: Uint8Array } | undefined
}

export interface Cifrada {
  readonly tipo: 'pkmsg' | 'msg'
  readonly corpo: Buffer
}

/** One end of the encryption: a customer's or the owner's phone. Runs one step at a time. */
export interface ParSignal {
  readonly identidade: KeyPair
  readonly novoPacote: () => Promise<Pacote>
  readonly cifrar: (jid: string, mensagem: proto.IMessage, pacote: () => Pacote) => Promise<Cifrada>
  readonly decifrar: (jid: string, cifrada: Cifrada) => Promise<proto.Message>
  /** Starts a new session with a device that could not decrypt a message. Older messages stay readable. */
  readonly renovar: (jid: string, pacote: () => Pacote) => Promise<void>
  readonly esquecer: (jid: string) => Promise<void>
}

let pares = 0

export function createParSignal(): ParSignal {
  const creds = initAuthCreds()
  const opcoes = { maxCommitRetries: 1, delayBetweenTriesMs: 1 }
  const chaves = addTransactionCapability(createChavesEmMemoria(), mudo, opcoes)
  const sinal = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: chaves }, mudo, async () => undefined)
  // The library has one queue per remote address and process, and several peers here share a device's address.
  pares += 1
  const prefixo = `${pares}00`
  const local = (jid: string): string => prefixo + jid
  let ultimo: Promise<unknown> = Promise.resolve()
  let proximaChave = 1

  const naVez = <T>(passo: () => Promise<T>): Promise<T> => {
    const feito = ultimo.then(passo)
    ultimo = feito.catch(() => undefined)
    return feito
  }

  const abrirSessao = (jid: string, { registro, identidade, assinada, deUmaVez }: Pacote): Promise<void> => {
    return sinal.injectE2ESession({
      jid: local(jid),
      session: {
        registrationId: registro,
        identityKey: generateSignalPubKey(identidade),
        signedPreKey: {
          keyId: assinada.id,
          publicKey: generateSignalPubKey(assinada.publica),
          signature: assinada.assinatura,
        },
        // Without one-time keys a session starts with the signed key alone.
        ...(deUmaVez === undefined
          ? {}
          : { preKey: { keyId: deUmaVez.id, publicKey: generateSignalPubKey(deUmaVez.publica) } }),
      },
    })
  }

  return {
    identidade: creds.signedIdentityKey,
    novoPacote: async () => {
      const id = proximaChave++
      const par = Curve.generateKeyPair()
      await chaves.set({ 'pre-key': { [id]: par } })
      const { signedPreKey, signedIdentityKey, registrationId } = creds
      return {
        registro: registrationId,
        identidade: signedIdentityKey.public,
        assinada: {
          id: signedPreKey.keyId,
          publica: signedPreKey.keyPair.public,
          assinatura: signedPreKey.signature,
        },
        deUmaVez: { id, publica: par.public },
      }
    },
    cifrar: (jid, mensagem, pacote) =>
      naVez(async () => {
        const { exists } = await sinal.validateSession(local(jid))
        if (!exists) await abrirSessao(jid, pacote())
        const { type, ciphertext } = await sinal.encryptMessage({ jid: local(jid), data: encodeWAMessage(mensagem) })
        return { tipo: type, corpo: Buffer.from(ciphertext) }
      }),
    decifrar: (jid, { tipo, corpo }) =>
      naVez(async () => {
        const claro = await sinal.decryptMessage({ jid: local(jid), type: tipo, ciphertext: corpo })
        return proto.Message.decode(unpadRandomMax16(claro))
      }),
    renovar: (jid, pacote) => naVez(() => abrirSessao(jid, pacote())),
    esquecer: (jid) => naVez(() => sinal.deleteSession([local(jid)])),
  }
}
