import type { Midia } from '@balcao/contract/entities/mensagem'
import { lerCartao } from './cartoes.ts'
import type { MensagemWeb } from './formas.ts'
import { textoDoWid } from './formas.ts'

export interface Conteudo {
  readonly texto: string
  readonly midia?: Midia
}

const TEXTOS: ReadonlySet<string> = new Set([
  'chat',
  'list_response',
  'buttons_response',
  'template_button_reply',
  'interactive_response',
])
const ARQUIVOS: ReadonlyMap<string, Midia['tipo']> = new Map([
  ['image', 'imagem'],
  ['video', 'video'],
  ['ptv', 'video'],
  ['audio', 'audio'],
  ['ptt', 'audio'],
  ['document', 'documento'],
  ['sticker', 'figurinha'],
])
const SEM_PALAVRAS: ReadonlyMap<string, string> = new Map([
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

export function lerConteudo(mensagem: MensagemWeb): Conteudo | null {
  const { type, body, location, vCards } = mensagem
  if (TEXTOS.has(type)) return body ? { texto: body } : null
  const arquivo = ARQUIVOS.get(type)
  if (arquivo !== undefined) return { texto: mensagem.hasMedia ? (body ?? '') : '', midia: midiaDe(arquivo, mensagem) }
  if (type === 'location' && location) {
    const nome = location.name ? `${location.name}\n` : ''
    const ponto = `${location.latitude},${location.longitude}`
    return { texto: `${nome}https://maps.google.com/?q=${ponto}`, midia: { tipo: 'localizacao' } }
  }
  if (vCards && vCards.length > 0) return { texto: vCards.map(lerContato).join('\n'), midia: { tipo: 'contato' } }
  const cartao = lerCartao(mensagem)
  if (cartao === null) return null
  return { texto: cartao.texto, ...(cartao.soNoCelular ? { midia: { tipo: 'outro' } } : {}) }
}

function midiaDe(tipo: Midia['tipo'], { _data: dados }: MensagemWeb): Midia {
  return {
    tipo,
    ...(dados?.filename ? { nomeArquivo: dados.filename } : {}),
    ...(dados?.mimetype ? { mimeType: dados.mimetype } : {}),
    ...(dados?.size && Number.isSafeInteger(dados.size) ? { tamanhoBytes: dados.size } : {}),
  }
}

function lerContato(vcard: string): string {
  const nome = /^FN:(.+)$/im.exec(vcard)?.[1]?.trim() ?? ''
  const numeros = [...vcard.matchAll(/^(?:item\d+\.)?TEL[^:]*:(.+)$/gim)].map(([, numero]) => numero?.trim() ?? '')
  return [nome, ...numeros].filter((parte) => parte !== '').join(' · ')
}

export function lerCitada({ _data: dados }: MensagemWeb): { readonly texto: string; readonly de: string } | null {
  const citada = dados?.quotedMsg
  if (!citada) return null
  const palavras = citada.type === undefined || TEXTOS.has(citada.type ?? 'chat') ? citada.body : citada.caption
  const texto = palavras || SEM_PALAVRAS.get(citada.type ?? '') || ''
  const de = dados.quotedParticipant ? textoDoWid(dados.quotedParticipant) : ''
  return texto === '' ? null : { texto, de }
}
