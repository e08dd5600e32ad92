import type { proto } from 'baileys'
import { SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { MediaServer, UploadHost } from './media-server.ts'
import { encryptMedia, decryptMedia, type MediaKind } from './media-cipher.ts'
import { changeMessage, contextInfoOf } from './sent.ts'
import { unwrap } from '#inbound/content.ts'
import type { Self } from '#inbound/message.ts'

const MAX_BYTES = 5 * 1024 * 1024

interface RemoteFile {
  readonly kind: MediaKind
  readonly directPath?: string | null
  readonly mediaKey?: Uint8Array | null
  readonly fileName?: string | null
}

function remoteFileOf(message: proto.IMessage | null | undefined): RemoteFile | null {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } =
    unwrap(message) ?? {}
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
): Promise<{ readonly bytes: Buffer; readonly name: string } | null> {
  const remote = remoteFileOf(message)
  if (!remote?.directPath || !remote.mediaKey) return null
  const body = await mediaServer.download(remote.directPath, MAX_BYTES)
  return { bytes: await decryptMedia(body, remote.mediaKey, remote.kind), name: remote.fileName ?? '' }
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
  readonly now: () => Date
  readonly chat: string
  readonly self: Self
}

/**
 * Builds the wire format of our message and uploads its file. Sends only the text if the file was deleted. Throws
 * `SendRefused` if there is no text either.
 */
export async function buildWireMessage(message: OutboundMessage, context: MessageContext): Promise<proto.IMessage> {
  const { texto, midia } = message
  const { chat, self, readMedia } = context
  const change = changeMessage(message, context)
  if (change !== null) return change
  const quotation = contextInfoOf(message, chat, self)
  const kind = midia === undefined ? undefined : KIND_OF[midia.tipo]
  const file = kind === undefined || midia?.url === undefined ? null : await readMedia(midia.url)
  if (kind === undefined || file === null) {
    if (midia !== undefined && texto.trim() === '') throw new SendRefused('o arquivo desta mensagem não existe mais')
    return { extendedTextMessage: { text: texto, ...quotation } }
  }
  const common = { ...(await uploadFile(file, kind, context)), ...quotation }
  return fileMessage(kind, common, { caption: texto, fileName: midia?.nomeArquivo ?? 'arquivo' })
}

type StoredFile = NonNullable<Awaited<ReturnType<SessionHost['readMedia']>>>
type UploadedFile = Awaited<ReturnType<typeof uploadFile>>

async function uploadFile(file: StoredFile, kind: MediaKind, { mediaServer, uploadHost, now }: MessageContext) {
  const { body, ...keys } = await encryptMedia(file.bytes, kind)
  const token = keys.fileEncSha256.toString('base64url')
  const directPath = await mediaServer.upload(body, kind, { token, host: await uploadHost() })
  return {
    ...keys,
    directPath,
    url: `https://mmg.whatsapp.net${directPath}`,
    mimetype: file.mimeType,
    fileLength: file.bytes.length,
    mediaKeyTimestamp: Math.floor(now().getTime() / 1000),
  }
}

function fileMessage(
  kind: MediaKind,
  common: UploadedFile & ReturnType<typeof contextInfoOf>,
  { caption, fileName }: { readonly caption: string; readonly fileName: string },
): proto.IMessage {
  switch (kind) {
    case 'image':
      return { imageMessage: { ...common, caption } }
    case 'video':
      return { videoMessage: { ...common, caption } }
    case 'audio':
      // A voice message must name its codec. Other audio is sent as a file.
      return common.mimetype.startsWith('audio/ogg')
        ? { audioMessage: { ...common, mimetype: 'audio/ogg; codecs=opus', ptt: true } }
        : { audioMessage: common }
    case 'document':
      return { documentMessage: { ...common, caption, fileName } }
    case 'sticker':
      return { stickerMessage: common }
    default:
      return kind satisfies never
  }
}
