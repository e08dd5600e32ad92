import type { WebClient } from './library.ts'
import type { WebChange } from '#adapters/navegador/inbound.ts'
import { chatIdOf, webMessageSchema, type WebMessage, webReactionSchema, widText } from '#adapters/navegador/shapes.ts'

export interface WebListeners {
  readonly code: (qrCode: string) => void
  readonly authenticated: () => void
  /** Fires again after each reload of the page. */
  readonly ready: () => void
  readonly refused: () => void
  readonly stateChanged: (state: unknown) => void
  readonly disconnected: (reason: unknown) => void
  readonly message: (raw: unknown) => void
  readonly changed: (change: WebChange) => void
  /** Delivery state of our message: -1 refused, 1 at the service, 2 on the phone, 3 read, 4 played. */
  readonly receipt: (message: WebMessage, ack: unknown) => void
}

export function listenToClient(client: WebClient, on: WebListeners): () => void {
  let stopped = false
  const listen = (event: string, listener: (...values: unknown[]) => void): void => {
    client.on(event, (...values) => {
      if (!stopped) listener(...values)
    })
  }
  listen('qr', (qrCode) => {
    if (typeof qrCode === 'string') on.code(qrCode)
  })
  listen('authenticated', on.authenticated)
  listen('ready', on.ready)
  listen('auth_failure', on.refused)
  listen('change_state', on.stateChanged)
  listen('disconnected', on.disconnected)
  // Fires for both sides; `message` would repeat the customer's messages.
  listen('message_create', on.message)
  listen('message_edit', (raw, texto) => {
    const { data } = webMessageSchema.safeParse(raw)
    if (data === undefined || typeof texto !== 'string') return
    on.changed({ key: data.id, chatId: chatIdOf(data), deMim: data.id.fromMe, mudanca: { tipo: 'edicao', texto } })
  })
  listen('message_revoke_everyone', (raw) => {
    const { data } = webMessageSchema.safeParse(raw)
    if (data === undefined) return
    const key = data.protocolMessageKey ?? data.id
    on.changed({ key, chatId: chatIdOf(data), deMim: key.fromMe, mudanca: { tipo: 'apagada' } })
  })
  listen('message_reaction', (raw) => {
    const { data } = webReactionSchema.safeParse(raw)
    if (data === undefined) return
    const mudanca = { tipo: 'reacao', emoji: data.reaction ?? '' } as const
    on.changed({ key: data.msgId, chatId: widText(data.msgId.remote), deMim: data.id.fromMe, mudanca })
  })
  listen('message_ack', (raw, ack) => {
    const { data } = webMessageSchema.safeParse(raw)
    if (data?.id.fromMe === true) on.receipt(data, ack)
  })
  return () => {
    stopped = true
    client.removeAllListeners()
  }
}
