import { getContentType, normalizeMessageContent, type proto } from 'baileys'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { NOME_DA_MIDIA } from '@balcao/contract/text/mensagem-summary'

function readCard(message: proto.IMessage): string | null {
  return (
    pollText(message.pollCreationMessage ?? message.pollCreationMessageV2 ?? message.pollCreationMessageV3) ??
    pollText(message.pollCreationMessageV5) ??
    orderText(message.orderMessage) ??
    commerceText(message) ??
    invitationText(message) ??
    businessText(message)
  )
}

type Nullish<T> = T | null | undefined

function pollText(message: Nullish<proto.Message.IPollCreationMessage>): string | null {
  if (!message) return null
  const options = (message.options ?? []).map(({ optionName }) => `• ${optionName ?? ''}`)
  return joinLines([`Enquete: ${message.name ?? ''}`, ...options])
}

function orderText(order: Nullish<proto.Message.IOrderMessage>): string | null {
  if (!order) return null
  const { itemCount: items, message, orderTitle, totalAmount1000: total, totalCurrencyCode: currency } = order
  const parts = [
    items ? `${items} ${items === 1 ? 'item' : 'itens'}` : '',
    total && currency === 'BRL' ? BRL_FORMAT.format(Number(total) / 1000) : '',
  ].filter((part) => part !== '')
  return joinLines(['Pedido pelo catálogo do WhatsApp', orderTitle, parts.join(' · '), message])
}
const BRL_FORMAT = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

function commerceText({ productMessage, sendPaymentMessage, requestPaymentMessage }: proto.IMessage): string | null {
  if (productMessage) {
    const { product, body } = productMessage
    return joinLines([`Produto do catálogo: ${product?.title ?? ''}`, product?.description, body])
  }
  const payment = sendPaymentMessage ?? requestPaymentMessage
  if (!payment) return null
  const { conversation, extendedTextMessage } = payment.noteMessage ?? {}
  return joinLines([
    sendPaymentMessage ? 'Pagamento pelo WhatsApp' : 'Cobrança pelo WhatsApp',
    conversation,
    extendedTextMessage?.text,
  ])
}

function invitationText({ groupInviteMessage, eventMessage, stickerPackMessage }: proto.IMessage): string | null {
  if (groupInviteMessage) {
    return joinLines([`Convite para o grupo ${groupInviteMessage.groupName ?? ''}`, groupInviteMessage.caption])
  }
  if (eventMessage) {
    const { name, description, isCanceled, joinLink } = eventMessage
    return joinLines([`${isCanceled === true ? 'Evento cancelado' : 'Evento'}: ${name ?? ''}`, description, joinLink])
  }
  return stickerPackMessage ? joinLines([`Pacote de figurinhas: ${stickerPackMessage.name ?? ''}`]) : null
}

function businessText(message: proto.IMessage): string | null {
  return joinLines([...templateTexts(message), ...interactiveTexts(message), ...listTexts(message)]) || null
}

function templateTexts({ templateMessage }: proto.IMessage): Nullish<string>[] {
  const template = templateMessage?.hydratedTemplate ?? templateMessage?.hydratedFourRowTemplate
  return [template?.hydratedTitleText, template?.hydratedContentText, template?.hydratedFooterText]
}

function interactiveTexts({ interactiveMessage, templateMessage }: proto.IMessage): Nullish<string>[] {
  const interactive = interactiveMessage ?? templateMessage?.interactiveMessageTemplate
  return [interactive?.header?.title, interactive?.body?.text, interactive?.footer?.text]
}

function listTexts({ listMessage, buttonsMessage, highlyStructuredMessage: hsm }: proto.IMessage): Nullish<string>[] {
  return [
    ...[listMessage?.title, listMessage?.description, listMessage?.footerText],
    ...[buttonsMessage?.text, buttonsMessage?.contentText, buttonsMessage?.footerText],
    hsm?.hydratedHsm?.hydratedTemplate?.hydratedContentText,
  ]
}

const joinLines = (texts: readonly Nullish<string>[]): string =>
  texts
    .map((text) => text?.trim() ?? '')
    .filter((text) => text !== '')
    .join('\n')

const NOT_SHOWN_TEXT = 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.'
export const VIEW_ONCE_TEXT = 'Mensagem de visualização única. Abra o WhatsApp no celular para ver.'
export const EDITED_TEXT = 'Mensagem editada. Abra o WhatsApp no celular para ver.'
export const NOT_ARRIVED_TEXT = 'Chegou uma mensagem que não pôde ser aberta aqui. Abra o WhatsApp no celular para ler.'

export type MessageContent =
  | { readonly tipo: 'texto'; readonly texto: string; readonly midia?: Midia; readonly citada?: Quotation }
  | { readonly tipo: 'nada' }

export interface Quotation {
  readonly texto: string
  readonly de: string
}

const NOTHING: MessageContent = { tipo: 'nada' }
const QUOTATION_MAX = 300
const MEDIA_LABELS: typeof NOME_DA_MIDIA = { ...NOME_DA_MIDIA, imagem: 'Foto' }

export function readContent(raw: proto.IMessage | null | undefined): MessageContent {
  const message = unwrap(raw)
  if (message === undefined) return NOTHING
  const content =
    readPlainText(message) ?? readMediaContent(message) ?? readPlaceOrCard(message) ?? readUnknown(message)
  const quotation = content.tipo === 'nada' ? null : readQuotation(message)
  return content.tipo === 'nada' || quotation === null ? content : { ...content, citada: quotation }
}

export function readText(raw: proto.IMessage | null | undefined): string {
  const content = readContent(raw)
  return content.tipo === 'nada' ? '' : content.texto
}

/** The message that this one quotes. Its own quotation is dropped. */
function readQuotation(message: proto.IMessage): Quotation | null {
  const type = getContentType(message)
  const body = type === undefined ? null : message[type]
  if (typeof body !== 'object' || body === null || !('contextInfo' in body)) return null
  const { quotedMessage, participant } = body.contextInfo ?? {}
  const content = readContent(quotedMessage)
  if (content.tipo === 'nada') return null
  const texto = content.texto || (content.midia === undefined ? '' : MEDIA_LABELS[content.midia.tipo])
  return { texto: texto.slice(0, QUOTATION_MAX), de: participant ?? '' }
}

function readUnknown(message: proto.IMessage): MessageContent {
  return hasContent(message) ? { tipo: 'texto', texto: NOT_SHOWN_TEXT, midia: { tipo: 'outro' } } : NOTHING
}

function readPlainText(message: proto.IMessage): MessageContent | null {
  const texto = message.conversation || message.extendedTextMessage?.text || readChoice(message)
  return texto ? { tipo: 'texto', texto } : null
}

const CHOICES: readonly ((message: proto.IMessage) => string | null | undefined)[] = [
  ({ buttonsResponseMessage }) => buttonsResponseMessage?.selectedDisplayText,
  ({ listResponseMessage }) => listResponseMessage?.title,
  ({ templateButtonReplyMessage }) => templateButtonReplyMessage?.selectedDisplayText,
  ({ interactiveResponseMessage }) => interactiveResponseMessage?.body?.text,
  ({ questionResponseMessage }) => questionResponseMessage?.text,
  ({ commentMessage }) => commentMessage?.message?.conversation,
]

function readChoice(message: proto.IMessage): string {
  for (const choiceOf of CHOICES) {
    const text = choiceOf(message) ?? null
    if (text !== null) return text
  }
  return ''
}

interface MediaFields {
  readonly caption?: string | null
  readonly fileName?: string | null
  readonly mimetype?: string | null
  readonly fileLength?: number | { toNumber: () => number } | null
}

function readMediaContent(message: proto.IMessage): MessageContent | null {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message
  if (imageMessage) return mediaContent('imagem', imageMessage)
  if (videoMessage ?? ptvMessage) return mediaContent('video', videoMessage ?? ptvMessage ?? {})
  if (audioMessage) return mediaContent('audio', audioMessage)
  if (documentMessage) return mediaContent('documento', documentMessage)
  if (stickerMessage) return mediaContent('figurinha', stickerMessage)
  return null
}

function mediaContent(tipo: Midia['tipo'], { caption, fileName, mimetype, fileLength }: MediaFields): MessageContent {
  const size = typeof fileLength === 'object' && fileLength !== null ? fileLength.toNumber() : fileLength
  const midia: Midia = {
    tipo,
    ...(fileName ? { nomeArquivo: fileName } : {}),
    ...(mimetype ? { mimeType: mimetype } : {}),
    ...(size && Number.isSafeInteger(size) ? { tamanhoBytes: size } : {}),
  }
  return { tipo: 'texto', texto: caption ?? '', midia }
}

function readPlaceOrCard(message: proto.IMessage): MessageContent | null {
  const place = placeText(message)
  if (place !== null) return { tipo: 'texto', texto: place, midia: { tipo: 'localizacao' } }
  const { contactMessage, contactsArrayMessage } = message
  const contacts = contactsArrayMessage?.contacts ?? (contactMessage ? [contactMessage] : [])
  if (contacts.length > 0) {
    return { tipo: 'texto', texto: contacts.map(readContactCard).join('\n'), midia: { tipo: 'contato' } }
  }
  const texto = readCard(message)
  return texto === null ? null : { tipo: 'texto', texto }
}

function placeText({ locationMessage, liveLocationMessage }: proto.IMessage): string | null {
  const place = locationMessage ?? liveLocationMessage
  if (!place) return null
  const { degreesLatitude: latitude, degreesLongitude: longitude } = place
  const { name, address, comment } = locationMessage ?? {}
  const url = `https://maps.google.com/?q=${latitude ?? 0},${longitude ?? 0}`
  return [name, address, comment, liveLocationMessage?.caption, url].filter(Boolean).join('\n')
}

function readContactCard({ displayName, vcard }: proto.Message.IContactMessage): string {
  const numbers = [...(vcard ?? '').matchAll(/^(?:item\d+\.)?TEL[^:\n]*:(.+)$/gim)].map(
    ([, number]) => number?.trim() ?? '',
  )
  return [displayName ?? '', ...numbers].filter((part) => part !== '').join(' · ')
}

/** Types without text of a person: keys, settings, votes, marks, parts of other messages. */
const SILENT_TYPES: ReadonlySet<string> = new Set<keyof proto.IMessage>([
  ...(['senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage', 'messageContextInfo'] as const),
  ...(['protocolMessage', 'reactionMessage', 'encReactionMessage', 'keepInChatMessage', 'pinInChatMessage'] as const),
  ...(['pollUpdateMessage', 'encEventResponseMessage', 'encCommentMessage', 'secretEncryptedMessage'] as const),
  ...(['albumMessage', 'eventCoverImage', 'pollCreationOptionImageMessage', 'stickerSyncRmrMessage'] as const),
  ...(['call', 'chat', 'callLogMesssage', 'scheduledCallEditMessage', 'deviceSentMessage'] as const),
  ...(['declinePaymentRequestMessage', 'cancelPaymentRequestMessage', 'limitSharingMessage'] as const),
  ...(['messageHistoryBundle', 'messageHistoryNotice', 'botTaskMessage', 'statusNotificationMessage'] as const),
  ...(['statusMentionMessage', 'groupStatusMentionMessage', 'statusAddYours', 'statusQuotedMessage'] as const),
  ...(['statusQuestionAnswerMessage', 'statusStickerInteractionMessage'] as const),
])

function hasContent(message: proto.IMessage): boolean {
  return Object.entries(message).some(([tipo, value]) => Boolean(value) && !SILENT_TYPES.has(tipo))
}

const MAX_LAYERS = 5
const WRAPPERS = [
  ...(['lottieStickerMessage', 'pollCreationMessageV4', 'groupMentionedMessage'] as const),
  ...(['botInvokeMessage', 'botForwardedMessage', 'questionMessage'] as const),
]

/** Removes WhatsApp's wrappers: disappearing, view once, album, animated sticker, sent from another device. */
export function unwrap(raw: proto.IMessage | null | undefined): proto.IMessage | undefined {
  let message = normalizeMessageContent(raw?.deviceSentMessage?.message ?? raw)
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const wrapper = WRAPPERS.map((name) => message?.[name]).find(Boolean)
    const inner = wrapper?.message ?? undefined
    if (inner === undefined) break
    message = normalizeMessageContent(inner)
  }
  return message
}
