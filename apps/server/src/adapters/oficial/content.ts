import * as z from 'zod/mini'
import type { InboundMessage } from '@balcao/connector/port'
import { metaTimestampSchema } from './instant.ts'
import { orderText, metaOrderSchema } from './request.ts'
import { metaPersonOf, metaPersonSchema } from './person.ts'
import { optionalPart } from './optional-part.ts'

const textSchema = z.optional(z.string())
const remoteFileSchema = z.object({
  id: z.coerce.string(),
  mime_type: textSchema,
  sha256: textSchema,
  caption: textSchema,
  filename: textSchema,
})
export type RemoteFile = z.output<typeof remoteFileSchema>

const choiceSchema = optionalPart(z.object({ title: z.string() }))
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

/** Parses a message. Null for changes of earlier messages (`lerAlteracao`) and system notices. */
export function parseMetaMessage(
  raw: unknown,
  { nome, deMim, chegouEm }: { readonly nome: string; readonly deMim: boolean; readonly chegouEm: Date },
): MetaMessage | null {
  const parsed = metaMessageSchema.safeParse(raw)
  if (!parsed.success) return null
  const mensagem = parsed.data
  const pessoa = metaPersonOf(mensagem, deMim)
  const content = parseContent(mensagem) ?? missingContent(mensagem, deMim)
  if (pessoa === null || content === null) return null
  const { remoto, ...rest } = content
  const received: InboundMessage = {
    ...{ id: mensagem.id, nome, ...pessoa, ...rest },
    enviadaEm: mensagem.timestamp ?? chegouEm,
    ...(deMim ? { deMim } : {}),
  }
  const quoted = mensagem.context?.id
  return {
    inbound: received,
    ...(remoto === undefined ? {} : { file: remoto }),
    ...(quoted === undefined ? {} : { quotedId: quoted }),
  }
}

type MetaContent = Pick<InboundMessage, 'texto' | 'midia'> & { readonly remoto?: RemoteFile }

function parseContent(mensagem: ParsedMessage): MetaContent | null {
  const { text, button, interactive, location, contacts, order } = mensagem
  const { button_reply: botao, list_reply: line, nfm_reply: form } = interactive ?? {}
  const said = text?.body ?? button?.text ?? botao?.title ?? line?.title ?? form?.body
  if (said !== undefined) return { texto: said }
  if (location !== undefined) {
    const { latitude, longitude, name, address } = location
    const lines = [name, address, `https://maps.google.com/?q=${latitude},${longitude}`]
    return { texto: joinParts(lines, '\n'), midia: { tipo: 'localizacao' } }
  }
  if (contacts !== undefined) return { texto: contacts.map(parseContactCard).join('\n'), midia: { tipo: 'contato' } }
  if (order !== undefined) return { texto: orderText(order) }
  return parseFile(mensagem)
}

const NOT_WRITTEN_TYPES: ReadonlySet<string> = new Set(['reaction', 'edit', 'revoke', 'system', 'request_welcome'])
const NOT_SHOWN_TEXT = 'que a API oficial do WhatsApp não mostra'

/**
 * Meta sends no content for polls, view-once media and the first message after an advertisement, although a person
 * wrote.
 */
function missingContent({ type = '' }: ParsedMessage, deMim: boolean): MetaContent | null {
  if (NOT_WRITTEN_TYPES.has(type)) return null
  const quem = deMim
    ? `Mensagem enviada pelo celular, ${NOT_SHOWN_TEXT}.`
    : `Chegou uma mensagem ${NOT_SHOWN_TEXT}. Peça que a pessoa escreva.`
  return { texto: quem, midia: { tipo: 'outro' } }
}

function parseFile(mensagem: ParsedMessage): MetaContent | null {
  for (const tipo of FILE_TYPES) {
    const remoto = mensagem[tipo]
    if (remoto === undefined) continue
    const { caption = '', filename, mime_type: mime } = remoto
    const midia = {
      tipo: MIDIA_TYPES[tipo],
      ...(filename === undefined ? {} : { nomeArquivo: filename }),
      ...(mime === undefined ? {} : { mimeType: mime }),
    }
    return { texto: caption, midia, remoto }
  }
  return null
}

type ContactCard = NonNullable<ParsedMessage['contacts']>[number]

function parseContactCard({ name, phones = [] }: ContactCard): string {
  return joinParts([name?.formatted_name, ...phones.map(({ phone, wa_id: numero }) => phone ?? numero)], ' · ')
}

const joinParts = (parts: readonly (string | undefined)[], entre: string): string =>
  parts.filter((part) => part !== undefined && part !== '').join(entre)
