import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { configSchema, type MenuConfig } from '@balcao/contract/entities/config'
import { oficialSchema } from '@balcao/contract/entities/oficial'
import { webhookBody, deliverWebhook, type FakeMeta, type FakeMetaMessage, textOf } from './fake-meta.ts'
import { type TestApp, waitUntil } from '#test/app.ts'

const savedSchema = z.object({ oficial: oficialSchema })
const configResponseSchema = z.object({ config: z.looseObject(configSchema.shape) })

export interface MetaLoja {
  readonly webhook: (app: Pick<TestApp, 'url'>) => string
  readonly verifyToken: string
}

export async function saveMetaNumber(
  { request }: Pick<TestApp, 'request'>,
  meta: Pick<FakeMeta, 'number' | 'token' | 'secret'>,
  path = '/whatsapp-oficial',
): Promise<MetaLoja> {
  const data = { ...meta.number, token: meta.token ?? '', segredo: meta.secret }
  const { webhook } = savedSchema.parse((await request('PUT', path, data)).body).oficial
  const address = new URL(webhook?.url ?? '').pathname
  return { webhook: (app) => `${app.url}${address}`, verifyToken: webhook?.verificacao ?? '' }
}

/** Each text of the bot leaves separately, unless `menu` says otherwise. */
export async function startMetaLoja(
  app: Pick<TestApp, 'request'>,
  meta: FakeMeta,
  menu: Partial<MenuConfig> = {},
): Promise<MetaLoja> {
  const { config } = configResponseSchema.parse((await app.request('GET', '/config')).body)
  await app.request('PUT', '/config', {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja', conector: 'oficial' },
    menu: { ...config.menu, digitando: false, juntarMensagens: 'nunca', ...menu },
  })
  const loja = await saveMetaNumber(app, meta)
  await app.request('POST', '/bot/iniciar')
  await untilConnected(app)
  return loja
}

export const untilConnected = (app: Pick<TestApp, 'request'>) =>
  waitUntil(async () => (await app.request('GET', '/bot/status')).body['status'] === 'CONECTADO')

/** Waits until all webhooks are handled and all answers are sent. */
export async function untilSettled({ sql, idle }: Pick<TestApp, 'sql' | 'idle'>): Promise<void> {
  await waitUntil(async () => (await sql('select 1 from oficial_chegadas')).length === 0)
  await idle()
  await waitUntil(async () => (await sql('select 1 from saida')).length === 0)
}

export interface MetaCustomer {
  readonly number: string
  /** Delivers one message; `resto` is its type and content. Returns the HTTP status of the webhook. */
  readonly sends: (rest: object, id?: string) => Promise<number>
  readonly says: (texto: string, id?: string) => Promise<number>
  readonly received: () => FakeMetaMessage[]
  readonly hasRead: (count: number) => Promise<string[]>
}

export interface MetaCustomerOptions {
  readonly app: () => Pick<TestApp, 'url'>
  readonly loja: () => MetaLoja
  readonly meta: FakeMeta
  readonly name: string
  readonly number: string
}

export function createMetaCustomer({ app, loja, meta, name: nome, number }: MetaCustomerOptions): MetaCustomer {
  const manda: MetaCustomer['sends'] = (rest, id = `wamid.${randomUUID()}`) => {
    const contacts = [{ profile: { name: nome }, wa_id: number }]
    const mensagem = { from: number, id, timestamp: String(Math.floor(Date.now() / 1000)), ...rest }
    return deliverWebhook(loja().webhook(app()), webhookBody(meta, { contacts, messages: [mensagem] }), meta.secret)
  }
  const recebidas = (): FakeMetaMessage[] => meta.messages.filter(({ to }) => to === number)
  return {
    number,
    sends: manda,
    says: (texto, id) => manda({ type: 'text', text: { body: texto } }, id),
    received: recebidas,
    hasRead: async (count) => {
      await waitUntil(() => recebidas().length >= count)
      return recebidas().map((sent) => textOf(sent) ?? '')
    },
  }
}

export function deliverStatus(
  { app, loja, meta }: Pick<MetaCustomerOptions, 'app' | 'loja' | 'meta'>,
  mensagem: Pick<FakeMetaMessage, 'wamid' | 'to' | 'biz_opaque_callback_data'>,
  status: 'sent' | 'delivered' | 'read' | { readonly falhou: number },
): Promise<number> {
  const { wamid: id, to, biz_opaque_callback_data: marca } = mensagem
  const errors = typeof status === 'object' ? [{ code: status.falhou, title: 'no' }] : undefined
  const statuses = [
    {
      ...{ id, recipient_id: to, timestamp: String(Math.floor(Date.now() / 1000)), biz_opaque_callback_data: marca },
      status: typeof status === 'object' ? 'failed' : status,
      ...(errors === undefined ? {} : { errors }),
    },
  ]
  return deliverWebhook(loja().webhook(app()), webhookBody(meta, { statuses }), meta.secret)
}
