import makeWASocket, {
  type AuthenticationCreds,
  type BinaryNode,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  type WAMessage,
  type WAMessageKey,
  type WASocket,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  proto,
} from 'baileys'
import { Boom } from '@hapi/boom'
import { serialQueue } from '@balcao/connector/keyed-queue'
import type { ILogger } from 'baileys/lib/Utils/logger.js'
import { PASSKEY_REQUIRED } from '#close.ts'
import { storeCallsFirst } from '#inbound/calls.ts'
import { isPersonJid } from '#inbound/message.ts'
import type { ConnectionOptions, ProtocolVersion } from '#options.ts'
import type { ChatLockNotice } from '#outbound/confirmations.ts'
import { createCodeSecret } from './pairing.ts'
import type { Journal } from './journal.ts'

const MESSAGE_EVENT = 'CB:message'
const OWNER_ATTRIBUTES = ['sender_pn', 'sender_lid', 'participant_pn', 'participant_lid'] as const

/**
 * Handles messages of people one at a time. The library starts each message at once and looks up data before it
 * takes its lock, so on a slow store one message can overtake another. `store` stores messages without content.
 * Messages between the owner's devices do not wait, because a history sync may take minutes.
 */
function handleInOrder(
  ws: WASocket['ws'],
  before: (stanza: BinaryNode) => void,
  store: (stanza: BinaryNode) => Promise<void>,
): void {
  const originals = ws.listeners(MESSAGE_EVENT)
  const inOrder = serialQueue()
  const handle = async (stanza: BinaryNode): Promise<void> => {
    for (const original of originals) await Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(MESSAGE_EVENT)
  ws.on(MESSAGE_EVENT, (stanza: BinaryNode) => {
    if (stanza.attrs.category === 'peer' || !isPersonJid(stanza.attrs.from ?? '')) return void handle(stanza)
    before(stanza)
    // Without this attribute the library does not put the message into its own offline queue, which would break the
    // order.
    const { offline: _, ...attrs } = stanza.attrs
    // In a copy of a message that the owner typed, these attributes name the owner. The library would take them for
    // the customer's.
    if (attrs.recipient !== undefined) for (const name of OWNER_ATTRIBUTES) delete attrs[name]
    void inOrder(async () => {
      // The server repeats the rest on the next connection.
      if (!ws.isOpen) return
      // A message that could not be stored is not acknowledged, so the server repeats it.
      await store(stanza)
        .then(() => handle({ ...stanza, attrs }))
        .catch(() => undefined)
    })
  })
}

/** Passes a stanza to the library after `before` has resolved, or immediately if `before` returns undefined. */
function handleAfter(
  ws: WASocket['ws'],
  event: string,
  before: (stanza: BinaryNode) => Promise<void> | undefined,
): void {
  const originals = ws.listeners(event)
  const handle = (stanza: BinaryNode): void => {
    for (const original of originals) Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(event)
  ws.on(event, (stanza: BinaryNode) => {
    const first = before(stanza)
    if (first === undefined) return handle(stanza)
    void first.then(() => {
      if (ws.isOpen) handle(stanza)
    })
  })
}

const DEVICE_NAME = 'Balcão'
/** WhatsApp refuses a pairing code for an operating system that it does not know. */
const PAIRING_SYSTEM = 'Windows'

export interface SocketOptions extends Pick<ConnectionOptions, 'url' | 'qrMs'> {
  readonly version?: ProtocolVersion | undefined
  readonly creds: AuthenticationCreds
  readonly keys: SignalKeyStore
  readonly journal: Journal
  readonly sentContent: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly on: SocketListeners
}

export interface SocketListeners {
  readonly credentials: () => void
  readonly qrCode: (qrCode: string, left: number) => void
  readonly qrCodeRenewed: (qrCode: string) => void
  readonly opened: () => void
  readonly closed: (code: number | undefined) => void
  readonly message: (message: WAMessage) => void
  /** A message arrived, perhaps without content. Resolves once a missing one is in the journal. */
  readonly missing: (stanza: BinaryNode) => Promise<void>
  readonly ack: (ack: BinaryNode) => void
  readonly receipt: (receipt: BinaryNode) => void
  /** A device could not decrypt our message. The library resends it once this resolves. */
  readonly resendRequest: (id: string, device: string) => Promise<void>
  readonly frame: () => void
  readonly chatLock: (notice: ChatLockNotice) => void
  readonly call: (stanza: BinaryNode) => Promise<void>
  readonly typing: (jid: string) => void
}

type Browser = [string, string, string]

export function openSocket(options: SocketOptions): WASocket {
  const { on, creds } = options
  const browser: Browser = [DEVICE_NAME, 'Chrome', '2.0.0']
  const sock = makeWASocket(configOf(options, browser))
  sock.ws.on('frame', on.frame)
  listenForPairing(sock, creds, browser, on)
  // The library ignores this request: it would keep showing codes while the phone waits.
  sock.ws.on('CB:notification,type:passkey_prologue_request', () => {
    if (creds.account === undefined) void sock.end(new Boom('a passkey', { statusCode: PASSKEY_REQUIRED }))
  })
  listenForStanzas(sock, options)
  sock.ev.on('creds.update', on.credentials)
  sock.ev.on('messages.upsert', ({ messages }) => messages.forEach(on.message))
  sock.ev.on('connection.update', ({ connection, lastDisconnect, reachoutTimeLock }) => {
    if (reachoutTimeLock !== undefined) on.chatLock(reachoutTimeLock)
    if (connection === 'open') on.opened()
    if (connection !== 'close') return
    const error = lastDisconnect?.error
    on.closed(error instanceof Boom ? error.output.statusCode : undefined)
  })
  return sock
}

function configOf(options: SocketOptions, browser: Browser): UserFacingSocketConfig {
  const { url, creds, keys, journal, version, qrMs, sentContent } = options
  return {
    waWebSocketUrl: url,
    logger: silentLogger,
    auth: { creds, keys },
    browser,
    ...(version === undefined ? {} : { version: [...version] }),
    ...(qrMs === undefined ? {} : { qrTimeout: qrMs }),
    countryCode: 'BR',
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    syncFullHistory: false,
    // Only the first history sync is fetched: it maps LIDs to phone numbers. The library appends the path to its
    // host as it is, so a path without a leading slash could name another host.
    shouldSyncHistoryMessage: ({ syncType, directPath }) =>
      syncType === proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP && (directPath ?? '/').startsWith('/'),
    shouldIgnoreJid: (jid) => isJidGroup(jid) || isJidBroadcast(jid) || isJidNewsletter(jid),
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
    getMessage: sentContent,
    makeSignalRepository: journal.makeSignalRepository,
  }
}

/** Reports QR codes with the number of codes after them. */
function listenForPairing(sock: WASocket, creds: AuthenticationCreds, browser: Browser, on: SocketListeners): void {
  let left = 0
  sock.ws.on('CB:iq,type:set,pair-device', ({ content }: BinaryNode) => {
    // The device name was already sent when the connection opened. Later requests need an operating system here.
    browser[0] = PAIRING_SYSTEM
    const [request] = Array.isArray(content) ? content : []
    left = Array.isArray(request?.content) ? request.content.filter(({ tag }) => tag === 'ref').length : 0
  })
  const secret = createCodeSecret(sock, creds, on.qrCodeRenewed)
  sock.ev.on('connection.update', ({ qr }) => {
    if (qr !== undefined) on.qrCode(secret.applyTo(qr), --left)
  })
}

function listenForStanzas({ ws }: WASocket, { journal, on }: SocketOptions): void {
  handleInOrder(ws, journal.noteEnvelope, on.missing)
  handleAfter(ws, 'CB:receipt', ({ attrs: { type, id = '', from = '' } }) =>
    type === 'retry' ? on.resendRequest(id, from) : undefined,
  )
  storeCallsFirst(ws, on.call)
  ws.on('CB:ack,class:message', on.ack)
  ws.on('CB:receipt', on.receipt)
  ws.on('CB:chatstate', ({ attrs, content }: BinaryNode) => {
    const composing = Array.isArray(content) && content.some(({ tag }) => tag === 'composing')
    if (composing && isPersonJid(attrs.from ?? '')) on.typing(attrs.from ?? '')
  })
}

const noop = (): void => {}

/** Baileys logs keys and messages at every level, so its logger discards everything. */
export const silentLogger: ILogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: noop,
  debug: noop,
  info: noop,
  warn: noop,
  error: noop,
}
