import { getContentType, type proto } from 'baileys'
import type { Midia } from './anfitriao.ts'
import { lerCartao } from './cartoes.ts'
import { desembrulhar } from './embrulho.ts'
import { NAO_APARECE, temAlgo } from './so-no-celular.ts'

/** The content of a WhatsApp message. */
export type Conteudo =
  | { readonly tipo: 'texto'; readonly texto: string; readonly midia?: Midia; readonly citada?: Citacao }
  /** Nothing that a person wrote: keys, settings, receipts, votes. */
  | { readonly tipo: 'nada' }

export interface Citacao {
  readonly texto: string
  readonly de: string
}

const NADA: Conteudo = { tipo: 'nada' }
const CITACAO_MAXIMA = 300
const SEM_PALAVRAS: Readonly<Record<Midia['tipo'], string>> = {
  imagem: 'Foto',
  audio: 'Áudio',
  video: 'Vídeo',
  documento: 'Documento',
  figurinha: 'Figurinha',
  localizacao: 'Localização',
  contato: 'Contato',
  outro: 'Arquivo',
}

export function lerConteudo(bruta: proto.IMessage | null | undefined): Conteudo {
  const dentro = desembrulhar(bruta)
  if (dentro === undefined) return NADA
  const lido = lerTexto(dentro) ?? lerArquivo(dentro) ?? lerOutros(dentro) ?? lerDesconhecida(dentro)
  const citada = lido.tipo === 'nada' ? null : lerCitada(dentro)
  return lido.tipo === 'nada' || citada === null ? lido : { ...lido, citada }
}

export function textoDigitado(bruta: proto.IMessage | null | undefined): string {
  const lido = lerConteudo(bruta)
  return lido.tipo === 'nada' ? '' : lido.texto
}

/** The message that this one quotes. Its own quotation is dropped. */
function lerCitada(mensagem: proto.IMessage): Citacao | null {
  const tipo = getContentType(mensagem)
  const corpo = tipo === undefined ? null : mensagem[tipo]
  if (typeof corpo !== 'object' || corpo === null || !('contextInfo' in corpo)) return null
  const { quotedMessage, participant } = corpo.contextInfo ?? {}
  const lido = lerConteudo(quotedMessage)
  if (lido.tipo === 'nada') return null
  const texto = lido.texto || (lido.midia === undefined ? '' : SEM_PALAVRAS[lido.midia.tipo])
  return { texto: texto.slice(0, CITACAO_MAXIMA), de: participant ?? '' }
}

function lerDesconhecida(mensagem: proto.IMessage): Conteudo {
  return temAlgo(mensagem) ? { tipo: 'texto', texto: NAO_APARECE, midia: { tipo: 'outro' } } : NADA
}

function lerTexto(mensagem: proto.IMessage): Conteudo | null {
  const texto = mensagem.conversation || mensagem.extendedTextMessage?.text || escolha(mensagem)
  return texto ? { tipo: 'texto', texto } : null
}

function escolha(mensagem: proto.IMessage): string {
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

interface Arquivo {
  readonly caption?: string | null
  readonly fileName?: string | null
  readonly mimetype?: string | null
  readonly fileLength?: number | { toNumber: () => number } | null
}

function lerArquivo(mensagem: proto.IMessage): Conteudo | null {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = mensagem
  if (imageMessage) return comArquivo('imagem', imageMessage)
  if (videoMessage ?? ptvMessage) return comArquivo('video', videoMessage ?? ptvMessage ?? {})
  if (audioMessage) return comArquivo('audio', audioMessage)
  if (documentMessage) return comArquivo('documento', documentMessage)
  if (stickerMessage) return comArquivo('figurinha', stickerMessage)
  return null
}

function comArquivo(tipo: Midia['tipo'], { caption, fileName, mimetype, fileLength }: Arquivo): Conteudo {
  const tamanho = typeof fileLength === 'object' && fileLength !== null ? fileLength.toNumber() : fileLength
  const midia: Midia = {
    tipo,
    ...(fileName ? { nomeArquivo: fileName } : {}),
    ...(mimetype ? { mimeType: mimetype } : {}),
    ...(tamanho && Number.isSafeInteger(tamanho) ? { tamanhoBytes: tamanho } : {}),
  }
  return { tipo: 'texto', texto: caption ?? '', midia }
}

function lerOutros(mensagem: proto.IMessage): Conteudo | null {
  const { locationMessage, liveLocationMessage, contactMessage, contactsArrayMessage } = mensagem
  const lugar = locationMessage ?? liveLocationMessage
  if (lugar) {
    const { degreesLatitude: latitude = 0, degreesLongitude: longitude = 0 } = lugar
    const linhas = [
      ...[locationMessage?.name, locationMessage?.address, locationMessage?.comment, liveLocationMessage?.caption],
      `https://maps.google.com/?q=${latitude ?? 0},${longitude ?? 0}`,
    ]
    return { tipo: 'texto', texto: linhas.filter(Boolean).join('\n'), midia: { tipo: 'localizacao' } }
  }
  const contatos = contactsArrayMessage?.contacts ?? (contactMessage ? [contactMessage] : [])
  if (contatos.length > 0) {
    return { tipo: 'texto', texto: contatos.map(lerContato).join('\n'), midia: { tipo: 'contato' } }
  }
  const texto = lerCartao(mensagem)
  return texto === null ? null : { tipo: 'texto', texto }
}

function lerContato({ displayName, vcard }: proto.Message.IContactMessage): string {
  const numeros = [...(vcard ?? '').matchAll(/^(?:item\d+\.)?TEL[^:]*:(.+)$/gim)].map(
    ([, numero]) => numero?.trim() ?? '',
  )
  return [displayName ?? '', ...numeros].filter((parte) => parte !== '').join(' · ')
}
