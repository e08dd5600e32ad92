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
import { LRUCache } from 'lru-cache'
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

/** Messages that are never decrypted leave their envelopes behind. */
const REMEMBERED = 2_000

export function createJournal({ myId, myLid, onEntry }: JournalOptions): Journal {
  const envelopes = new LRUCache<string, Envelope>({ max: REMEMBERED })
  const sending = new AsyncLocalStorage<Set<string>>()
  const userOf = (jid: string | undefined): string => jidDecode(jid)?.user ?? ''
  const isOther = (jid: string): boolean => ![myId(), myLid()].map(userOf).includes(userOf(jid))
  return {
    encryptFor: async (jid, send) => {
      const destinations = new Set<string>()
      await sending.run(destinations, send)
      const reaches = [...destinations].some(isOther) || !isOther(jid)
      if (!reaches) throw new SendFailed('o WhatsApp não deu como levar a mensagem a este contato')
    },
    noteEnvelope: ({ attrs, content }) => {
      if (!Array.isArray(content)) return
      for (const enc of content) {
        if (enc.tag === 'enc' && enc.content instanceof Uint8Array) envelopes.set(fingerprint(enc.content), attrs)
      }
    },
    makeSignalRepository: (auth, logger, phoneToLid) => {
      const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, phoneToLid)
      const { keys } = auth
      if (!('transaction' in keys)) throw new Error('key store without transactions')
      return {
        ...repository,
        encryptMessage: async (options) => {
          const encrypted = await repository.encryptMessage(options)
          sending.getStore()?.add(options.jid)
          return encrypted
        },
        decryptMessage: async (options) => {
          const print = fingerprint(options.ciphertext)
          const envelope = envelopes.get(print)
          envelopes.delete(print)
          if (envelope === undefined) return repository.decryptMessage(options)
          const id = `${envelope.from ?? ''} ${envelope.id ?? print}`
          let valor = ''
          const clear = await keys.transaction(async () => {
            const padded = await repository.decryptMessage(options)
            valor = serialize({ envelope, corpo: Buffer.from(unpadRandomMax16(padded)) })
            await keys.set(journalChange(id, valor))
            return padded
          }, myId() ?? options.jid)
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
