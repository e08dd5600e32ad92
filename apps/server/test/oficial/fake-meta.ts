import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { interactiveSchema } from './fake-interactive.ts'

/** A fake Meta API that validates paths, tokens and shapes like the real one. */

const sentMessageSchema = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual'),
  to: z.optional(z.string().check(z.regex(/^\d+$/))),
  /** Meta's id of a person. A phone is refused here. */
  recipient: z.optional(z.string().check(z.regex(/^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/))),
  type: z.enum(['text', 'image', 'audio', 'document', 'template', 'reaction', 'interactive']),
  context: z.optional(z.strictObject({ message_id: z.string() })),
  reaction: z.optional(z.strictObject({ message_id: z.string(), emoji: z.string() })),
  text: z.optional(z.strictObject({ body: z.string().check(z.maxLength(4096)), preview_url: z.boolean() })),
  interactive: z.optional(interactiveSchema),
  image: z.optional(z.strictObject({ id: z.string(), caption: z.optional(z.string().check(z.maxLength(1024))) })),
  document: z.optional(z.strictObject({ id: z.string(), caption: z.optional(z.string()), filename: z.string() })),
  audio: z.optional(z.strictObject({ id: z.string() })),
  template: z.optional(
    z.strictObject({
      name: z.string(),
      language: z.strictObject({ code: z.string() }),
      components: z.array(z.unknown()),
    }),
  ),
  biz_opaque_callback_data: z.string().check(z.maxLength(512)),
})
export type FakeMetaMessage = z.output<typeof sentMessageSchema> & { readonly wamid: string }

/** The text that the customer reads, with or without buttons. */
export function textOf({ text, interactive }: Pick<FakeMetaMessage, 'text' | 'interactive'>): string | undefined {
  return text?.body ?? interactive?.body.text
}

const readMarkSchema = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: z.string(),
  typing_indicator: z.optional(z.strictObject({ type: z.literal('text') })),
})
export type FakeReadMark = z.output<typeof readMarkSchema>

/** Outcome of the next message request. `some` accepts it and drops the connection. */
export type SendOutcome =
  | { readonly status: number; readonly codigo?: number; readonly espera?: string }
  | 'some'
  | 'desliga'

export interface FakeMetaFile {
  readonly bytes: Buffer
  readonly mime: string
}

export interface FakeMeta {
  readonly url: string
  readonly number: { readonly telefoneId: string; readonly contaWhatsappId: string }
  readonly secret: string
  displayNumber: string
  /** The accepted token; null rejects all. */
  token: string | null
  /** The server stops listening until `voltar`. */
  readonly goOffline: () => Promise<void>
  readonly goOnline: () => Promise<void>
  readonly messages: FakeMetaMessage[]
  readonly readMarks: FakeReadMark[]
  readonly attempts: string[]
  readonly files: Map<string, FakeMetaFile>
  readonly templates: unknown[]
  readonly isSubscribed: () => boolean
  /** Number of subscription requests that will fail. */
  failingSubscriptions: number
  /** How orders with their items are refused. Null: they are accepted. */
  orderError: { readonly status: number; readonly codigo: number } | null
  readonly queueOutcomes: (...failures: SendOutcome[]) => void
  /** True: accepts messages and never answers. */
  silent: boolean
  failingDownloads: number
  /** Holds all downloads until the returned function is called. */
  readonly holdDownloads: () => () => void
  readonly maxParallelDownloads: () => number
  numberError: { readonly status: number; readonly codigo: number } | null
  readonly numberRequests: () => number
  fileHost: string | null
  readonly close: () => Promise<void>
}

const API_VERSION = '/v24.0/'

export async function createFakeMeta(): Promise<FakeMeta> {
  const failures: SendOutcome[] = []
  let assinada = false
  let perguntas = 0
  let soltos: Promise<void> = Promise.resolve()
  let requests = 0
  let maisPedidos = 0
  const numero = { telefoneId: '106540352242922', contaWhatsappId: '102290129340398' }
  const server = createServer((pedido, reply) => {
    responder(pedido, reply).catch((error: unknown) => {
      reply.writeHead(500).end(error instanceof Error ? error.message : 'erro')
    })
  })

  const responder = async (pedido: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const corpo = await readBody(pedido)
    const url = new URL(pedido.url ?? '/', meta.url)
    if (meta.token === null || pedido.headers.authorization !== `Bearer ${meta.token}`) {
      return sendError(reply, 401, 190)
    }
    if (url.pathname.startsWith('/arquivos/')) return deliver(reply, url.pathname.slice('/arquivos/'.length))
    if (!url.pathname.startsWith(API_VERSION)) return sendError(reply, 404, 2500)
    const path = `${pedido.method} ${url.pathname.slice(API_VERSION.length)}`
    switch (path) {
      case `GET ${numero.telefoneId}`:
        perguntas += 1
        if (meta.numberError !== null) {
          return sendError(reply, meta.numberError.status, meta.numberError.codigo)
        }
        return sendJson(reply, { display_phone_number: meta.displayNumber, verified_name: 'Loja da Ana' })
      case `POST ${numero.contaWhatsappId}/subscribed_apps`:
      case `DELETE ${numero.contaWhatsappId}/subscribed_apps`:
        assinada = pedido.method === 'POST' && meta.failingSubscriptions === 0
        if (pedido.method === 'POST' && !assinada) {
          meta.failingSubscriptions -= 1
          return sendError(reply, 500, 2)
        }
        return sendJson(reply, { success: true })
      case `GET ${numero.contaWhatsappId}/message_templates`:
        if (url.searchParams.get('status') !== 'APPROVED') return sendError(reply, 400, 100)
        return sendJson(reply, { data: meta.templates, paging: {} })
      case `POST ${numero.telefoneId}/messages`:
        return receive(pedido, reply, JSON.parse(corpo.toString()))
      case `POST ${numero.telefoneId}/media`:
        return store(reply, pedido, corpo)
      default:
        return descrever(reply, url)
    }
  }

  const receive = (pedido: IncomingMessage, reply: ServerResponse, corpo: unknown): void => {
    const reading = readMarkSchema.safeParse(corpo)
    if (reading.success) {
      meta.readMarks.push(reading.data)
      return sendJson(reply, { success: true })
    }
    const mensagem = sentMessageSchema.safeParse(corpo)
    if (!mensagem.success || (mensagem.data.to === undefined) === (mensagem.data.recipient === undefined)) {
      return sendError(reply, 400, 131009)
    }
    const isOrder = mensagem.data.interactive?.type === 'order_details'
    meta.attempts.push(isOrder ? 'order_details' : (textOf(mensagem.data) ?? mensagem.data.type))
    if (isOrder && meta.orderError !== null) return sendError(reply, meta.orderError.status, meta.orderError.codigo)
    const tropeco = failures.shift()
    if (tropeco === 'desliga') return void pedido.socket.destroy()
    if (typeof tropeco === 'object') return sendError(reply, tropeco.status, tropeco.codigo, tropeco.espera)
    const wamid = `wamid.${randomUUID()}`
    meta.messages.push({ ...mensagem.data, wamid })
    if (tropeco === 'some') return void pedido.socket.destroy()
    if (meta.silent) return
    const { to, recipient } = mensagem.data
    const contacts = [to === undefined ? { input: recipient, user_id: recipient } : { input: to, wa_id: to }]
    return sendJson(reply, { messaging_product: 'whatsapp', contacts, messages: [{ id: wamid }] })
  }

  const store = async (reply: ServerResponse, pedido: IncomingMessage, corpo: Buffer): Promise<void> => {
    const tipo = pedido.headers['content-type'] ?? ''
    const form = await new Response(Uint8Array.from(corpo), { headers: { 'content-type': tipo } }).formData()
    const arquivo = form.get('file')
    const mime = form.get('type')
    const certo = form.get('messaging_product') === 'whatsapp' && arquivo instanceof File
    if (!certo || typeof mime !== 'string') return sendError(reply, 400, 100)
    const id = String(700_000 + meta.files.size)
    meta.files.set(id, { bytes: Buffer.from(await arquivo.arrayBuffer()), mime })
    return sendJson(reply, { id })
  }

  const descrever = (reply: ServerResponse, url: URL): void => {
    const id = url.pathname.slice(API_VERSION.length)
    const arquivo = meta.files.get(id)
    if (arquivo === undefined || url.searchParams.get('phone_number_id') !== numero.telefoneId) {
      return sendError(reply, 404, 100)
    }
    const { bytes, mime } = arquivo
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const endereco = `${meta.fileHost ?? meta.url}/arquivos/${id}`
    return sendJson(reply, { id, url: endereco, mime_type: mime, sha256, file_size: String(bytes.length) })
  }

  const deliver = async (reply: ServerResponse, id: string): Promise<void> => {
    const arquivo = meta.files.get(id)
    requests += 1
    maisPedidos = Math.max(maisPedidos, requests)
    await soltos
    requests -= 1
    if (meta.failingDownloads > 0) {
      meta.failingDownloads -= 1
      return void reply.writeHead(503).end()
    }
    if (arquivo === undefined) return void reply.writeHead(404).end()
    reply.writeHead(200, { 'content-type': arquivo.mime }).end(arquivo.bytes)
  }

  let porta = 0
  const voltar = (): Promise<void> =>
    new Promise((resolve) => {
      server.listen(porta, '127.0.0.1', () => {
        const endereco = server.address()
        porta = typeof endereco === 'object' && endereco !== null ? endereco.port : 0
        resolve()
      })
    })
  const leave = async (): Promise<void> => {
    const left = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await left
  }
  await voltar()
  const meta: FakeMeta = {
    url: `http://127.0.0.1:${porta}`,
    number: numero,
    secret: 'segredo-do-aplicativo',
    displayNumber: '+55 11 99000-0001',
    token: 'EAAG-token-valido-1234',
    goOffline: leave,
    goOnline: voltar,
    fileHost: null,
    messages: [],
    readMarks: [],
    attempts: [],
    files: new Map(),
    silent: false,
    failingDownloads: 0,
    failingSubscriptions: 0,
    numberError: null,
    orderError: null,
    holdDownloads: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      soltos = promise
      return resolve
    },
    maxParallelDownloads: () => maisPedidos,
    numberRequests: () => perguntas,
    templates: [],
    isSubscribed: () => assinada,
    queueOutcomes: (...fresh) => void failures.push(...fresh),
    close: leave,
  }
  return meta
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Without a code the response looks like a gateway's. */
function sendError(response: ServerResponse, status: number, code?: number, retryAfter?: string): void {
  response.writeHead(status, {
    'content-type': code === undefined ? 'text/html' : 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  })
  response.end(code === undefined ? '<html>' : JSON.stringify({ error: { code: code, message: 'no' } }))
}

export type WebhookField = 'messages' | 'smb_message_echoes' | 'standby'

export function webhookBody(
  { number }: Pick<FakeMeta, 'number'>,
  value: object,
  telefoneId = number.telefoneId,
  field: WebhookField = 'messages',
): string {
  const metadata = { display_phone_number: '5511990000001', phone_number_id: telefoneId }
  const change = { messaging_product: 'whatsapp', metadata, ...value }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: number.contaWhatsappId, changes: [{ field, value: change }] }],
  })
}

/** Delivers the signed body and returns the HTTP status. */
export async function deliverWebhook(url: string, body: string, secret: string): Promise<number> {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` }
  const reply = await fetch(url, { method: 'POST', headers, body: body })
  await reply.arrayBuffer()
  return reply.status
}
