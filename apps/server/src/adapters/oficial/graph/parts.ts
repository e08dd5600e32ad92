import type { Midia } from '@balcao/contract/entities/mensagem'
import { SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import { metaErrorText } from './errors.ts'
import { buildInteractiveBody } from './interactive.ts'
import { buildTemplateBody } from './models.ts'
import { metaMediaFormat, type MetaMediaType } from './media.ts'

export type MetaPart =
  | { readonly tipo: 'pronta'; readonly body: object }
  | {
      readonly tipo: 'arquivo'
      readonly url: string
      readonly file: PartFile
      readonly body: (id: string) => object
    }

export interface PartFile {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly name: string
}

const META_TEXT_MAX = 4_096
const META_CAPTION_MAX = 1_024
const FILE_REFUSED_CODE = 131053
const FILE_MISSING_TEXT = 'O arquivo desta mensagem não existe mais. Envie-o de novo.'

/**
 * Splits a message into Meta's requests. A caption that is too long, or on audio, becomes a separate text. Throws
 * `SendRefused` for a file type that Meta does not accept and when nothing is left to send.
 */
export async function splitMessage(
  message: Pick<OutboundMessage, 'texto' | 'midia' | 'modelo' | 'escolhas' | 'citada' | 'reacao'>,
  readMedia: SessionHost['readMedia'],
): Promise<MetaPart[]> {
  const { reacao, citada } = message
  if (reacao !== undefined) {
    const { alvo, emoji } = reacao
    return [{ tipo: 'pronta', body: { type: 'reaction', reaction: { message_id: alvo.id, emoji } } }]
  }
  const parts = await buildParts(message, readMedia)
  const [first, ...others] = parts
  return first === undefined || citada === undefined ? parts : [withQuote(first, citada.id), ...others]
}

function withQuote(part: MetaPart, id: string): MetaPart {
  const context = { message_id: id }
  if (part.tipo === 'pronta') return { ...part, body: { ...part.body, context } }
  return { ...part, body: (fileId) => ({ ...part.body(fileId), context }) }
}

async function buildParts(
  { texto, midia, modelo, escolhas = [] }: Pick<OutboundMessage, 'texto' | 'midia' | 'modelo' | 'escolhas'>,
  readMedia: SessionHost['readMedia'],
): Promise<MetaPart[]> {
  if (modelo !== undefined) return [{ tipo: 'pronta', body: buildTemplateBody(modelo) }]
  const file = midia?.url === undefined ? null : await readMedia(midia.url)
  if (file !== null && midia?.url !== undefined) return fileParts(texto, midia, { ...file, url: midia.url })
  // Without file and text there is nothing to send, and the message must not count as sent.
  if (midia !== undefined && texto.trim() === '') throw new SendRefused(FILE_MISSING_TEXT)
  const interactive = buildInteractiveBody(texto, escolhas)
  return interactive === null ? splitText(texto) : [{ tipo: 'pronta', body: interactive }]
}

function fileParts(
  texto: string,
  midia: Midia,
  { bytes, mimeType, url }: { readonly bytes: Uint8Array; readonly mimeType: string; readonly url: string },
): MetaPart[] {
  const format = metaMediaFormat(mimeType)
  if (format === null) throw new SendRefused(metaErrorText(FILE_REFUSED_CODE))
  const { tipo, mime } = format
  const hasCaption = tipo !== 'audio' && texto.length <= META_CAPTION_MAX
  const caption = hasCaption && texto !== '' ? { caption: texto } : {}
  const part: MetaPart = {
    ...{ tipo: 'arquivo', url, file: { bytes, mime, name: midia.nomeArquivo ?? 'arquivo' } },
    body: (id) => ({ type: tipo, [tipo]: { id, ...caption, ...fileNameOf(tipo, midia) } }),
  }
  return [part, ...(hasCaption ? [] : splitText(texto))]
}

const fileNameOf = (tipo: MetaMediaType, { nomeArquivo }: Midia): object =>
  tipo === 'document' ? { filename: nomeArquivo ?? 'arquivo' } : {}

function splitText(texto: string): MetaPart[] {
  const parts: MetaPart[] = []
  let rest = texto
  while (rest.trim() !== '') {
    const cut = rest.length <= META_TEXT_MAX ? rest.length : cutPosition(rest)
    const text = { body: rest.slice(0, cut), preview_url: /https?:\/\//.test(rest) }
    parts.push({ tipo: 'pronta', body: { type: 'text', text } })
    rest = rest.slice(cut)
  }
  return parts
}

function cutPosition(texto: string): number {
  const fitting = texto.slice(0, META_TEXT_MAX)
  const end = Math.max(fitting.lastIndexOf('\n'), fitting.lastIndexOf(' ')) + 1
  return end > META_TEXT_MAX / 2 ? end : META_TEXT_MAX
}
