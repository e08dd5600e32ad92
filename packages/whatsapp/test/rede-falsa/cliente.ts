import { EventEmitter } from 'node:events'
import { type BinaryNode, proto } from 'baileys'
import { cifrarMidia, decifrarMidia } from '#cifra-de-midia.ts'
import type { ArmazemFalso } from './armazem.ts'
import type { Celular } from './celular.ts'
import { chavesDo, pacoteDo } from './consultas.ts'
import { entregarAo } from './correio.ts'
import { lerCifrada, textoDe } from './leitura.ts'
import { createParSignal } from './par-signal.ts'
import type { ServidorFalso } from './servidor.ts'
import { agora, SERVIDOR, stanza, usuarioDe } from './stanza.ts'
import type { Aparelho, Destinatario, Enviada, Pessoa, Recebida } from './tipos.ts'

/** Sender address: number, LID with the number beside it, or LID alone. */
export type Enderecamento = 'numero' | 'lid' | 'lid-oculto'

export interface EnvioOptions {
  readonly como?: Enderecamento
  readonly id?: string
  readonly tipo?: string
  readonly attrs?: Readonly<Record<string, string>>
}

interface EventosCliente {
  recebida: [Recebida]
}

export interface ClienteFalso extends Destinatario {
  readonly eventos: EventEmitter<EventosCliente>
  /** Received messages without repetitions, in order of arrival. */
  readonly recebidas: readonly Recebida[]
  /** Ids of repeated messages. A phone shows each message once. */
  readonly repetidas: readonly string[]
  readonly ilegiveis: readonly string[]
  readonly diz: (celular: Celular, texto: string, opcoes?: EnvioOptions) => Promise<string>
  readonly enviar: (celular: Celular, mensagem: proto.IMessage, opcoes?: EnvioOptions) => Promise<string>
  /** Sends a message without content. `diz` with the same id sends the content later. */
  readonly falta: (celular: Celular, porque?: 'view_once') => string
  readonly edita: (celular: Celular, id: string, texto: string) => Promise<string>
  /** Deletes the message for all participants. */
  readonly apaga: (celular: Celular, id: string) => Promise<string>
  readonly reage: (celular: Celular, id: string, emoji: string) => Promise<string>
  /** Quotes a text of the shop. */
  readonly cita: (celular: Celular, citado: string, texto: string) => Promise<string>
  readonly fotografa: (celular: Celular, armazem: ArmazemFalso, foto: Uint8Array, legenda: string) => Promise<string>
  readonly abrir: (armazem: ArmazemFalso, recebida: Recebida) => Promise<Buffer>
  /** Resolves with the n-th message (from 1). */
  readonly nesima: (n: number) => Promise<Recebida>
  readonly digita: (celular: Celular) => void
  /** Calls the shop and returns the call's id. The same `id` repeats the stanza. */
  readonly liga: (celular: Celular, opcoes?: { readonly id?: string; readonly video?: boolean }) => string
  /** Ends a call: answered on the phone, or missed. */
  readonly desliga: (celular: Celular, id: string, razao?: 'accepted_elsewhere' | 'timeout') => void
  readonly leu: (celular: Celular, id: string) => void
  readonly reinstalar: (celular: Celular) => Promise<void>
}

export function createCliente(servidor: ServidorFalso, pessoa: Pessoa): ClienteFalso {
  const sinal = createParSignal()
  const eventos = new EventEmitter<EventosCliente>()
  const recebidas: Recebida[] = []
  const repetidas: string[] = []
  const ilegiveis: string[] = []
  const seguradas: BinaryNode[] = []
  const enviadas = new Map<string, (aparelho: Aparelho) => Promise<void>>()
  const lidJid = `${pessoa.lid}@lid`
  const jid = `${pessoa.numero}@${SERVIDOR}`

  const enderecos = (como: Enderecamento): Record<string, string> => {
    if (como === 'numero') return { from: jid, sender_lid: lidJid }
    return { from: lidJid, addressing_mode: 'lid', ...(como === 'lid' ? { sender_pn: jid } : {}) }
  }

  const recibo = (celular: Pick<Celular, 'aparelhos'>, id: string, type?: string): void => {
    for (const aparelho of celular.aparelhos.values()) {
      entregarAo(aparelho, stanza('receipt', { id, from: lidJid, type, t: agora() }))
    }
  }

  const chamar = (celular: Celular, dito: BinaryNode): void => {
    for (const aparelho of celular.aparelhos.values()) {
      if (aparelho.revogado) continue
      entregarAo(aparelho, stanza('call', { from: lidJid, id: servidor.novoId('L'), t: agora() }, [dito]))
    }
  }

  const pedirDeNovo = async ({ aparelho, id }: Enviada): Promise<void> => {
    const pacote = await sinal.novoPacote()
    const retry = stanza('retry', { v: '1', id, count: '1', t: agora() })
    const [registration, ...keys] = chavesDo(pacote)
    const conteudo = [retry, ...(registration === undefined ? [] : [registration]), stanza('keys', {}, keys)]
    entregarAo(aparelho, stanza('receipt', { id, from: lidJid, type: 'retry', t: agora() }, conteudo))
  }

  const enviar: ClienteFalso['enviar'] = async (celular, mensagem, opcoes = {}) => {
    const { como = 'lid', id = servidor.novoId('3A'), tipo: type = 'text', attrs = {} } = opcoes
    const para = async (aparelho: Aparelho): Promise<void> => {
      const { tipo, corpo } = await sinal.cifrar(aparelho.jid, mensagem, () => pacoteDo(aparelho))
      const todos = { ...enderecos(como), id, type, notify: pessoa.nome, t: agora(), ...attrs }
      const pronta = stanza('message', todos, [stanza('enc', { v: '2', type: tipo }, corpo)])
      const atrasadas = seguradas.splice(0)
      if (servidor.falhas.segurar?.() === true) seguradas.push(pronta)
      else entregarAo(aparelho, pronta)
      for (const atrasada of atrasadas) entregarAo(aparelho, atrasada)
    }
    enviadas.set(id, para)
    for (const aparelho of celular.aparelhos.values()) if (!aparelho.revogado) await para(aparelho)
    return id
  }

  // The shop requested the message again, so the customer encrypts it with newly fetched keys.
  servidor.eventos.on('recibo', ({ aparelho, stanza: { attrs } }) => {
    if (attrs.type !== 'retry' || usuarioDe(attrs.to ?? '') !== usuarioDe(lidJid)) return
    void sinal.renovar(aparelho.jid, () => pacoteDo(aparelho)).then(() => enviadas.get(attrs.id ?? '')?.(aparelho))
  })

  const cliente: ClienteFalso = {
    ...pessoa,
    ...{ sinal, eventos, recebidas, repetidas, ilegiveis, enviar },
    entregar: async (enviada, enc) => {
      const { aparelho, id } = enviada
      let mensagem: proto.Message
      try {
        mensagem = await sinal.decifrar(aparelho.jid, lerCifrada(enc))
      } catch {
        ilegiveis.push(id)
        return pedirDeNovo(enviada)
      }
      recibo(aparelho.dono, id)
      if (recebidas.some((recebida) => recebida.id === id)) {
        repetidas.push(id)
        return
      }
      const recebida = { id, mensagem, texto: textoDe(mensagem) }
      recebidas.push(recebida)
      eventos.emit('recebida', recebida)
    },
    edita: (celular, id, conversation) => {
      const { MESSAGE_EDIT: type } = proto.Message.ProtocolMessage.Type
      return enviar(celular, { protocolMessage: { key: { id }, type, editedMessage: { conversation } } })
    },
    apaga: (celular, id) => {
      const { REVOKE: type } = proto.Message.ProtocolMessage.Type
      return enviar(celular, { protocolMessage: { key: { id }, type } })
    },
    reage: (celular, id, text) => enviar(celular, { reactionMessage: { key: { id }, text } }),
    cita: (celular, conversation, text) => {
      const contextInfo = { participant: `${celular.numero}@${SERVIDOR}`, quotedMessage: { conversation } }
      return enviar(celular, { extendedTextMessage: { text, contextInfo } })
    },
    falta: (celular, type) => {
      const attrs = { ...enderecos('lid'), id: servidor.novoId('3A'), type: 'text', notify: pessoa.nome, t: agora() }
      for (const aparelho of celular.aparelhos.values()) {
        entregarAo(aparelho, stanza('message', attrs, [stanza('unavailable', { type })]))
      }
      return attrs.id
    },
    diz: (celular, texto, opcoes) => enviar(celular, { conversation: texto }, opcoes),
    nesima: (n) =>
      new Promise((resolve) => {
        const conferir = (): void => {
          const pronta = recebidas[n - 1]
          if (pronta === undefined) return
          eventos.off('recebida', conferir)
          resolve(pronta)
        }
        eventos.on('recebida', conferir)
        conferir()
      }),
    fotografa: async (celular, armazem, foto, caption) => {
      const { corpo, ...chaves } = await cifrarMidia(foto, 'image')
      const directPath = `/v/${servidor.novoId('foto')}.enc`
      armazem.arquivos.set(directPath, corpo)
      const imageMessage = { ...chaves, directPath, mimetype: 'image/jpeg', caption, fileLength: foto.length }
      return enviar(celular, { imageMessage }, { tipo: 'media' })
    },
    abrir: async (armazem, { mensagem: { imageMessage } }) => {
      const corpo = armazem.arquivos.get(imageMessage?.directPath ?? '') ?? Buffer.alloc(0)
      return decifrarMidia(corpo, imageMessage?.mediaKey ?? Buffer.alloc(0), 'image')
    },
    digita: (celular) => {
      for (const { conexao } of celular.aparelhos.values()) {
        conexao?.enviar(stanza('chatstate', { from: lidJid }, [stanza('composing')]))
      }
    },
    liga: (celular, { id = servidor.novoId('C'), video = false } = {}) => {
      const oferta = stanza('offer', { 'call-id': id, 'call-creator': lidJid, caller_pn: jid }, [
        stanza('audio', { enc: 'opus' }),
        ...(video ? [stanza('video', { enc: 'vp8' })] : []),
      ])
      chamar(celular, oferta)
      return id
    },
    desliga: (celular, id, reason) =>
      chamar(celular, stanza('terminate', { 'call-id': id, 'call-creator': lidJid, reason })),
    leu: (celular, id) => recibo(celular, id, 'read'),
    reinstalar: async (celular) => {
      for (const aparelho of celular.aparelhos.values()) await sinal.esquecer(aparelho.jid)
    },
  }
  servidor.incluir(cliente)
  return cliente
}
