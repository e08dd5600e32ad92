import * as z from 'zod/mini'
import type { InboundMessage } from '@balcao/connector/port'
import { metaPerson, metaPersonSchema, namedBy } from './identity.ts'
import { metaTimestampSchema, optionalPart } from './schemas.ts'

const BRL_FORMAT = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

const metaOrderSchema = z.object({
  text: z.optional(z.string()),
  product_items: z.array(
    z.object({
      product_retailer_id: z.string(),
      quantity: z.coerce.number(),
      item_price: z.optional(z.coerce.number()),
      currency: z.optional(z.string()),
    }),
  ),
})

const textSchema = z.optional(z.string())
const remoteFileSchema = z.object({
  id: z.coerce.string(),
  mime_type: textSchema,
  sha256: textSchema,
  caption: textSchema,
  filename: textSchema,
})
export type RemoteFile = z.output<typeof remoteFileSchema>

const choiceSchema = optionalPart(z.object({ id: optionalPart(z.string()), title: z.string() }))
const metaMessageSchema = z.extend(metaPersonSchema, {
  id: z.string(),
  timestamp: metaTimestampSchema,
  type: optionalPart(z.string()),
  /** The message that this one answers. A forwarded message has a context without an id. */
  context: optionalPart(z.object({ id: textSchema })),
  text: optionalPart(z.object({ body: z.string() })),
  image: optionalPart(remoteFileSchema),
  video: optionalPart(remoteFileSchema),
  audio: optionalPart(remoteFileSchema),
  document: optionalPart(remoteFileSchema),
  sticker: optionalPart(remoteFileSchema),
  button: optionalPart(z.object({ text: z.string() })),
  interactive: optionalPart(
    z.object({
      button_reply: choiceSchema,
      list_reply: choiceSchema,
      nfm_reply: optionalPart(z.object({ body: z.string() })),
      body: optionalPart(z.object({ text: z.string() })),
    }),
  ),
  location: optionalPart(
    z.object({
      latitude: z.coerce.number(),
      longitude: z.coerce.number(),
      name: optionalPart(z.string()),
      address: optionalPart(z.string()),
    }),
  ),
  contacts: optionalPart(
    z.array(
      z.object({
        name: optionalPart(z.object({ formatted_name: textSchema })),
        phones: optionalPart(z.array(z.object({ phone: textSchema, wa_id: textSchema }))),
      }),
    ),
  ),
  order: optionalPart(metaOrderSchema),
})
type ParsedMessage = z.output<typeof metaMessageSchema>

export interface MetaMessage {
  readonly inbound: InboundMessage
  readonly file?: RemoteFile
  readonly quotedId?: string
}

const MIDIA_TYPES = {
  image: 'imagem',
  video: 'video',
  audio: 'audio',
  document: 'documento',
  sticker: 'figurinha',
} as const
const FILE_TYPES = ['image', 'video', 'audio', 'document', 'sticker'] as const

export interface MetaFrame {
  readonly nome: string
  readonly usuario?: string | undefined
  readonly pessoa?: readonly string[] | undefined
  readonly deMim: boolean
  readonly agente?: boolean | undefined
  readonly arrivedAt: Date
}

/** Parses a message. Null for changes of earlier messages (`parseMetaChange`) and system notices (`parseMetaMove`). */
export function parseMetaMessage(raw: unknown, frame: MetaFrame): MetaMessage | null {
  const { nome, pessoa = [], deMim, agente = false, arrivedAt } = frame
  const parsed = metaMessageSchema.safeParse(raw)
  if (!parsed.success) return null
  const message = parsed.data
  const person = metaPerson([...namedBy(message, deMim), ...pessoa])
  const content = parseContent(message) ?? missingContent(message, { deMim, agente })
  if (person === null || content === null) return null
  const { file, ...rest } = content
  const inbound: InboundMessage = {
    ...{ id: message.id, nome, ...person, ...rest },
    enviadaEm: message.timestamp ?? arrivedAt,
    ...marksOf(frame),
  }
  const quotedId = message.context?.id
  return { inbound, ...(file === undefined ? {} : { file }), ...(quotedId === undefined ? {} : { quotedId }) }
}

function marksOf({ usuario, deMim, agente }: MetaFrame): Pick<InboundMessage, 'nomeUsuario' | 'deMim' | 'agente'> {
  return {
    ...(usuario === undefined ? {} : { nomeUsuario: usuario }),
    ...(deMim ? { deMim } : {}),
    ...(agente === true ? { agente } : {}),
  }
}

type MetaContent = Pick<InboundMessage, 'texto' | 'midia'> & { readonly file?: RemoteFile }

function parseContent(message: ParsedMessage): MetaContent | null {
  const { location, contacts, order } = message
  const texto = writtenText(message)
  if (texto !== undefined) return { texto }
  if (location !== undefined) {
    const { latitude, longitude, name, address } = location
    const lines = [name, address, `https://maps.google.com/?q=${latitude},${longitude}`]
    return { texto: joinParts(lines, '\n'), midia: { tipo: 'localizacao' } }
  }
  if (contacts !== undefined) return { texto: contacts.map(parseContactCard).join('\n'), midia: { tipo: 'contato' } }
  if (order !== undefined) return { texto: orderText(order) }
  return parseFile(message)
}

function writtenText({ text, button, interactive }: ParsedMessage): string | undefined {
  const { button_reply: buttonReply, list_reply: listReply, nfm_reply: form, body } = interactive ?? {}
  const chosen = [chosenText(buttonReply), chosenText(listReply), form?.body, body?.text]
  return [text?.body, button?.text, ...chosen].find((written) => written !== undefined)
}

/** Ids of our own menus are a number or a word, which count as typed. Those of another program say nothing to people. */
const TYPED_ID = /^(?:\d{1,9}|[a-z]{1,20})$/

function chosenText(choice: z.output<typeof choiceSchema>): string | undefined {
  const { id = '', title } = choice ?? {}
  return TYPED_ID.test(id) ? id : title
}

function orderText({ text = '', product_items: items }: z.output<typeof metaOrderSchema>): string {
  const lines = items.map(({ product_retailer_id: code, quantity, item_price: price, currency }) => {
    const value = price === undefined || currency !== 'BRL' ? '' : ` · ${BRL_FORMAT.format(price)}`
    return `${quantity} × ${code}${value}`
  })
  return ['Pedido pelo catálogo do WhatsApp', ...lines, text].filter((line) => line !== '').join('\n')
}

const NOT_WRITTEN_TYPES: ReadonlySet<string> = new Set(['reaction', 'edit', 'revoke', 'system', 'request_welcome'])
const NOT_SHOWN_TEXT = 'que a API oficial do WhatsApp não mostra'

/**
 * Meta sends no content for polls, view-once media and the first message after an advertisement, although a person
 * wrote.
 */
function missingContent(
  { type = '' }: ParsedMessage,
  { deMim, agente }: { readonly deMim: boolean; readonly agente: boolean },
): MetaContent | null {
  if (NOT_WRITTEN_TYPES.has(type)) return null
  const sender = agente ? 'pelo agente da Meta' : 'pelo celular'
  const texto = deMim
    ? `Mensagem enviada ${sender}, ${NOT_SHOWN_TEXT}.`
    : `Chegou uma mensagem ${NOT_SHOWN_TEXT}. Peça que a pessoa escreva.`
  return { texto, midia: { tipo: 'outro' } }
}

function parseFile(message: ParsedMessage): MetaContent | null {
  for (const tipo of FILE_TYPES) {
    const file = message[tipo]
    if (file === undefined) continue
    const { caption = '', filename, mime_type: mime } = file
    const midia = {
      tipo: MIDIA_TYPES[tipo],
      ...(filename === undefined ? {} : { nomeArquivo: filename }),
      ...(mime === undefined ? {} : { mimeType: mime }),
    }
    return { texto: caption, midia, file }
  }
  return null
}

type ContactCard = NonNullable<ParsedMessage['contacts']>[number]

function parseContactCard({ name, phones = [] }: ContactCard): string {
  return joinParts([name?.formatted_name, ...phones.map(({ phone, wa_id: number }) => phone ?? number)], ' · ')
}

const joinParts = (parts: readonly (string | undefined)[], separator: string): string =>
  parts.filter((part) => part !== undefined && part !== '').join(separator)
