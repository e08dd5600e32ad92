import { EventEmitter } from 'node:events'
import { type BinaryNode, proto } from 'baileys'
import { encryptMedia, decryptMedia } from '#outbound/media-cipher.ts'
import type { FakeMediaServer } from './media-server.ts'
import type { FakePhone } from './phone.ts'
import { keyStanzas, bundleOfDevice } from './queries.ts'
import { deliverTo } from './delivery.ts'
import { readCiphertext, textOf } from './reading.ts'
import { createSignalPeer } from './signal-peer.ts'
import type { FakeServer } from './server.ts'
import { unixTime, SERVER, stanza, userOf } from './stanza.ts'
import type { LinkedDevice, Recipient, SentStanza, NetworkPerson, ReceivedMessage } from './types.ts'

/** Sender address: number, LID with the number beside it, or LID alone. */
export type Addressing = 'numero' | 'lid' | 'lid-oculto'

export interface CustomerSendOptions {
  readonly como?: Addressing
  readonly id?: string
  readonly tipo?: string
  readonly attrs?: Readonly<Record<string, string>>
}

interface CustomerEvents {
  recebida: [ReceivedMessage]
}

export interface FakeCustomer extends Recipient {
  readonly events: EventEmitter<CustomerEvents>
  /** Received messages without repetitions, in order of arrival. */
  readonly received: readonly ReceivedMessage[]
  /** Ids of repeated messages. A phone shows each message once. */
  readonly repeated: readonly string[]
  readonly unreadable: readonly string[]
  readonly say: (celular: FakePhone, texto: string, opcoes?: CustomerSendOptions) => Promise<string>
  readonly send: (celular: FakePhone, mensagem: proto.IMessage, opcoes?: CustomerSendOptions) => Promise<string>
  /** Sends a message without content. `diz` with the same id sends the content later. */
  readonly sendWithoutContent: (celular: FakePhone, porque?: 'view_once') => string
  readonly edit: (celular: FakePhone, id: string, texto: string) => Promise<string>
  /** Deletes the message for all participants. */
  readonly deleteForAll: (celular: FakePhone, id: string) => Promise<string>
  readonly react: (celular: FakePhone, id: string, emoji: string) => Promise<string>
  /** Quotes a text of the shop. */
  readonly quote: (celular: FakePhone, citado: string, texto: string) => Promise<string>
  readonly sendPicture: (
    celular: FakePhone,
    store: FakeMediaServer,
    foto: Uint8Array,
    legenda: string,
  ) => Promise<string>
  readonly openPicture: (store: FakeMediaServer, recebida: ReceivedMessage) => Promise<Buffer>
  /** Resolves with the n-th message (from 1). */
  readonly nth: (n: number) => Promise<ReceivedMessage>
  readonly type: (celular: FakePhone) => void
  /** Calls the shop and returns the call's id. The same `id` repeats the stanza. */
  readonly call: (celular: FakePhone, opcoes?: { readonly id?: string; readonly video?: boolean }) => string
  /** Ends a call: answered on the phone, or missed. */
  readonly endCall: (celular: FakePhone, id: string, razao?: 'accepted_elsewhere' | 'timeout') => void
  readonly markRead: (celular: FakePhone, id: string) => void
  readonly reinstall: (celular: FakePhone) => Promise<void>
}

export function createFakeCustomer(server: FakeServer, person: NetworkPerson): FakeCustomer {
  const sinal = createSignalPeer()
  const eventos = new EventEmitter<CustomerEvents>()
  const recebidas: ReceivedMessage[] = []
  const repetidas: string[] = []
  const ilegiveis: string[] = []
  const seguradas: BinaryNode[] = []
  const sent = new Map<string, (aparelho: LinkedDevice) => Promise<void>>()
  const lidJid = `${person.lid}@lid`
  const jid = `${person.numero}@${SERVER}`

  const addresses = (como: Addressing): Record<string, string> => {
    if (como === 'numero') return { from: jid, sender_lid: lidJid }
    return { from: lidJid, addressing_mode: 'lid', ...(como === 'lid' ? { sender_pn: jid } : {}) }
  }

  const receipt = (celular: Pick<FakePhone, 'devices'>, id: string, type?: string): void => {
    for (const aparelho of celular.devices.values()) {
      deliverTo(aparelho, stanza('receipt', { id, from: lidJid, type, t: unixTime() }))
    }
  }

  const chamar = (celular: FakePhone, said: BinaryNode): void => {
    for (const aparelho of celular.devices.values()) {
      if (aparelho.revoked) continue
      deliverTo(aparelho, stanza('call', { from: lidJid, id: server.newId('L'), t: unixTime() }, [said]))
    }
  }

  const pedirDeNovo = async ({ device, id }: SentStanza): Promise<void> => {
    const packet = await sinal.newBundle()
    const retry = stanza('retry', { v: '1', id, count: '1', t: unixTime() })
    const [registration, ...keys] = keyStanzas(packet)
    const content = [retry, ...(registration === undefined ? [] : [registration]), stanza('keys', {}, keys)]
    deliverTo(device, stanza('receipt', { id, from: lidJid, type: 'retry', t: unixTime() }, content))
  }

  const enviar: FakeCustomer['send'] = async (celular, mensagem, opcoes = {}) => {
    const { como = 'lid', id = server.newId('3A'), tipo: type = 'text', attrs = {} } = opcoes
    const para = async (aparelho: LinkedDevice): Promise<void> => {
      const { type: tipo, body } = await sinal.encrypt(aparelho.jid, mensagem, () => bundleOfDevice(aparelho))
      const todos = { ...addresses(como), id, type, notify: person.nome, t: unixTime(), ...attrs }
      const ready = stanza('message', todos, [stanza('enc', { v: '2', type: tipo }, body)])
      const late = seguradas.splice(0)
      if (server.faults.holdMessage?.() === true) seguradas.push(ready)
      else deliverTo(aparelho, ready)
      for (const atrasada of late) deliverTo(aparelho, atrasada)
    }
    sent.set(id, para)
    for (const aparelho of celular.devices.values()) if (!aparelho.revoked) await para(aparelho)
    return id
  }

  // The shop requested the message again, so the customer encrypts it with newly fetched keys.
  server.events.on('recibo', ({ aparelho, stanza: { attrs } }) => {
    if (attrs.type !== 'retry' || userOf(attrs.to ?? '') !== userOf(lidJid)) return
    void sinal
      .renewSession(aparelho.jid, () => bundleOfDevice(aparelho))
      .then(() => sent.get(attrs.id ?? '')?.(aparelho))
  })

  const cliente: FakeCustomer = {
    ...person,
    ...{
      signal: sinal,
      events: eventos,
      received: recebidas,
      repeated: repetidas,
      unreadable: ilegiveis,
      send: enviar,
    },
    deliver: async (enviada, enc) => {
      const { device, id } = enviada
      let mensagem: proto.Message
      try {
        mensagem = await sinal.decrypt(device.jid, readCiphertext(enc))
      } catch {
        ilegiveis.push(id)
        return pedirDeNovo(enviada)
      }
      receipt(device.owner, id)
      if (recebidas.some((recebida) => recebida.id === id)) {
        repetidas.push(id)
        return
      }
      const recebida = { id, message: mensagem, text: textOf(mensagem) }
      recebidas.push(recebida)
      eventos.emit('recebida', recebida)
    },
    edit: (celular, id, conversation) => {
      const { MESSAGE_EDIT: type } = proto.Message.ProtocolMessage.Type
      return enviar(celular, { protocolMessage: { key: { id }, type, editedMessage: { conversation } } })
    },
    deleteForAll: (celular, id) => {
      const { REVOKE: type } = proto.Message.ProtocolMessage.Type
      return enviar(celular, { protocolMessage: { key: { id }, type } })
    },
    react: (celular, id, text) => enviar(celular, { reactionMessage: { key: { id }, text } }),
    quote: (celular, conversation, text) => {
      const contextInfo = { participant: `${celular.numero}@${SERVER}`, quotedMessage: { conversation } }
      return enviar(celular, { extendedTextMessage: { text, contextInfo } })
    },
    sendWithoutContent: (celular, type) => {
      const attrs = { ...addresses('lid'), id: server.newId('3A'), type: 'text', notify: person.nome, t: unixTime() }
      for (const aparelho of celular.devices.values()) {
        deliverTo(aparelho, stanza('message', attrs, [stanza('unavailable', { type })]))
      }
      return attrs.id
    },
    say: (celular, texto, opcoes) => enviar(celular, { conversation: texto }, opcoes),
    nth: (n) =>
      new Promise((resolve) => {
        const check = (): void => {
          const ready = recebidas[n - 1]
          if (ready === undefined) return
          eventos.off('recebida', check)
          resolve(ready)
        }
        eventos.on('recebida', check)
        check()
      }),
    sendPicture: async (celular, store, foto, caption) => {
      const { body, ...chaves } = await encryptMedia(foto, 'image')
      const directPath = `/v/${server.newId('foto')}.enc`
      store.files.set(directPath, body)
      const imageMessage = { ...chaves, directPath, mimetype: 'image/jpeg', caption, fileLength: foto.length }
      return enviar(celular, { imageMessage }, { tipo: 'media' })
    },
    openPicture: async (store, { message: { imageMessage } }) => {
      const corpo = store.files.get(imageMessage?.directPath ?? '') ?? Buffer.alloc(0)
      return decryptMedia(corpo, imageMessage?.mediaKey ?? Buffer.alloc(0), 'image')
    },
    type: (celular) => {
      for (const { connection } of celular.devices.values()) {
        connection?.send(stanza('chatstate', { from: lidJid }, [stanza('composing')]))
      }
    },
    call: (celular, { id = server.newId('C'), video = false } = {}) => {
      const offer = stanza('offer', { 'call-id': id, 'call-creator': lidJid, caller_pn: jid }, [
        stanza('audio', { enc: 'opus' }),
        ...(video ? [stanza('video', { enc: 'vp8' })] : []),
      ])
      chamar(celular, offer)
      return id
    },
    endCall: (celular, id, reason) =>
      chamar(celular, stanza('terminate', { 'call-id': id, 'call-creator': lidJid, reason })),
    markRead: (celular, id) => receipt(celular, id, 'read'),
    reinstall: async (celular) => {
      for (const aparelho of celular.devices.values()) await sinal.deleteSession(aparelho.jid)
    },
  }
  server.add(cliente)
  return cliente
}
