import type { Midia } from '@balcao/contract/entities/mensagem'
import { parseWebCard } from './cartoes.ts'
import type { WebMessage } from './formas.ts'
import { widText } from './formas.ts'

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
    const ponto = `${location.latitude},${location.longitude}`
    return { texto: `${nome}https://maps.google.com/?q=${ponto}`, midia: { tipo: 'localizacao' } }
  }
  if (vCards && vCards.length > 0) return { texto: vCards.map(parseVcard).join('\n'), midia: { tipo: 'contato' } }
  const cartao = parseWebCard(mensagem)
  if (cartao === null) return null
  return { texto: cartao.texto, ...(cartao.soNoCelular ? { midia: { tipo: 'outro' } } : {}) }
}

function midiaOf(tipo: Midia['tipo'], { _data: dados }: WebMessage): Midia {
  return {
    tipo,
    ...(dados?.filename ? { nomeArquivo: dados.filename } : {}),
    ...(dados?.mimetype ? { mimeType: dados.mimetype } : {}),
    ...(dados?.size && Number.isSafeInteger(dados.size) ? { tamanhoBytes: dados.size } : {}),
  }
}

function parseVcard(vcard: string): string {
  const nome = /^FN:(.+)$/im.exec(vcard)?.[1]?.trim() ?? ''
  const numeros = [...vcard.matchAll(/^(?:item\d+\.)?TEL[^:]*:(.+)$/gim)].map(([, numero]) => numero?.trim() ?? '')
  return [nome, ...numeros].filter((parte) => parte !== '').join(' · ')
}

export function parseWebQuote({ _data: dados }: WebMessage): { readonly texto: string; readonly de: string } | null {
  const citada = dados?.quotedMsg
  if (!citada) return null
  const palavras = citada.type === undefined || TEXT_TYPES.has(citada.type ?? 'chat') ? citada.body : citada.caption
  const texto = palavras || TYPE_LABELS.get(citada.type ?? '') || ''
  const de = dados.quotedParticipant ? widText(dados.quotedParticipant) : ''
  return texto === '' ? null : { texto, de }
}
