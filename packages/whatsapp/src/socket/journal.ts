import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import {
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  jidDecode,
  type SignalDataSet,
  type SocketConfig,
  unpadRandomMax16,
} from 'baileys'
import { SendFailed } from '@balcao/connector/errors'
import { JOURNAL_KEY_TYPE, serialize } from './credentials.ts'

/**
 * Persists before acknowledging. The library commits the ratchet, sends the receipt and only then reports the
 * message, so a crash in between would lose it: the server has deleted it and the ratchet cannot decrypt it again.
 * The journal therefore writes the plaintext with its envelope in the ratchet's transaction. The transaction uses
 * the account's own id, the same lock as sending. With the library's lock per contact, a receive and a send on one
 * ratchet can overwrite each other.
 */
export interface Journal {
  readonly makeSignalRepository: SocketConfig['makeSignalRepository']
  /** Stores the envelope of a stanza. Must run before the library handles it. */
  readonly noteEnvelope: (stanza: BinaryNode) => void
  /**
   * Runs a send and rejects if nothing was encrypted for this person. The library swallows such failures, and the
   * server would confirm a message that reaches only the owner's phone.
   */
  readonly encryptFor: (jid: string, send: () => Promise<unknown> | undefined) => Promise<void>
}

export type Envelope = BinaryNode['attrs']

export interface JournalOptions {
  readonly myId: () => string | undefined
  readonly myLid: () => string | undefined
  readonly onEntry: (id: string, valor: string) => void
}

const REMEMBERED = 2_000

export function createJournal({ myId, myLid, onEntry }: JournalOptions): Journal {
  const envelopes = new Map<string, Envelope>()
  const envio = new AsyncLocalStorage<Set<string>>()
  const usuario = (jid: string | undefined): string => jidDecode(jid)?.user ?? ''
  const deOutro = (jid: string): boolean => ![myId(), myLid()].map(usuario).includes(usuario(jid))
  return {
    encryptFor: async (jid, send) => {
      const destinations = new Set<string>()
      await envio.run(destinations, send)
      const chega = [...destinations].some(deOutro) || !deOutro(jid)
      if (!chega) throw new SendFailed('o WhatsApp não deu como levar a mensagem a este contato')
    },
    noteEnvelope: ({ attrs, content }) => {
      if (!Array.isArray(content)) return
      for (const enc of content) {
        if (enc.tag === 'enc' && enc.content instanceof Uint8Array) envelopes.set(fingerprint(enc.content), attrs)
      }
      // Messages that are never decrypted leave their envelopes here.
      if (envelopes.size > REMEMBERED) envelopes.delete(envelopes.keys().next().value ?? '')
    },
    makeSignalRepository: (auth, logger, numeroParaLid) => {
      const repositorio = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, numeroParaLid)
      const { keys } = auth
      if (!('transaction' in keys)) throw new Error('key store without transactions')
      return {
        ...repositorio,
        encryptMessage: async (opcoes) => {
          const encrypted = await repositorio.encryptMessage(opcoes)
          envio.getStore()?.add(opcoes.jid)
          return encrypted
        },
        decryptMessage: async (opcoes) => {
          const digital = fingerprint(opcoes.ciphertext)
          const envelope = envelopes.get(digital)
          envelopes.delete(digital)
          if (envelope === undefined) return repositorio.decryptMessage(opcoes)
          const id = `${envelope.from ?? ''} ${envelope.id ?? digital}`
          let valor = ''
          const clear = await keys.transaction(async () => {
            const preenchido = await repositorio.decryptMessage(opcoes)
            valor = serialize({ envelope, corpo: Buffer.from(unpadRandomMax16(preenchido)) })
            await keys.set(journalChange(id, valor))
            return preenchido
          }, myId() ?? opcoes.jid)
          onEntry(id, valor)
          return clear
        },
      }
    },
  }
}

function journalChange(id: string, value: string): SignalDataSet {
  const changes: SignalDataSet = {}
  return Object.assign(changes, { [JOURNAL_KEY_TYPE]: { [id]: value } })
}

function fingerprint(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
