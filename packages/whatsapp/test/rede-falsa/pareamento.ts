import { randomBytes } from 'node:crypto'
import type { proto } from 'baileys'
import type { Conexao } from './conexao.ts'
import { createPedidosDeCodigo, type PedidosDeCodigo, type PedidosOptions } from './pedidos-de-codigo.ts'
import { agora, bytesDe, filho, inteiroDe, SERVIDOR, stanza } from './stanza.ts'
import type { Aparelho, Dono } from './tipos.ts'

type Registro = proto.ClientPayload.IDevicePairingRegistrationData

interface Visitante {
  readonly conexao: Conexao
  readonly chaveNoise: Buffer
  readonly registro: Registro
}

export interface Pareamento extends Pick<PedidosDeCodigo, 'receber' | 'pedidoDe' | 'apresentar'> {
  readonly oferecer: (visitante: Visitante) => void
  /** Retires the secret of every code on screen. Resolves once the clients acknowledged the notice. */
  readonly renovar: () => Promise<void>
  /** Confirms a code for the owner's phone. Resolves once the client has countersigned. */
  readonly confirmar: (dono: Dono, ref: string, identidadeSelada: Uint8Array) => Promise<Confirmado>
}

export interface Confirmado {
  readonly aparelho: Aparelho
  readonly contraAssinada: Buffer
  /** Closes the connection so that the client returns as a linked device. */
  readonly reiniciar: () => void
}

export interface PareamentoOptions extends PedidosOptions {
  readonly refs: number
  readonly exigeChave: () => boolean
}

export function createPareamento({ refs, exigeChave, ...opcoes }: PareamentoOptions): Pareamento {
  const ofertas = new Map<string, Visitante>()
  const avisados = new Map<string, () => void>()
  const { novoId } = opcoes
  const pedidos = createPedidosDeCodigo(opcoes)
  return {
    receber: (conexao, recebida) => {
      if (recebida.tag === 'ack') avisados.get(recebida.attrs.id ?? '')?.()
      else pedidos.receber(conexao, recebida)
    },
    renovar: async () => {
      const conexoes = new Set([...ofertas.values()].map(({ conexao }) => conexao).filter((uma) => uma.aberta()))
      const avisar = (conexao: Conexao): Promise<void> =>
        new Promise((resolve) => {
          const attrs = { id: novoId(), from: SERVIDOR, type: 'companion_reg_refresh', t: agora() }
          avisados.set(attrs.id, resolve)
          conexao.enviar(stanza('notification', attrs, [stanza('companion_reg_refresh')]))
        })
      await Promise.all([...conexoes].map(avisar))
    },
    pedidoDe: pedidos.pedidoDe,
    apresentar: pedidos.apresentar,
    oferecer: (visitante) => {
      ofertas.set(pedidos.incluir(visitante.conexao), visitante)
      const novas = Array.from({ length: refs }, () => `2@${randomBytes(24).toString('base64')}`)
      for (const ref of novas) ofertas.set(ref, visitante)
      const nos = novas.map((ref) => stanza('ref', {}, Buffer.from(ref)))
      const attrs = { from: SERVIDOR, type: 'set', id: novoId(), xmlns: 'md' }
      visitante.conexao.enviar(stanza('iq', attrs, [stanza('pair-device', {}, nos)]))
    },
    confirmar: async (dono, ref, identidadeSelada) => {
      const visitante = ofertas.get(ref)
      if (visitante === undefined || !visitante.conexao.aberta()) throw new Error('invalid pairing code')
      if (exigeChave()) {
        const pedido = { id: novoId(), from: SERVIDOR, type: 'passkey_prologue_request', t: agora() }
        visitante.conexao.enviar(stanza('notification', pedido, [stanza('passkey_request_options')]))
        throw new Error('phone waits for a passkey')
      }
      ofertas.delete(ref)
      const aparelho = toAparelho(dono, visitante)
      const attrs = { from: SERVIDOR, type: 'set', id: novoId(), xmlns: 'md', t: agora() }
      const resposta = await visitante.conexao.perguntar(
        stanza('iq', attrs, [
          stanza('pair-success', {}, [
            stanza('device-identity', {}, Buffer.from(identidadeSelada)),
            stanza('biz', { name: dono.nome }),
            stanza('device', { jid: aparelho.jid, lid: aparelho.lidJid }),
            stanza('platform', { name: 'smba' }),
          ]),
        ]),
      )
      return {
        aparelho,
        contraAssinada: bytesDe(filho(filho(resposta, 'pair-device-sign'), 'device-identity')),
        reiniciar: () => {
          dono.aparelhos.set(aparelho.id, aparelho)
          visitante.conexao.enviar(stanza('stream:error', { code: '515' }))
          visitante.conexao.fechar()
        },
      }
    },
  }
}

function toAparelho(dono: Dono, { chaveNoise, registro }: Visitante): Aparelho {
  const { eIdent, eRegid, eSkeyId, eSkeyVal, eSkeySig } = registro
  if (!eIdent || !eRegid || !eSkeyId || !eSkeyVal || !eSkeySig) throw new Error('incomplete registration')
  const id = dono.aparelhos.size + 1
  return {
    dono,
    id,
    jid: `${dono.numero}:${id}@${SERVIDOR}`,
    lidJid: `${dono.lid}:${id}@lid`,
    chaveNoise,
    identidade: Buffer.from(eIdent),
    registro: inteiroDe(eRegid),
    assinada: { id: inteiroDe(eSkeyId), publica: Buffer.from(eSkeyVal), assinatura: Buffer.from(eSkeySig) },
    deUmaVez: [],
    pendentes: [],
    revogado: false,
    conexao: null,
  }
}
