import type { Midia } from '@balcao/contract/entities/mensagem'
import { type WebMessage, widText } from './shapes.ts'

export interface WebContent {
  readonly texto: string
  readonly midia?: Midia
}

const TEXT_TYPES: ReadonlySet<string> = new Set([
  'chat',
  'list_response',
  'buttons_response',
  'template_button_reply',
  'interactive_response',
])
const FILE_TYPES: ReadonlyMap<string, Midia['tipo']> = new Map([
  ['image', 'imagem'],
  ['video', 'video'],
  ['ptv', 'video'],
  ['audio', 'audio'],
  ['ptt', 'audio'],
  ['document', 'documento'],
  ['sticker', 'figurinha'],
])
const NOT_SHOWN_TEXT = 'Mensagem que não aparece aqui. Abra o WhatsApp no celular para ver.'
/** Types written by a person. Other unread types are notices, keys, calls and votes. */
const WRITTEN_TYPES: ReadonlySet<string> = new Set([
  ...(['order', 'payment', 'product', 'groups_v4_invite', 'list', 'interactive', 'native_flow', 'hsm'] as const),
  ...(['poll_creation', 'scheduled_event_creation', 'event_creation', 'oversized', 'unknown'] as const),
])
const CARD_TITLES: ReadonlyMap<string, string> = new Map([
  ['order', 'Pedido pelo catálogo do WhatsApp'],
  ['payment', 'Pagamento pelo WhatsApp'],
  ['product', 'Produto do catálogo'],
  ['groups_v4_invite', 'Convite para um grupo'],
  ['poll_creation', 'Enquete'],
])
const TYPE_LABELS: ReadonlyMap<string, string> = new Map([
  ['image', 'Foto'],
  ['video', 'Vídeo'],
  ['ptv', 'Vídeo'],
  ['audio', 'Áudio'],
  ['ptt', 'Áudio'],
  ['document', 'Documento'],
  ['sticker', 'Figurinha'],
  ['location', 'Localização'],
  ['vcard', 'Contato'],
  ['multi_vcard', 'Contato'],
])

export function parseWebContent(message: WebMessage): WebContent | null {
  const { type, body, location, vCards } = message
  if (TEXT_TYPES.has(type)) return body ? { texto: body } : null
  const fileType = FILE_TYPES.get(type)
  if (fileType !== undefined) return { texto: message.hasMedia ? (body ?? '') : '', midia: midiaOf(fileType, message) }
  if (type === 'location' && location) return parseLocation(location)
  if (vCards && vCards.length > 0) return { texto: vCards.map(parseVcard).join('\n'), midia: { tipo: 'contato' } }
  return WRITTEN_TYPES.has(type) ? parseCard(message) : null
}

function parseLocation({ latitude, longitude, name }: NonNullable<WebMessage['location']>): WebContent {
  const texto = `${name ? `${name}\n` : ''}https://maps.google.com/?q=${latitude},${longitude}`
  return { texto, midia: { tipo: 'localizacao' } }
}

function midiaOf(tipo: Midia['tipo'], { _data: data }: WebMessage): Midia {
  return {
    tipo,
    ...(data?.filename ? { nomeArquivo: data.filename } : {}),
    ...(data?.mimetype ? { mimeType: data.mimetype } : {}),
    ...(data?.size && Number.isSafeInteger(data.size) ? { tamanhoBytes: data.size } : {}),
  }
}

function parseVcard(vcard: string): string {
  const name = /^FN:(.+)$/im.exec(vcard)?.[1]?.trim() ?? ''
  const numbers = [...vcard.matchAll(/^(?:item\d+\.)?TEL[^:\n]*:(.+)$/gim)].map(([, number]) => number?.trim() ?? '')
  return [name, ...numbers].filter((part) => part !== '').join(' · ')
}

export function parseWebQuote({ _data: data }: WebMessage): { readonly texto: string; readonly de: string } | null {
  const quoted = data?.quotedMsg
  if (!quoted) return null
  const written = quoted.type === undefined || TEXT_TYPES.has(quoted.type ?? 'chat') ? quoted.body : quoted.caption
  const texto = written || TYPE_LABELS.get(quoted.type ?? '') || ''
  const de = data.quotedParticipant ? widText(data.quotedParticipant) : ''
  return texto === '' ? null : { texto, de }
}

function parseCard({ type, body, title, description, pollName, pollOptions }: WebMessage): WebContent {
  const options = (pollOptions ?? []).map(({ name }) => `• ${name}`)
  const lines = [CARD_TITLES.get(type), pollName, ...options, title, description, body]
  const texto = [...new Set(lines.filter((line) => typeof line === 'string' && line !== ''))].join('\n')
  return texto === '' ? { texto: NOT_SHOWN_TEXT, midia: { tipo: 'outro' } } : { texto }
}
