import { SendFailed, SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { WebLibrary, WebClient, WebSendOptions } from './browser/library.ts'
import { toWebAddress } from './addresses.ts'
import { type WebKey, isWebChat, webKeyId, webMessageSchema, type WebMessage, sentMessageSchema } from './shapes.ts'
import { isSameMessage, sortById, uuidTime, type OwnMessages, uuidAt } from './own-messages.ts'
import { withTimeout } from './deadline.ts'

export interface WebSenderOptions {
  readonly host: Pick<SessionHost, 'readMedia' | 'listSent' | 'serviceId'>
  readonly ownMessages: OwnMessages
  readonly createFile: WebLibrary['createFile']
  readonly timeoutMs: number
  /** Messages written before this instant may have been sent by an earlier session. */
  readonly startedMs: number
}

/** Sends one message through the page. Throws `EnvioRecusado` when no retry helps; any other error may be retried. */
export type WebSender = (cliente: WebClient, mensagem: OutboundMessage) => Promise<void>

const SEARCH_MS = 20_000
const LAST_MESSAGES = 30
/** Equal texts of ours within this time before the message are matched to the page's messages first. */
const SAME_TEXT_MS = 2 * 60_000
const CLOCK_TOLERANCE_MS = 2_000
const REFUSED_ACK = -1

export function createSender({ host, ownMessages, createFile, timeoutMs, startedMs }: WebSenderOptions): WebSender {
  const duvidosas = new Set<string>()

  /** Finds the message in the page when an earlier attempt did send it. */
  const search = async (cliente: WebClient, mensagem: OutboundMessage): Promise<WebMessage | null> => {
    const conversa = await withTimeout(cliente.getChatById(toWebAddress(mensagem.endereco)), SEARCH_MS)
    if (!isWebChat(conversa)) return null
    const brutas = await withTimeout(conversa.fetchMessages({ limit: LAST_MESSAGES, fromMe: true }), SEARCH_MS)
    const de = uuidAt(uuidTime(mensagem.idExterno) - SAME_TEXT_MS)
    const written = sortById(await host.listSent(de, mensagem.idExterno)).filter(
      ({ endereco, texto, midia }) =>
        endereco === mensagem.endereco && texto === mensagem.texto && midia?.url === mensagem.midia?.url,
    )
    const since = uuidTime(written[0]?.idExterno ?? mensagem.idExterno) - CLOCK_TOLERANCE_MS
    const naPagina = brutas
      .flatMap((raw) => webMessageSchema.safeParse(raw).data ?? [])
      .filter((other) => other.timestamp * 1_000 >= since && isSameMessage(mensagem, other))
      .toSorted((a, b) => a.timestamp - b.timestamp)
    const place = written.findIndex(({ idExterno }) => idExterno === mensagem.idExterno)
    return naPagina[place === -1 ? written.length : place] ?? null
  }

  const left = ({ idExterno }: OutboundMessage, key: WebKey): void => {
    ownMessages.remember(webKeyId(key), idExterno)
    host.serviceId(idExterno, webKeyId(key))
  }

  const send = async (cliente: WebClient, mensagem: OutboundMessage): Promise<void> => {
    const { content, options } = await buildMessage(mensagem, { lerMidia: host.readMedia, arquivo: createFile })
    const ready = ownMessages.sending()
    try {
      duvidosas.add(mensagem.idExterno)
      const request = cliente.sendMessage(toWebAddress(mensagem.endereco), content, options)
      const reply = await withTimeout(request, timeoutMs)
      if (reply === null || reply === undefined) {
        duvidosas.delete(mensagem.idExterno)
        throw new SendRefused('o WhatsApp não tem uma conversa com este contato')
      }
      // The message was sent: an unreadable answer must not send it again.
      const { id, ack } = sentMessageSchema.parse(reply)
      duvidosas.delete(mensagem.idExterno)
      if (ack === REFUSED_ACK) throw new SendFailed('o WhatsApp recusou a mensagem')
      left(mensagem, id)
    } finally {
      ready()
    }
  }

  return async (cliente, mensagem) => {
    // Setting a reaction twice has the same result as once.
    if (mensagem.reacao !== undefined) return sendReaction(cliente, mensagem.reacao, timeoutMs)
    // The message was sent after the queue had given up.
    if (ownMessages.alreadySent(mensagem.idExterno)) return
    if (duvidosas.has(mensagem.idExterno) || uuidTime(mensagem.idExterno) < startedMs) {
      const found = await search(cliente, mensagem)
      duvidosas.delete(mensagem.idExterno)
      if (found !== null) return left(mensagem, found.id)
    }
    await send(cliente, mensagem)
  }
}

async function sendReaction(
  client: WebClient,
  { alvo, emoji }: NonNullable<OutboundMessage['reacao']>,
  timeoutMs: number,
): Promise<void> {
  if (!PAGE_ID.test(alvo.id)) throw new SendRefused('o WhatsApp não conhece esta mensagem')
  await withTimeout(client.sendReaction(alvo.id, emoji), timeoutMs)
}

const PAGE_ID = /^(true|false)_/

type BuiltMessage = { readonly content: Parameters<WebClient['sendMessage']>[1]; readonly options: WebSendOptions }

const COMMON_OPTIONS = { waitUntilMsgSent: true, linkPreview: false } as const

async function buildMessage(
  { texto, midia, citada }: OutboundMessage,
  { lerMidia, arquivo }: { lerMidia: SessionHost['readMedia']; arquivo: WebLibrary['createFile'] },
): Promise<BuiltMessage> {
  const common =
    citada !== undefined && PAGE_ID.test(citada.id) ? { ...COMMON_OPTIONS, quotedMessageId: citada.id } : COMMON_OPTIONS
  const parsed = midia?.url === undefined ? null : await lerMidia(midia.url)
  if (parsed === null || midia === undefined) {
    if (midia !== undefined && texto.trim() === '') throw new SendRefused('o arquivo desta mensagem não existe mais')
    return { content: texto, options: common }
  }
  const conteudo = arquivo(
    parsed.mimeType,
    Buffer.from(parsed.bytes).toString('base64'),
    midia.nomeArquivo ?? 'arquivo',
  )
  const legenda = texto === '' ? {} : { caption: texto }
  switch (midia.tipo) {
    case 'audio':
      return { content: conteudo, options: { ...common, sendAudioAsVoice: parsed.mimeType.startsWith('audio/ogg') } }
    case 'figurinha':
      return { content: conteudo, options: { ...common, sendMediaAsSticker: true } }
    case 'imagem':
    case 'video':
      return { content: conteudo, options: { ...common, ...legenda } }
    case 'documento':
    case 'localizacao':
    case 'contato':
    case 'outro':
      return { content: conteudo, options: { ...common, ...legenda, sendMediaAsDocument: true } }
    default:
      return midia.tipo satisfies never
  }
}
