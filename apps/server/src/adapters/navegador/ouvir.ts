import type { ClienteWeb } from './biblioteca.ts'
import { type Mudada, pessoaDe } from './entrada.ts'
import { mensagemSchema, type MensagemWeb, reacaoSchema, textoDoWid } from './formas.ts'

/** What the page of WhatsApp tells. */
export interface Ouvintes {
  readonly codigo: (qrCode: string) => void
  /** A phone scanned it, or the link of before still stands. */
  readonly autenticado: () => void
  /** Comes again whenever the page was loaded anew. */
  readonly pronto: () => void
  readonly recusado: () => void
  readonly estado: (estado: unknown) => void
  readonly desconectado: (razao: unknown) => void
  readonly mensagem: (bruta: unknown) => void
  readonly mudou: (mudada: Mudada) => void
  /** How far a message of ours came: -1 not at all, 1 to the service, 2 to the phone, 3 read, 4 heard. */
  readonly recibo: (mensagem: MensagemWeb, ack: unknown) => void
}

/** Listens until the returned function is called: after that, nothing of this client is heard. */
export function ouvir(cliente: ClienteWeb, ao: Ouvintes): () => void {
  let surdo = false
  const em = (evento: string, ouvinte: (...dados: unknown[]) => void): void => {
    cliente.on(evento, (...dados) => {
      if (!surdo) ouvinte(...dados)
    })
  }
  em('qr', (qrCode) => {
    if (typeof qrCode === 'string') ao.codigo(qrCode)
  })
  em('authenticated', ao.autenticado)
  em('ready', ao.pronto)
  em('auth_failure', ao.recusado)
  em('change_state', ao.estado)
  em('disconnected', ao.desconectado)
  // Of both sides; `message` would repeat the customer's.
  em('message_create', ao.mensagem)
  em('message_edit', (bruta, texto) => {
    const { data } = mensagemSchema.safeParse(bruta)
    if (data === undefined || typeof texto !== 'string') return
    ao.mudou({ chave: data.id, de: pessoaDe(data), deMim: data.id.fromMe, mudanca: { tipo: 'edicao', texto } })
  })
  em('message_revoke_everyone', (bruta) => {
    const { data } = mensagemSchema.safeParse(bruta)
    if (data === undefined) return
    const chave = data.protocolMessageKey ?? data.id
    ao.mudou({ chave, de: pessoaDe(data), deMim: chave.fromMe, mudanca: { tipo: 'apagada' } })
  })
  em('message_reaction', (bruta) => {
    const { data } = reacaoSchema.safeParse(bruta)
    if (data === undefined) return
    const mudanca = { tipo: 'reacao', emoji: data.reaction ?? '' } as const
    ao.mudou({ chave: data.msgId, de: textoDoWid(data.msgId.remote), deMim: data.id.fromMe, mudanca })
  })
  em('message_ack', (bruta, ack) => {
    const { data } = mensagemSchema.safeParse(bruta)
    if (data?.id.fromMe === true) ao.recibo(data, ack)
  })
  return () => {
    surdo = true
    cliente.removeAllListeners()
  }
}
