import { EventEmitter, once } from 'node:events'
import type { BinaryNode } from 'baileys'
import type { ServerConnection } from './connection.ts'
import { unixTime, bytesOf, childOf, SERVER, stanza, userOf } from './stanza.ts'

/** Messages between client and phone for a pairing by typed code. */
export interface CodeRequests {
  readonly add: (connection: ServerConnection) => string
  readonly received: (connection: ServerConnection, iq: BinaryNode) => void
  /** Resolves with the request for this number, now or later. */
  readonly requestFor: (numero: string) => Promise<CodeRequest>
  /** Sends the phone's half of the handshake. Resolves with the client's half. */
  readonly exchange: (ref: string, celular: PhoneHalf) => Promise<ClientHalf>
}

export interface CodeRequest {
  readonly ref: string
  /** The client's ephemeral key, encrypted with the code. */
  readonly wrappedKey: Buffer
}

export interface PhoneHalf {
  readonly wrappedKey: Uint8Array
  readonly identity: Uint8Array
}

export interface ClientHalf {
  readonly bundle: Buffer
  readonly identity: Buffer
}

/** Like WhatsApp, this server accepts only known names of browsers and systems. */
const KNOWN_BROWSERS = /^(Chrome|Edge|Firefox|Opera|Safari) \((Android|Linux|Mac OS|Ubuntu|Windows)\)$/
const STEP_TAG = 'link_code_companion_reg'

export interface CodeRequestOptions {
  readonly newId: () => string
  readonly exists: (numero: string) => boolean
  readonly refusal: () => string | undefined
}

export function createCodeRequests({ newId, exists, refusal }: CodeRequestOptions): CodeRequests {
  const refs = new Map<ServerConnection, string>()
  const connections = new Map<string, ServerConnection>()
  const requests = new Map<string, CodeRequest>()
  const arrived = new EventEmitter<{ pedido: [] }>()
  const waiting = new Map<string, (fim: ClientHalf) => void>()

  const reply = (connection: ServerConnection, { attrs }: BinaryNode, content: BinaryNode[]): void =>
    connection.send(stanza('iq', { id: attrs.id, from: SERVER, type: 'result' }, content))

  const refuse = (connection: ServerConnection, { attrs }: BinaryNode, error: Record<string, string>): void =>
    connection.send(stanza('iq', { id: attrs.id, from: SERVER, type: 'error' }, [stanza('error', error)]))

  return {
    add: (connection) => {
      const ref = `codigo-${newId()}`
      refs.set(connection, ref)
      connections.set(ref, connection)
      return ref
    },
    received: (connection, iq) => {
      const etapa = childOf(iq, STEP_TAG)
      const ref = refs.get(connection)
      if (etapa === undefined || ref === undefined) return
      if (etapa.attrs.stage === 'companion_hello') {
        const code = refusal()
        if (code !== undefined) return refuse(connection, iq, { code })
        const numero = userOf(etapa.attrs.jid ?? '')
        const onde = bytesOf(childOf(etapa, 'companion_platform_display')).toString()
        if (!KNOWN_BROWSERS.test(onde)) return refuse(connection, iq, { code: '400', text: 'bad-request' })
        if (!exists(numero)) return refuse(connection, iq, { code: '404', text: 'not-found' })
        const embrulhada = bytesOf(childOf(etapa, 'link_code_pairing_wrapped_companion_ephemeral_pub'))
        requests.set(numero, { ref, wrappedKey: embrulhada })
        arrived.emit('pedido')
        const no = stanza('link_code_pairing_ref', {}, Buffer.from(ref))
        return reply(connection, iq, [stanza(STEP_TAG, { stage: 'companion_hello' }, [no])])
      }
      reply(connection, iq, [])
      waiting.get(ref)?.({
        bundle: bytesOf(childOf(etapa, 'link_code_pairing_wrapped_key_bundle')),
        identity: bytesOf(childOf(etapa, 'companion_identity_public')),
      })
    },
    requestFor: async (numero) => {
      for (;;) {
        const request = requests.get(numero)
        if (request !== undefined && connections.get(request.ref)?.isOpen() === true) return request
        await once(arrived, 'pedido')
      }
    },
    exchange: (ref, { wrappedKey, identity }) =>
      new Promise((resolve) => {
        waiting.set(ref, resolve)
        const etapa = stanza(STEP_TAG, { stage: 'primary_hello' }, [
          stanza('link_code_pairing_wrapped_primary_ephemeral_pub', {}, Buffer.from(wrappedKey)),
          stanza('primary_identity_pub', {}, Buffer.from(identity)),
          stanza('link_code_pairing_ref', {}, Buffer.from(ref)),
        ])
        const attrs = { id: newId(), from: SERVER, type: STEP_TAG, t: unixTime() }
        connections.get(ref)?.send(stanza('notification', attrs, [etapa]))
      }),
  }
}
