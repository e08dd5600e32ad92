import type { Midia } from '@balcao/contract/entities/mensagem'
import { parseWebCard } from './cards.ts'
import type { WebMessage } from './shapes.ts'
import { widText } from './shapes.ts'

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

export function parseWebContent(mensagem: WebMessage): WebContent | null {
  const { type, body, location, vCards } = mensagem
  if (TEXT_TYPES.has(type)) return body ? { texto: body } : null
  const arquivo = FILE_TYPES.get(type)
  if (arquivo !== undefined) return { texto: mensagem.hasMedia ? (body ?? '') : '', midia: midiaOf(arquivo, mensagem) }
  if (type === 'location' && location) {
    const nome = location.name ? `${location.name}\n` : ''
    const point = `${location.latitude},${location.longitude}`
    return { texto: `${nome}https://maps.google.com/?q=${point}`, midia: { tipo: 'localizacao' } }
  }
  if (vCards && vCards.length > 0) return { texto: vCards.map(parseVcard).join('\n'), midia: { tipo: 'contato' } }
  const card = parseWebCard(mensagem)
  if (card === null) return null
  return { texto: card.texto, ...(card.soNoCelular ? { midia: { tipo: 'outro' } } : {}) }
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
  const nome = /^FN:(.+)$/im.exec(vcard)?.[1]?.trim() ?? ''
  const numeros = [...vcard.matchAll(/^(?:item\d+\.)?TEL[^:]*:(.+)$/gim)].map(([, numero]) => numero?.trim() ?? '')
  return [nome, ...numeros].filter((part) => part !== '').join(' · ')
}

export function parseWebQuote({ _data: data }: WebMessage): { readonly texto: string; readonly de: string } | null {
  const quoted = data?.quotedMsg
  if (!quoted) return null
  const words = quoted.type === undefined || TEXT_TYPES.has(quoted.type ?? 'chat') ? quoted.body : quoted.caption
  const texto = words || TYPE_LABELS.get(quoted.type ?? '') || ''
  const de = data.quotedParticipant ? widText(data.quotedParticipant) : ''
  return texto === '' ? null : { texto, de }
}
