import { getContentType, type proto } from 'baileys'
import type { Midia } from '@balcao/contract/entities/mensagem'
import { readCard } from './cards.ts'
import { unwrap } from '#outbound/wrapper.ts'
import { NOT_SHOWN_TEXT, hasContent } from './phone-only.ts'

/** The content of a WhatsApp message. */
export type MessageContent =
  | { readonly tipo: 'texto'; readonly texto: string; readonly midia?: Midia; readonly citada?: Quotation }
  /** Nothing that a person wrote: keys, settings, receipts, votes. */
  | { readonly tipo: 'nada' }

export interface Quotation {
  readonly texto: string
  readonly de: string
}

const NOTHING: MessageContent = { tipo: 'nada' }
const QUOTATION_MAX = 300
const MEDIA_LABELS: Readonly<Record<Midia['tipo'], string>> = {
  imagem: 'Foto',
  audio: 'Áudio',
  video: 'Vídeo',
  documento: 'Documento',
  figurinha: 'Figurinha',
  localizacao: 'Localização',
  contato: 'Contato',
  outro: 'Arquivo',
}

export function readContent(raw: proto.IMessage | null | undefined): MessageContent {
  const dentro = unwrap(raw)
  if (dentro === undefined) return NOTHING
  const parsed = readPlainText(dentro) ?? readMediaContent(dentro) ?? readPlaceOrCard(dentro) ?? readUnknown(dentro)
  const citada = parsed.tipo === 'nada' ? null : readQuotation(dentro)
  return parsed.tipo === 'nada' || citada === null ? parsed : { ...parsed, citada }
}

export function readText(raw: proto.IMessage | null | undefined): string {
  const parsed = readContent(raw)
  return parsed.tipo === 'nada' ? '' : parsed.texto
}

/** The message that this one quotes. Its own quotation is dropped. */
function readQuotation(mensagem: proto.IMessage): Quotation | null {
  const tipo = getContentType(mensagem)
  const corpo = tipo === undefined ? null : mensagem[tipo]
  if (typeof corpo !== 'object' || corpo === null || !('contextInfo' in corpo)) return null
  const { quotedMessage, participant } = corpo.contextInfo ?? {}
  const parsed = readContent(quotedMessage)
  if (parsed.tipo === 'nada') return null
  const texto = parsed.texto || (parsed.midia === undefined ? '' : MEDIA_LABELS[parsed.midia.tipo])
  return { texto: texto.slice(0, QUOTATION_MAX), de: participant ?? '' }
}

function readUnknown(mensagem: proto.IMessage): MessageContent {
  return hasContent(mensagem) ? { tipo: 'texto', texto: NOT_SHOWN_TEXT, midia: { tipo: 'outro' } } : NOTHING
}

function readPlainText(mensagem: proto.IMessage): MessageContent | null {
  const texto = mensagem.conversation || mensagem.extendedTextMessage?.text || readChoice(mensagem)
  return texto ? { tipo: 'texto', texto } : null
}

function readChoice(mensagem: proto.IMessage): string {
  return (
    mensagem.buttonsResponseMessage?.selectedDisplayText ??
    mensagem.listResponseMessage?.title ??
    mensagem.templateButtonReplyMessage?.selectedDisplayText ??
    mensagem.interactiveResponseMessage?.body?.text ??
    mensagem.questionResponseMessage?.text ??
    mensagem.commentMessage?.message?.conversation ??
    ''
  )
}

interface MediaFields {
  readonly caption?: string | null
  readonly fileName?: string | null
  readonly mimetype?: string | null
  readonly fileLength?: number | { toNumber: () => number } | null
}

function readMediaContent(mensagem: proto.IMessage): MessageContent | null {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = mensagem
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

function readPlaceOrCard(mensagem: proto.IMessage): MessageContent | null {
  const { locationMessage, liveLocationMessage, contactMessage, contactsArrayMessage } = mensagem
  const place = locationMessage ?? liveLocationMessage
  if (place) {
    const { degreesLatitude: latitude = 0, degreesLongitude: longitude = 0 } = place
    const lines = [
      ...[locationMessage?.name, locationMessage?.address, locationMessage?.comment, liveLocationMessage?.caption],
      `https://maps.google.com/?q=${latitude ?? 0},${longitude ?? 0}`,
    ]
    return { tipo: 'texto', texto: lines.filter(Boolean).join('\n'), midia: { tipo: 'localizacao' } }
  }
  const contatos = contactsArrayMessage?.contacts ?? (contactMessage ? [contactMessage] : [])
  if (contatos.length > 0) {
    return { tipo: 'texto', texto: contatos.map(readContactCard).join('\n'), midia: { tipo: 'contato' } }
  }
  const texto = readCard(mensagem)
  return texto === null ? null : { tipo: 'texto', texto }
}

function readContactCard({ displayName, vcard }: proto.Message.IContactMessage): string {
  const numeros = [...(vcard ?? '').matchAll(/^(?:item\d+\.)?TEL[^:]*:(.+)$/gim)].map(
    ([, numero]) => numero?.trim() ?? '',
  )
  return [displayName ?? '', ...numeros].filter((part) => part !== '').join(' · ')
}
