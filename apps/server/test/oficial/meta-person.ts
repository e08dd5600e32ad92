import { randomUUID } from 'node:crypto'
import {
  deliverWebhook,
  type FakeMeta,
  type FakeMetaMessage,
  textOf,
  webhookBody,
  type WebhookField,
} from './fake-meta.ts'
import { waitUntil } from '#test/app.ts'

/** A person as Meta names them in 2026: by phone, by an id of the business (BSUID), or by both. */
export interface MetaNames {
  readonly number?: string | undefined
  readonly userId?: string | undefined
  readonly username?: string | undefined
}

export interface MetaPersonOptions {
  readonly meta: Pick<FakeMeta, 'number' | 'secret' | 'messages'>
  /** Address of the account's webhook. */
  readonly webhook: () => string
  readonly name: string
}

export interface SentAs {
  readonly id?: string
  /** Seconds after the epoch, by Meta's clock. */
  readonly at?: number
}

export interface MetaMove {
  readonly from: MetaNames
  readonly to: MetaNames
  readonly at?: number
  readonly id?: string
  /** Fields of `system` that replace the usual ones. Undefined leaves one out. */
  readonly system?: Readonly<Record<string, string | undefined>>
}

export interface MetaPerson {
  readonly says: (names: MetaNames, texto: string, sent?: SentAs) => Promise<number>
  /** Typed by the owner in the WhatsApp Business app. */
  readonly isToldOnPhone: (names: MetaNames, texto: string, sent?: SentAs) => Promise<number>
  /** Written to Meta's agent. */
  readonly saysToAgent: (names: MetaNames, texto: string, sent?: SentAs) => Promise<number>
  readonly agentSays: (names: MetaNames, texto: string, sent?: SentAs) => Promise<number>
  readonly moves: (move: MetaMove) => Promise<number>
  /** Meta reports that the person has this message, and names them. */
  readonly isDelivered: (mensagem: FakeMetaMessage, names: MetaNames) => Promise<number>
  /** Messages that Meta was asked to send to one of these names. */
  readonly received: (names: MetaNames) => FakeMetaMessage[]
  readonly hasRead: (names: MetaNames, count: number) => Promise<string[]>
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export function createMetaPerson({ meta, webhook, name }: MetaPersonOptions): MetaPerson {
  const deliver = (value: object, field: WebhookField = 'messages'): Promise<number> =>
    deliverWebhook(webhook(), webhookBody(meta, value, meta.number.telefoneId, field), meta.secret)
  const contact = ({ number, userId, username }: MetaNames, called = name) => ({
    profile: { name: called, username },
    wa_id: number,
    user_id: userId,
  })
  const text = (texto: string, { id = `wamid.${randomUUID()}`, at = nowSeconds() }: SentAs = {}) => ({
    ...{ id, timestamp: String(at), type: 'text', text: { body: texto } },
  })
  const inbound = (names: MetaNames, texto: string, sent?: SentAs) => ({
    contacts: [contact(names)],
    messages: [{ from: names.number, from_user_id: names.userId, ...text(texto, sent) }],
  })
  const received = ({ number, userId }: MetaNames): FakeMetaMessage[] =>
    meta.messages.filter(
      ({ to, recipient }) => (to !== undefined && to === number) || (recipient !== undefined && recipient === userId),
    )
  return {
    says: (names, texto, sent) => deliver(inbound(names, texto, sent)),
    isToldOnPhone: (names, texto, sent) =>
      deliver(
        {
          contacts: [{ ...contact(names), profile: { username: names.username } }],
          message_echoes: [{ from: '5511990000001', to: names.number, to_user_id: names.userId, ...text(texto, sent) }],
        },
        'smb_message_echoes',
      ),
    saysToAgent: (names, texto, sent) => deliver({ standby: inbound(names, texto, sent) }, 'standby'),
    agentSays: ({ number, userId }, texto, sent) => {
      const { id, timestamp, ...content } = text(texto, sent)
      const recipient = number === undefined ? { recipient: userId } : { to: number }
      const message = { messaging_product: 'whatsapp', recipient_type: 'individual', ...recipient, ...content }
      return deliver({ standby: { message_echoes: [{ id, timestamp, message }] } }, 'standby')
    },
    // System messages have no `contacts`.
    moves: ({ from, to, at = nowSeconds(), id = `wamid.${randomUUID()}`, system }) =>
      deliver({
        messages: [
          {
            ...{ from: from.number, id, timestamp: String(at), type: 'system' },
            system: {
              body: `User ${name} changed from ${from.number ?? from.userId} to ${to.number ?? to.userId}`,
              type: to.number === undefined ? 'user_changed_user_id' : 'user_changed_number',
              ...{ wa_id: to.number, user_id: to.userId, previous_user_id: from.userId },
              ...system,
            },
          },
        ],
      }),
    isDelivered: ({ wamid: id, biz_opaque_callback_data }, names) =>
      deliver({
        contacts: [contact(names)],
        statuses: [
          {
            ...{ id, status: 'delivered', timestamp: String(nowSeconds()), biz_opaque_callback_data },
            ...{ recipient_id: names.number, recipient_user_id: names.userId },
          },
        ],
      }),
    received,
    hasRead: async (names, count) => {
      await waitUntil(() => received(names).length >= count)
      return received(names).map((sent) => textOf(sent) ?? '')
    },
  }
}
