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
import { silentLogger } from '#socket/socket.ts'
import { createMemoryKeys } from './memory-keys.ts'

/** The public keys that start a Signal session with a device. */
export interface KeyBundle {
  readonly registrationId: number
  readonly identity: Uint8Array
  readonly signedKey: { readonly id: number; readonly publicKey: Uint8Array; readonly signature: Uint8Array }
  readonly oneTimeKey?: { readonly id: number; readonly publica: Uint8Array } | undefined
}

export interface Ciphertext {
  readonly type: 'pkmsg' | 'msg'
  readonly body: Buffer
}

/** One end of the encryption: a customer's or the owner's phone. Runs one step at a time. */
export interface SignalPeer {
  readonly identity: KeyPair
  readonly newBundle: () => Promise<KeyBundle>
  readonly encrypt: (jid: string, mensagem: proto.IMessage, packet: () => KeyBundle) => Promise<Ciphertext>
  readonly decrypt: (jid: string, encrypted: Ciphertext) => Promise<proto.Message>
  /** Starts a new session with a device that could not decrypt a message. Older messages stay readable. */
  readonly renewSession: (jid: string, packet: () => KeyBundle) => Promise<void>
  readonly deleteSession: (jid: string) => Promise<void>
}

let peerCount = 0

export function createSignalPeer(): SignalPeer {
  const creds = initAuthCreds()
  const opcoes = { maxCommitRetries: 1, delayBetweenTriesMs: 1 }
  const chaves = addTransactionCapability(createMemoryKeys(), silentLogger, opcoes)
  const signal = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds, keys: chaves },
    silentLogger,
    async () => undefined,
  )
  // The library has one queue per remote address and process, and several peers here share a device's address.
  peerCount += 1
  const prefix = `${peerCount}00`
  const local = (jid: string): string => prefix + jid
  let last: Promise<unknown> = Promise.resolve()
  let proximaChave = 1

  const naVez = <T>(step: () => Promise<T>): Promise<T> => {
    const done = last.then(step)
    last = done.catch(() => undefined)
    return done
  }

  const abrirSessao = (
    jid: string,
    { registrationId: registro, identity, signedKey, oneTimeKey }: KeyBundle,
  ): Promise<void> => {
    return signal.injectE2ESession({
      jid: local(jid),
      session: {
        registrationId: registro,
        identityKey: generateSignalPubKey(identity),
        signedPreKey: {
          keyId: signedKey.id,
          publicKey: generateSignalPubKey(signedKey.publicKey),
          signature: signedKey.signature,
        },
        // Without one-time keys a session starts with the signed key alone.
        ...(oneTimeKey === undefined
          ? {}
          : { preKey: { keyId: oneTimeKey.id, publicKey: generateSignalPubKey(oneTimeKey.publica) } }),
      },
    })
  }

  return {
    identity: creds.signedIdentityKey,
    newBundle: async () => {
      const id = proximaChave++
      const par = Curve.generateKeyPair()
      await chaves.set({ 'pre-key': { [id]: par } })
      const { signedPreKey, signedIdentityKey, registrationId } = creds
      return {
        registrationId: registrationId,
        identity: signedIdentityKey.public,
        signedKey: {
          id: signedPreKey.keyId,
          publicKey: signedPreKey.keyPair.public,
          signature: signedPreKey.signature,
        },
        oneTimeKey: { id, publica: par.public },
      }
    },
    encrypt: (jid, mensagem, packet) =>
      naVez(async () => {
        const { exists } = await signal.validateSession(local(jid))
        if (!exists) await abrirSessao(jid, packet())
        const { type, ciphertext } = await signal.encryptMessage({ jid: local(jid), data: encodeWAMessage(mensagem) })
        return { type: type, body: Buffer.from(ciphertext) }
      }),
    decrypt: (jid, { type: tipo, body }) =>
      naVez(async () => {
        const clear = await signal.decryptMessage({ jid: local(jid), type: tipo, ciphertext: body })
        return proto.Message.decode(unpadRandomMax16(clear))
      }),
    renewSession: (jid, packet) => naVez(() => abrirSessao(jid, packet())),
    deleteSession: (jid) => naVez(() => signal.deleteSession([local(jid)])),
  }
}
