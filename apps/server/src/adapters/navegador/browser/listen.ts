import type { WebClient } from './library.ts'
import { type WebChange, chatIdOf } from '#adapters/navegador/inbound.ts'
import { webMessageSchema, type WebMessage, webReactionSchema, widText } from '#adapters/navegador/shapes.ts'

export interface WebListeners {
  readonly code: (qrCode: string) => void
  readonly authenticated: () => void
  /** Fires again after each reload of the page. */
  readonly ready: () => void
  readonly refused: () => void
  readonly stateChanged: (state: unknown) => void
  readonly disconnected: (razao: unknown) => void
  readonly message: (raw: unknown) => void
  readonly changed: (mudada: WebChange) => void
  /** Delivery state of our message: -1 refused, 1 at the service, 2 on the phone, 3 read, 4 played. */
  readonly receipt: (mensagem: WebMessage, ack: unknown) => void
}

/** Listens until the returned function is called; afterwards no event of this client is handled. */
export function listenToClient(client: WebClient, on: WebListeners): () => void {
  let surdo = false
  const em = (event: string, listener: (...dados: unknown[]) => void): void => {
    client.on(event, (...dados) => {
      if (!surdo) listener(...dados)
    })
  }
  em('qr', (qrCode) => {
    if (typeof qrCode === 'string') on.code(qrCode)
  })
  em('authenticated', on.authenticated)
  em('ready', on.ready)
  em('auth_failure', on.refused)
  em('change_state', on.stateChanged)
  em('disconnected', on.disconnected)
  // Fires for both sides; `message` would repeat the customer's messages.
  em('message_create', on.message)
  em('message_edit', (raw, texto) => {
    const { data } = webMessageSchema.safeParse(raw)
    if (data === undefined || typeof texto !== 'string') return
    on.changed({ key: data.id, chatId: chatIdOf(data), deMim: data.id.fromMe, mudanca: { tipo: 'edicao', texto } })
  })
  em('message_revoke_everyone', (raw) => {
    const { data } = webMessageSchema.safeParse(raw)
    if (data === undefined) return
    const chave = data.protocolMessageKey ?? data.id
    on.changed({ key: chave, chatId: chatIdOf(data), deMim: chave.fromMe, mudanca: { tipo: 'apagada' } })
  })
  em('message_reaction', (raw) => {
    const { data } = webReactionSchema.safeParse(raw)
    if (data === undefined) return
    const mudanca = { tipo: 'reacao', emoji: data.reaction ?? '' } as const
    on.changed({ key: data.msgId, chatId: widText(data.msgId.remote), deMim: data.id.fromMe, mudanca })
  })
  em('message_ack', (raw, ack) => {
    const { data } = webMessageSchema.safeParse(raw)
    if (data?.id.fromMe === true) on.receipt(data, ack)
  })
  return () => {
    surdo = true
    client.removeAllListeners()
  }
}
