import type { Midia } from '@balcao/contract/entities/mensagem'
import { SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import { metaErrorText } from '#adapters/oficial/sentences.ts'
import { buildTemplateBody } from './models.ts'
import { metaMediaFormat, type MetaMediaType } from './media.ts'

export type MetaPart =
  | { readonly tipo: 'pronta'; readonly corpo: object }
  | {
      readonly tipo: 'arquivo'
      readonly url: string
      readonly arquivo: PartFile
      readonly corpo: (id: string) => object
    }

export interface PartFile {
  readonly bytes: Uint8Array
  readonly mime: string
  readonly name: string
}

/** Meta's limits per message, in characters. */
const META_TEXT_MAX = 4_096
const META_CAPTION_MAX = 1_024
const FILE_REFUSED_CODE = 131053
const FILE_MISSING_TEXT = 'O arquivo desta mensagem não existe mais. Envie-o de novo.'

/**
 * Splits a message into Meta's requests. A caption that is too long, or on audio, becomes a separate text. Throws
 * `EnvioRecusado` for a file type that Meta does not accept and when nothing is left to send.
 */
export async function splitMessage(
  { texto, midia, modelo, citada, reacao }: Pick<OutboundMessage, 'texto' | 'midia' | 'modelo' | 'citada' | 'reacao'>,
  lerMidia: SessionHost['readMedia'],
): Promise<MetaPart[]> {
  if (reacao !== undefined) {
    const { alvo, emoji } = reacao
    return [{ tipo: 'pronta', corpo: { type: 'reaction', reaction: { message_id: alvo.id, emoji } } }]
  }
  const [first, ...others] = await buildParts({ texto, modelo, midia }, lerMidia)
  if (first === undefined || citada === undefined) return first === undefined ? [] : [first, ...others]
  return [withQuote(first, citada.id), ...others]
}

function withQuote(part: MetaPart, id: string): MetaPart {
  const context = { message_id: id }
  if (part.tipo === 'pronta') return { ...part, corpo: { ...part.corpo, context } }
  return { ...part, corpo: (arquivo) => ({ ...part.corpo(arquivo), context }) }
}

async function buildParts(
  { texto, midia, modelo }: { [K in 'texto' | 'midia' | 'modelo']: OutboundMessage[K] | undefined } & { texto: string },
  lerMidia: SessionHost['readMedia'],
): Promise<MetaPart[]> {
  if (modelo !== undefined) return [{ tipo: 'pronta', corpo: buildTemplateBody(modelo) }]
  const parsed = midia?.url === undefined ? null : await lerMidia(midia.url)
  if (parsed === null || midia?.url === undefined) {
    // Without file and text there is nothing to send, and the message must not count as sent.
    if (midia !== undefined && texto.trim() === '') throw new SendRefused(FILE_MISSING_TEXT)
    return splitText(texto)
  }
  const como = metaMediaFormat(parsed.mimeType)
  if (como === null) throw new SendRefused(metaErrorText(FILE_REFUSED_CODE))
  const together = como.tipo !== 'audio' && texto.length <= META_CAPTION_MAX
  const arquivo = { bytes: parsed.bytes, mime: como.mime, name: midia.nomeArquivo ?? 'arquivo' }
  const legenda = together && texto !== '' ? { caption: texto } : {}
  const corpo = (id: string): object => ({
    type: como.tipo,
    [como.tipo]: { id, ...legenda, ...fileNameOf(como.tipo, midia) },
  })
  return [{ tipo: 'arquivo', url: midia.url, arquivo, corpo }, ...(together ? [] : splitText(texto))]
}

const fileNameOf = (tipo: MetaMediaType, { nomeArquivo }: Midia): object =>
  tipo === 'document' ? { filename: nomeArquivo ?? 'arquivo' } : {}

function splitText(texto: string): MetaPart[] {
  const parts: MetaPart[] = []
  let rest = texto
  while (rest.trim() !== '') {
    const cut = rest.length <= META_TEXT_MAX ? rest.length : cutPosition(rest)
    const corpo = { type: 'text', text: { body: rest.slice(0, cut), preview_url: /https?:\/\//.test(rest) } }
    parts.push({ tipo: 'pronta', corpo })
    rest = rest.slice(cut)
  }
  return parts
}

function cutPosition(texto: string): number {
  const cabe = texto.slice(0, META_TEXT_MAX)
  const fim = Math.max(cabe.lastIndexOf('\n'), cabe.lastIndexOf(' ')) + 1
  return fim > META_TEXT_MAX / 2 ? fim : META_TEXT_MAX
}
