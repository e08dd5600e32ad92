import type { ClienteWeb } from './biblioteca.ts'
import { type Mudada, pessoaDe } from './entrada.ts'
import { mensagemSchema, type MensagemWeb, reacaoSchema, textoDoWid } from './formas.ts'

export interface Ouvintes {
  readonly codigo: (qrCode: string) => void
  readonly autenticado: () => void
  /** Fires again after each reload of the page. */
  readonly pronto: () => void
  readonly recusado: () => void
  readonly estado: (estado: unknown) => void
  readonly desconectado: (razao: unknown) => void
  readonly mensagem: (bruta: unknown) => void
  readonly mudou: (mudada: Mudada) => void
  /** Delivery state of our message: -1 refused, 1 at the service, 2 on the phone, 3 read, 4 played. */
  readonly recibo: (mensagem: MensagemWeb, ack: unknown) => void
}

/** Listens until the returned function is called; afterwards no event of this client is handled. */
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
  // Fires for both sides; `message` would repeat the customer's messages.
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
