import type { proto } from 'baileys'
import { SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MediaServer, UploadHost } from './media-server.ts'
import { encryptMedia, decryptMedia, type MediaKind } from './media-cipher.ts'
import { contextInfoOf, reactionMessage } from './quoting.ts'
import { unwrap } from './wrapper.ts'
import type { Self } from '#inbound/message.ts'

const MAX_BYTES = 5 * 1024 * 1024

interface RemoteFile {
  readonly kind: MediaKind
  readonly directPath?: string | null
  readonly mediaKey?: Uint8Array | null
  readonly fileName?: string | null
}

function remoteFileOf(message: proto.IMessage | null | undefined): RemoteFile | null {
  const dentro = unwrap(message)
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = dentro ?? {}
  if (imageMessage) return { kind: 'image', ...imageMessage }
  if (videoMessage ?? ptvMessage) return { kind: 'video', ...(videoMessage ?? ptvMessage) }
  if (audioMessage) return { kind: 'audio', ...audioMessage }
  if (documentMessage) return { kind: 'document', ...documentMessage }
  return stickerMessage ? { kind: 'sticker', ...stickerMessage } : null
}

/** Downloads and decrypts a message's file; null if there is none. Throws if it is too big, deleted or altered. */
export async function downloadMedia(
  message: proto.IMessage | null | undefined,
  mediaServer: MediaServer,
): Promise<{ readonly bytes: Buffer; readonly nome: string } | null> {
  const remote = remoteFileOf(message)
  if (!remote?.directPath || !remote.mediaKey) return null
  const corpo = await mediaServer.download(remote.directPath, MAX_BYTES)
  return { bytes: await decryptMedia(corpo, remote.mediaKey, remote.kind), nome: remote.fileName ?? '' }
}

const KIND_OF: Readonly<Partial<Record<Midia['tipo'], MediaKind>>> = {
  imagem: 'image',
  video: 'video',
  audio: 'audio',
  documento: 'document',
  figurinha: 'sticker',
}

export interface MessageContext {
  readonly mediaServer: MediaServer
  readonly uploadHost: () => Promise<UploadHost>
  readonly readMedia: SessionHost['readMedia']
  readonly chat: string
  readonly self: Self
}

/**
 * Builds the wire format of our message and uploads its file. Sends only the text if the file was deleted. Throws
 * `Recusada` if there is no text either.
 */
export async function buildWireMessage(
  { texto, midia, citada, reacao }: OutboundMessage,
  { mediaServer, uploadHost, readMedia, chat, self }: MessageContext,
): Promise<proto.IMessage> {
  if (reacao !== undefined) return reactionMessage(reacao, chat)
  const context = contextInfoOf(citada, chat, self)
  const soTexto = { extendedTextMessage: { text: texto, ...context } }
  const tipo = midia === undefined ? undefined : KIND_OF[midia.tipo]
  const arquivo = tipo === undefined || midia?.url === undefined ? null : await readMedia(midia.url)
  if (tipo === undefined || arquivo === null) {
    if (midia !== undefined && texto.trim() === '') throw new SendRefused('o arquivo desta mensagem não existe mais')
    return soTexto
  }
  const { body, ...keys } = await encryptMedia(arquivo.bytes, tipo)
  const token = keys.fileEncSha256.toString('base64url')
  const directPath = await mediaServer.upload(body, tipo, { token, lugar: await uploadHost() })
  const common = {
    ...keys,
    ...context,
    directPath,
    url: `https://mmg.whatsapp.net${directPath}`,
    mimetype: arquivo.mimeType,
    fileLength: arquivo.bytes.length,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  }
  switch (tipo) {
    case 'image':
      return { imageMessage: { ...common, caption: texto } }
    case 'video':
      return { videoMessage: { ...common, caption: texto } }
    case 'audio':
      // A voice message must name its codec. Other audio is sent as a file.
      return arquivo.mimeType.startsWith('audio/ogg')
        ? { audioMessage: { ...common, mimetype: 'audio/ogg; codecs=opus', ptt: true } }
        : { audioMessage: common }
    case 'document':
      return { documentMessage: { ...common, caption: texto, fileName: midia?.nomeArquivo ?? 'arquivo' } }
    case 'sticker':
      return { stickerMessage: common }
    default:
      return tipo satisfies never
  }
}
