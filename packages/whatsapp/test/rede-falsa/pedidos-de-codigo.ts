import { EventEmitter, once } from 'node:events'
import type { BinaryNode } from 'baileys'
import type { Conexao } from './conexao.ts'
import { agora, bytesDe, filho, SERVIDOR, stanza, usuarioDe } from './stanza.ts'

/** Messages between client and phone for a pairing by typed code. */
export interface PedidosDeCodigo {
  readonly incluir: (conexao: Conexao) => string
  readonly receber: (conexao: Conexao, iq: BinaryNode) => void
  /** Resolves with the request for this number, now or later. */
  readonly pedidoDe: (numero: string) => Promise<Pedido>
  /** Sends the phone's half of the handshake. Resolves with the client's half. */
  readonly apresentar: (ref: string, celular: Metade) => Promise<Fim>
}

export interface Pedido {
  readonly ref: string
  /** The client's ephemeral key, encrypted with the code. */
  readonly embrulhada: Buffer
}

export interface Metade {
  readonly embrulhada: Uint8Array
  readonly identidade: Uint8Array
}

export interface Fim {
  readonly pacote: Buffer
  readonly identidade: Buffer
}

/** Like WhatsApp, this server accepts only known names of browsers and systems. */
const NAVEGADORES = /^(Chrome|Edge|Firefox|Opera|Safari) \((Android|Linux|Mac OS|Ubuntu|Windows)\)$/
const ETAPA = 'link_code_companion_reg'

export interface PedidosOptions {
  readonly novoId: () => string
  readonly existe: (numero: string) => boolean
  readonly recusa: () => string | undefined
}

export function createPedidosDeCodigo({ novoId, existe, recusa }: PedidosOptions): PedidosDeCodigo {
  const refs = new Map<Conexao, string>()
  const conexoes = new Map<string, Conexao>()
  const pedidos = new Map<string, Pedido>()
  const chegou = new EventEmitter<{ pedido: [] }>()
  const esperando = new Map<string, (fim: Fim) => void>()

  const responder = (conexao: Conexao, { attrs }: BinaryNode, conteudo: BinaryNode[]): void =>
    conexao.enviar(stanza('iq', { id: attrs.id, from: SERVIDOR, type: 'result' }, conteudo))

  const recusar = (conexao: Conexao, { attrs }: BinaryNode, erro: Record<string, string>): void =>
    conexao.enviar(stanza('iq', { id: attrs.id, from: SERVIDOR, type: 'error' }, [stanza('error', erro)]))

  return {
    incluir: (conexao) => {
      const ref = `codigo-${novoId()}`
      refs.set(conexao, ref)
      conexoes.set(ref, conexao)
      return ref
    },
    receber: (conexao, iq) => {
      const etapa = filho(iq, ETAPA)
      const ref = refs.get(conexao)
      if (etapa === undefined || ref === undefined) return
      if (etapa.attrs.stage === 'companion_hello') {
        const code = recusa()
        if (code !== undefined) return recusar(conexao, iq, { code })
        const numero = usuarioDe(etapa.attrs.jid ?? '')
        const onde = bytesDe(filho(etapa, 'companion_platform_display')).toString()
        if (!NAVEGADORES.test(onde)) return recusar(conexao, iq, { code: '400', text: 'bad-request' })
        if (!existe(numero)) return recusar(conexao, iq, { code: '404', text: 'not-found' })
        const embrulhada = bytesDe(filho(etapa, 'link_code_pairing_wrapped_companion_ephemeral_pub'))
        pedidos.set(numero, { ref, embrulhada })
        chegou.emit('pedido')
        const no = stanza('link_code_pairing_ref', {}, Buffer.from(ref))
        return responder(conexao, iq, [stanza(ETAPA, { stage: 'companion_hello' }, [no])])
      }
      responder(conexao, iq, [])
      esperando.get(ref)?.({
        pacote: bytesDe(filho(etapa, 'link_code_pairing_wrapped_key_bundle')),
        identidade: bytesDe(filho(etapa, 'companion_identity_public')),
      })
    },
    pedidoDe: async (numero) => {
      for (;;) {
        const pedido = pedidos.get(numero)
        if (pedido !== undefined && conexoes.get(pedido.ref)?.aberta() === true) return pedido
        await once(chegou, 'pedido')
      }
    },
    apresentar: (ref, { embrulhada, identidade }) =>
      new Promise((resolve) => {
        esperando.set(ref, resolve)
        const etapa = stanza(ETAPA, { stage: 'primary_hello' }, [
          stanza('link_code_pairing_wrapped_primary_ephemeral_pub', {}, Buffer.from(embrulhada)),
          stanza('primary_identity_pub', {}, Buffer.from(identidade)),
          stanza('link_code_pairing_ref', {}, Buffer.from(ref)),
        ])
        const attrs = { id: novoId(), from: SERVIDOR, type: ETAPA, t: agora() }
        conexoes.get(ref)?.enviar(stanza('notification', attrs, [etapa]))
      }),
  }
}
