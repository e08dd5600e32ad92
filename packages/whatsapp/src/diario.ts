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
import { Falhou } from './anfitriao.ts'
import { CHEGADA, emTexto } from './credenciais.ts'

/**
 * Persists before acknowledging. The library commits the ratchet, sends the receipt and only then reports the
 * message, so a crash in between would lose it: the server has deleted it and the ratchet cannot decrypt it again.
 * The journal therefore writes the plaintext with its envelope in the ratchet's transaction. The transaction uses
 * the account's own id, the same lock as sending. With the library's lock per contact, a receive and a send on one
 * ratchet can overwrite each other.
 */
export interface Diario {
  readonly makeSignalRepository: SocketConfig['makeSignalRepository']
  /** Stores the envelope of a stanza. Must run before the library handles it. */
  readonly anotar: (stanza: BinaryNode) => void
  /**
   * Runs a send and rejects if nothing was encrypted for this person. The library swallows such failures, and the
   * server would confirm a message that reaches only the owner's phone.
   */
  readonly cifrarPara: (jid: string, enviar: () => Promise<unknown> | undefined) => Promise<void>
}

export type Envelope = BinaryNode['attrs']

export interface DiarioOptions {
  readonly meuId: () => string | undefined
  readonly meuLid: () => string | undefined
  readonly chegou: (id: string, valor: string) => void
}

const LEMBRADOS = 2_000

export function createDiario({ meuId, meuLid, chegou }: DiarioOptions): Diario {
  const envelopes = new Map<string, Envelope>()
  const envio = new AsyncLocalStorage<Set<string>>()
  const usuario = (jid: string | undefined): string => jidDecode(jid)?.user ?? ''
  const deOutro = (jid: string): boolean => ![meuId(), meuLid()].map(usuario).includes(usuario(jid))
  return {
    cifrarPara: async (jid, enviar) => {
      const destinos = new Set<string>()
      await envio.run(destinos, enviar)
      const chega = [...destinos].some(deOutro) || !deOutro(jid)
      if (!chega) throw new Falhou('o WhatsApp não deu como levar a mensagem a este contato')
    },
    anotar: ({ attrs, content }) => {
      if (!Array.isArray(content)) return
      for (const enc of content) {
        if (enc.tag === 'enc' && enc.content instanceof Uint8Array) envelopes.set(impressao(enc.content), attrs)
      }
      // Messages that are never decrypted leave their envelopes here.
      if (envelopes.size > LEMBRADOS) envelopes.delete(envelopes.keys().next().value ?? '')
    },
    makeSignalRepository: (auth, logger, numeroParaLid) => {
      const repositorio = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, logger, numeroParaLid)
      const { keys } = auth
      if (!('transaction' in keys)) throw new Error('key store without transactions')
      return {
        ...repositorio,
        encryptMessage: async (opcoes) => {
          const cifrada = await repositorio.encryptMessage(opcoes)
          envio.getStore()?.add(opcoes.jid)
          return cifrada
        },
        decryptMessage: async (opcoes) => {
          const digital = impressao(opcoes.ciphertext)
          const envelope = envelopes.get(digital)
          envelopes.delete(digital)
          if (envelope === undefined) return repositorio.decryptMessage(opcoes)
          const id = `${envelope.from ?? ''} ${envelope.id ?? digital}`
          let valor = ''
          const claro = await keys.transaction(async () => {
            const preenchido = await repositorio.decryptMessage(opcoes)
            valor = emTexto({ envelope, corpo: Buffer.from(unpadRandomMax16(preenchido)) })
            await keys.set(comChegada(id, valor))
            return preenchido
          }, meuId() ?? opcoes.jid)
          chegou(id, valor)
          return claro
        },
      }
    },
  }
}

function comChegada(id: string, valor: string): SignalDataSet {
  const mudancas: SignalDataSet = {}
  return Object.assign(mudancas, { [CHEGADA]: { [id]: valor } })
}

function impressao(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
