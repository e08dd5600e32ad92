import type { proto } from 'baileys'
import { type AEnviar, type Anfitriao, type Midia, Recusada } from './anfitriao.ts'
import type { Armazem, LugarDeEnvio } from './armazem.ts'
import { cifrarMidia, decifrarMidia, type TipoRemoto } from './cifra-de-midia.ts'
import { contextoDe, reacaoDe } from './citacao.ts'
import { desembrulhar } from './embrulho.ts'
import type { Eu } from './mensagem.ts'

const MAXIMO_BYTES = 5 * 1024 * 1024

interface Remoto {
  readonly tipo: TipoRemoto
  readonly directPath?: string | null
  readonly mediaKey?: Uint8Array | null
  readonly fileName?: string | null
}

function remotoDe(mensagem: proto.IMessage | null | undefined): Remoto | null {
  const dentro = desembrulhar(mensagem)
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = dentro ?? {}
  if (imageMessage) return { tipo: 'image', ...imageMessage }
  if (videoMessage ?? ptvMessage) return { tipo: 'video', ...(videoMessage ?? ptvMessage) }
  if (audioMessage) return { tipo: 'audio', ...audioMessage }
  if (documentMessage) return { tipo: 'document', ...documentMessage }
  return stickerMessage ? { tipo: 'sticker', ...stickerMessage } : null
}

/** Downloads and decrypts a message's file; null if there is none. Throws if it is too big, deleted or altered. */
export async function baixarMidia(
  mensagem: proto.IMessage | null | undefined,
  armazem: Armazem,
): Promise<{ readonly bytes: Buffer; readonly nome: string } | null> {
  const remoto = remotoDe(mensagem)
  if (!remoto?.directPath || !remoto.mediaKey) return null
  const corpo = await armazem.buscar(remoto.directPath, MAXIMO_BYTES)
  return { bytes: await decifrarMidia(corpo, remoto.mediaKey, remoto.tipo), nome: remoto.fileName ?? '' }
}

const COMO: Readonly<Partial<Record<Midia['tipo'], TipoRemoto>>> = {
  imagem: 'image',
  video: 'video',
  audio: 'audio',
  documento: 'document',
  figurinha: 'sticker',
}

export interface EnvioDeMidia {
  readonly armazem: Armazem
  readonly lugar: () => Promise<LugarDeEnvio>
  readonly lerMidia: Anfitriao['lerMidia']
  readonly chat: string
  readonly eu: Eu
}

/**
 * Builds the wire format of our message and uploads its file. Sends only the text if the file was deleted. Throws
 * `Recusada` if there is no text either.
 */
export async function montarMensagem(
  { texto, midia, citada, reacao }: AEnviar,
  { armazem, lugar, lerMidia, chat, eu }: EnvioDeMidia,
): Promise<proto.IMessage> {
  if (reacao !== undefined) return reacaoDe(reacao, chat)
  const contexto = contextoDe(citada, chat, eu)
  const soTexto = { extendedTextMessage: { text: texto, ...contexto } }
  const tipo = midia === undefined ? undefined : COMO[midia.tipo]
  const arquivo = tipo === undefined || midia?.url === undefined ? null : await lerMidia(midia.url)
  if (tipo === undefined || arquivo === null) {
    if (midia !== undefined && texto.trim() === '') throw new Recusada('o arquivo desta mensagem não existe mais')
    return soTexto
  }
  const { corpo, ...chaves } = await cifrarMidia(arquivo.bytes, tipo)
  const token = chaves.fileEncSha256.toString('base64url')
  const directPath = await armazem.guardar(corpo, tipo, { token, lugar: await lugar() })
  const comum = {
    ...chaves,
    ...contexto,
    directPath,
    url: `https://mmg.whatsapp.net${directPath}`,
    mimetype: arquivo.mimeType,
    fileLength: arquivo.bytes.length,
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
  }
  switch (tipo) {
    case 'image':
      return { imageMessage: { ...comum, caption: texto } }
    case 'video':
      return { videoMessage: { ...comum, caption: texto } }
    case 'audio':
      // A voice message must name its codec. Other audio is sent as a file.
      return arquivo.mimeType.startsWith('audio/ogg')
        ? { audioMessage: { ...comum, mimetype: 'audio/ogg; codecs=opus', ptt: true } }
        : { audioMessage: comum }
    case 'document':
      return { documentMessage: { ...comum, caption: texto, fileName: midia?.nomeArquivo ?? 'arquivo' } }
    case 'sticker':
      return { stickerMessage: comum }
    default:
      return tipo satisfies never
  }
}
