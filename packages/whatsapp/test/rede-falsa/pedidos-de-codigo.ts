import { EventEmitter, once } from 'node:events'
import type { BinaryNode } from 'baileys'
import type { ServerConnection } from './conexao.ts'
import { unixTime, bytesOf, childOf, SERVER, stanza, userOf } from './stanza.ts'

/** Messages between client and phone for a pairing by typed code. */
export interface CodeRequests {
  readonly add: (conexao: ServerConnection) => string
  readonly received: (conexao: ServerConnection, iq: BinaryNode) => void
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
  const conexoes = new Map<string, ServerConnection>()
  const pedidos = new Map<string, CodeRequest>()
  const chegou = new EventEmitter<{ pedido: [] }>()
  const esperando = new Map<string, (fim: ClientHalf) => void>()

  const responder = (conexao: ServerConnection, { attrs }: BinaryNode, conteudo: BinaryNode[]): void =>
    conexao.send(stanza('iq', { id: attrs.id, from: SERVER, type: 'result' }, conteudo))

  const recusar = (conexao: ServerConnection, { attrs }: BinaryNode, erro: Record<string, string>): void =>
    conexao.send(stanza('iq', { id: attrs.id, from: SERVER, type: 'error' }, [stanza('error', erro)]))

  return {
    add: (conexao) => {
      const ref = `codigo-${newId()}`
      refs.set(conexao, ref)
      conexoes.set(ref, conexao)
      return ref
    },
    received: (conexao, iq) => {
      const etapa = childOf(iq, STEP_TAG)
      const ref = refs.get(conexao)
      if (etapa === undefined || ref === undefined) return
      if (etapa.attrs.stage === 'companion_hello') {
        const code = refusal()
        if (code !== undefined) return recusar(conexao, iq, { code })
        const numero = userOf(etapa.attrs.jid ?? '')
        const onde = bytesOf(childOf(etapa, 'companion_platform_display')).toString()
        if (!KNOWN_BROWSERS.test(onde)) return recusar(conexao, iq, { code: '400', text: 'bad-request' })
        if (!exists(numero)) return recusar(conexao, iq, { code: '404', text: 'not-found' })
        const embrulhada = bytesOf(childOf(etapa, 'link_code_pairing_wrapped_companion_ephemeral_pub'))
        pedidos.set(numero, { ref, wrappedKey: embrulhada })
        chegou.emit('pedido')
        const no = stanza('link_code_pairing_ref', {}, Buffer.from(ref))
        return responder(conexao, iq, [stanza(STEP_TAG, { stage: 'companion_hello' }, [no])])
      }
      responder(conexao, iq, [])
      esperando.get(ref)?.({
        bundle: bytesOf(childOf(etapa, 'link_code_pairing_wrapped_key_bundle')),
        identity: bytesOf(childOf(etapa, 'companion_identity_public')),
      })
    },
    requestFor: async (numero) => {
      for (;;) {
        const pedido = pedidos.get(numero)
        if (pedido !== undefined && conexoes.get(pedido.ref)?.isOpen() === true) return pedido
        await once(chegou, 'pedido')
      }
    },
    exchange: (ref, { wrappedKey, identity }) =>
      new Promise((resolve) => {
        esperando.set(ref, resolve)
        const etapa = stanza(STEP_TAG, { stage: 'primary_hello' }, [
          stanza('link_code_pairing_wrapped_primary_ephemeral_pub', {}, Buffer.from(wrappedKey)),
          stanza('primary_identity_pub', {}, Buffer.from(identity)),
          stanza('link_code_pairing_ref', {}, Buffer.from(ref)),
        ])
        const attrs = { id: newId(), from: SERVER, type: STEP_TAG, t: unixTime() }
        conexoes.get(ref)?.send(stanza('notification', attrs, [etapa]))
      }),
  }
}
