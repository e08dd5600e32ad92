import { SendFailed, SendRefused } from '@balcao/connector/errors'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import { uuidAt, uuidTime } from '#lib/time.ts'
import type { OpenBrowser } from './browser/launch.ts'
import type { WebClient, WebFile, WebLibrary, WebSendOptions } from './browser/library.ts'
import { withTimeout } from './failures.ts'
import { isSameMessage, type OwnMessages, sortById } from './own-messages.ts'
import {
  isChangeable,
  isWebChat,
  sentMessageSchema,
  toWebAddress,
  type WebKey,
  webKeyId,
  type WebMessage,
  webMessageSchema,
} from './shapes.ts'

export interface WebSenderOptions {
  readonly host: Pick<SessionHost, 'readMedia' | 'listSent' | 'serviceId' | 'maySend' | 'beginSend'>
  readonly ownMessages: OwnMessages
  readonly timeoutMs: number
}

type SendingBrowser = Pick<OpenBrowser, 'client' | 'createFile'>

const SEARCH_MS = 20_000
const LAST_MESSAGES = 30
/** Equal texts of ours within this time before the message are matched to the page's messages first. */
const SAME_TEXT_MS = 2 * 60_000
const CLOCK_TOLERANCE_MS = 2_000
const REFUSED_ACK = -1
const PAGE_ID = /^(true|false)_/
const COMMON_OPTIONS = { waitUntilMsgSent: true, linkPreview: false } as const

export class WebSender {
  readonly #options: WebSenderOptions
  readonly #uncertain = new Set<string>()

  constructor(options: WebSenderOptions) {
    this.#options = options
  }

  /** Throws `SendRefused` when no retry helps; any other error may be retried. */
  async send(browser: SendingBrowser, message: OutboundMessage): Promise<void> {
    const { host, ownMessages, timeoutMs } = this.#options
    // A reaction, an edit or a deletion sent twice has the same result as once.
    if (message.reacao !== undefined) return sendReaction(browser.client, message.reacao, timeoutMs)
    if (message.edicao !== undefined) return sendEdit(browser.client, message.edicao, timeoutMs)
    if (ownMessages.alreadySent(message.idExterno)) return
    if ((await host.beginSend(message.idExterno)) || this.#uncertain.has(message.idExterno)) {
      const found = await this.#search(browser.client, message)
      this.#uncertain.delete(message.idExterno)
      if (found !== null) return this.#wasSent(message, found.id)
    }
    await this.#sendOnce(browser, message)
  }

  async #search(client: WebClient, message: OutboundMessage): Promise<WebMessage | null> {
    const { idExterno, endereco, texto, midia } = message
    const chat = await withTimeout(client.getChatById(toWebAddress(endereco)), SEARCH_MS)
    if (!isWebChat(chat)) return null
    const raw = await withTimeout(chat.fetchMessages({ limit: LAST_MESSAGES, fromMe: true }), SEARCH_MS)
    const sent = await this.#options.host.listSent(uuidAt(uuidTime(idExterno) - SAME_TEXT_MS), idExterno)
    const written = sortById(sent).filter(
      (other) => other.endereco === endereco && other.texto === texto && other.midia?.url === midia?.url,
    )
    const since = uuidTime(written[0]?.idExterno ?? idExterno) - CLOCK_TOLERANCE_MS
    const inPage = raw
      .flatMap((other) => webMessageSchema.safeParse(other).data ?? [])
      .filter((other) => other.timestamp * 1_000 >= since && isSameMessage(message, other))
      .toSorted((a, b) => a.timestamp - b.timestamp)
    const position = written.findIndex((other) => other.idExterno === idExterno)
    return inPage[position === -1 ? written.length : position] ?? null
  }

  async #sendOnce({ client, createFile }: SendingBrowser, message: OutboundMessage): Promise<void> {
    const { host, ownMessages, timeoutMs } = this.#options
    const { content, options } = await buildMessage(message, host.readMedia, createFile)
    if (!host.maySend()) throw new SendFailed('sem conexão com o WhatsApp')
    const idKnown = ownMessages.sending()
    try {
      this.#uncertain.add(message.idExterno)
      const request = client.sendMessage(toWebAddress(message.endereco), content, options)
      const reply = await withTimeout(request, timeoutMs)
      if (reply === null || reply === undefined) {
        this.#uncertain.delete(message.idExterno)
        throw new SendRefused('o WhatsApp não tem uma conversa com este contato')
      }
      // The message was sent: an unreadable answer must not send it again.
      const { id, ack } = sentMessageSchema.parse(reply)
      this.#uncertain.delete(message.idExterno)
      if (ack === REFUSED_ACK) throw new SendFailed('o WhatsApp recusou a mensagem')
      this.#wasSent(message, id)
    } finally {
      idKnown()
    }
  }

  #wasSent({ idExterno }: OutboundMessage, key: WebKey): void {
    this.#options.ownMessages.remember(webKeyId(key), idExterno)
    this.#options.host.serviceId(idExterno, webKeyId(key))
  }
}

export function showTyping(client: WebClient, address: string): void {
  client
    .getChatById(toWebAddress(address))
    .then((chat) => (isWebChat(chat) ? chat.sendStateTyping() : undefined))
    .catch(() => undefined)
}

async function sendReaction(
  client: WebClient,
  { alvo, emoji }: NonNullable<OutboundMessage['reacao']>,
  timeoutMs: number,
): Promise<void> {
  if (!PAGE_ID.test(alvo.id)) throw new SendRefused(UNKNOWN_TEXT)
  await withTimeout(client.sendReaction(alvo.id, emoji), timeoutMs)
}

const UNKNOWN_TEXT = 'o WhatsApp não conhece esta mensagem'

async function sendEdit(
  client: WebClient,
  { alvo, texto }: NonNullable<OutboundMessage['edicao']>,
  timeoutMs: number,
): Promise<void> {
  const found = PAGE_ID.test(alvo.id) ? await withTimeout(client.getMessageById(alvo.id), timeoutMs) : null
  if (!isChangeable(found)) throw new SendRefused(UNKNOWN_TEXT)
  if (texto === null) await withTimeout(found.delete(true), timeoutMs)
  else if ((await withTimeout(found.edit(texto), timeoutMs)) === null) {
    throw new SendRefused('o WhatsApp não aceita mais a edição desta mensagem')
  }
}

interface BuiltMessage {
  readonly content: string | WebFile
  readonly options: WebSendOptions
}

async function buildMessage(
  { texto, midia, citada }: OutboundMessage,
  readMedia: SessionHost['readMedia'],
  createFile: WebLibrary['createFile'],
): Promise<BuiltMessage> {
  const common =
    citada !== undefined && PAGE_ID.test(citada.id) ? { ...COMMON_OPTIONS, quotedMessageId: citada.id } : COMMON_OPTIONS
  const file = midia?.url === undefined ? null : await readMedia(midia.url)
  if (midia === undefined || file === null) {
    if (midia !== undefined && texto.trim() === '') throw new SendRefused('o arquivo desta mensagem não existe mais')
    return { content: texto, options: common }
  }
  const { mimeType, bytes } = file
  const content = createFile(mimeType, Buffer.from(bytes).toString('base64'), midia.nomeArquivo ?? 'arquivo')
  return { content, options: { ...common, ...fileOptions(midia.tipo, mimeType, texto) } }
}

function fileOptions(
  tipo: NonNullable<OutboundMessage['midia']>['tipo'],
  mimeType: string,
  texto: string,
): Partial<WebSendOptions> {
  const caption = texto === '' ? {} : { caption: texto }
  switch (tipo) {
    case 'audio':
      return { sendAudioAsVoice: mimeType.startsWith('audio/ogg') }
    case 'figurinha':
      return { sendMediaAsSticker: true }
    case 'imagem':
    case 'video':
      return caption
    case 'documento':
    case 'localizacao':
    case 'contato':
    case 'outro':
      return { ...caption, sendMediaAsDocument: true }
    default:
      return tipo satisfies never
  }
}
