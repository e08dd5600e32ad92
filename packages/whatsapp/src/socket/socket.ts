import { Boom } from '@hapi/boom'
import makeWASocket, {
  type AuthenticationCreds,
  type BinaryNode,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  proto,
  type SignalKeyStore,
  type WAMessage,
  type WAMessageKey,
  type WASocket,
} from 'baileys'
import type { ChatLockNotice } from '#chat-lock.ts'
import type { Journal } from './journal.ts'
import { PASSKEY_REQUIRED } from '#close.ts'
import { storeCallsFirst } from '#inbound/calls.ts'
import { isPersonJid } from '#inbound/message.ts'
import { silentLogger } from './silent-logger.ts'
import { handleAfter, handleInOrder } from './stanza-order.ts'
import { createCodeSecret } from './code-secret.ts'

const DEVICE_NAME = 'Balcão'
/** WhatsApp refuses a pairing code for an operating system that it does not know. */
const PAIRING_SYSTEM = 'Windows'

export interface SocketOptions {
  readonly url: string
  readonly creds: AuthenticationCreds
  readonly keys: SignalKeyStore
  readonly journal: Journal
  /** Protocol version, for the case that WhatsApp refuses the library's own as too old. */
  readonly version?: readonly [number, number, number] | undefined
  /** How long each QR code is shown. Default of WhatsApp: 60 s for the first, then 20 s. */
  readonly qrMs?: number | undefined
  readonly sentContent: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly on: SocketListeners
}

export interface SocketListeners {
  readonly credentials: () => void
  readonly qrCode: (qrCode: string, left: number) => void
  readonly qrCodeRenewed: (qrCode: string) => void
  readonly opened: () => void
  readonly closed: (code: number | undefined) => void
  readonly message: (mensagem: WAMessage) => void
  /** A message arrived, perhaps without content. Resolves once a missing one is in the journal. */
  readonly missing: (stanza: BinaryNode) => Promise<void>
  readonly ack: (ack: BinaryNode) => void
  readonly receipt: (recibo: BinaryNode) => void
  /** A device could not decrypt our message. The library resends it once this resolves. */
  readonly resendRequest: (id: string, quem: string) => Promise<void>
  readonly frame: () => void
  readonly chatLock: (aviso: ChatLockNotice) => void
  readonly call: (stanza: BinaryNode) => Promise<void>
  readonly typing: (jid: string) => void
}

export function openSocket({
  url,
  creds,
  keys: chaves,
  journal,
  version: versao,
  qrMs,
  sentContent,
  on,
}: SocketOptions): WASocket {
  const navegador: [string, string, string] = [DEVICE_NAME, 'Chrome', '2.0.0']
  const sock = makeWASocket({
    waWebSocketUrl: url,
    logger: silentLogger,
    auth: { creds, keys: chaves },
    browser: navegador,
    ...(versao === undefined ? {} : { version: [...versao] }),
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
  })
  sock.ws.on('frame', on.frame)
  let left = 0
  sock.ws.on('CB:iq,type:set,pair-device', ({ content }: BinaryNode) => {
    // The device name was already sent when the connection opened. Later requests need an operating system here.
    navegador[0] = PAIRING_SYSTEM
    const [request] = Array.isArray(content) ? content : []
    left = Array.isArray(request?.content) ? request.content.filter(({ tag }) => tag === 'ref').length : 0
  })
  const secret = createCodeSecret(sock, creds, on.qrCodeRenewed)
  // The library ignores this request: it would keep showing codes while the phone waits.
  sock.ws.on('CB:notification,type:passkey_prologue_request', () => {
    if (creds.account === undefined) void sock.end(new Boom('a passkey', { statusCode: PASSKEY_REQUIRED }))
  })
  handleInOrder(sock.ws, journal.noteEnvelope, on.missing)
  handleAfter(sock.ws, 'CB:receipt', ({ attrs: { type, id = '', from = '' } }) =>
    type === 'retry' ? on.resendRequest(id, from) : undefined,
  )
  storeCallsFirst(sock.ws, on.call)
  sock.ws.on('CB:ack,class:message', on.ack)
  sock.ws.on('CB:receipt', on.receipt)
  sock.ws.on('CB:chatstate', ({ attrs, content }: BinaryNode) => {
    const escreve = Array.isArray(content) && content.some(({ tag }) => tag === 'composing')
    if (escreve && isPersonJid(attrs.from ?? '')) on.typing(attrs.from ?? '')
  })
  sock.ev.on('creds.update', on.credentials)
  sock.ev.on('messages.upsert', ({ messages }) => messages.forEach(on.message))
  sock.ev.on('connection.update', ({ qr, connection, lastDisconnect, reachoutTimeLock }) => {
    if (reachoutTimeLock !== undefined) on.chatLock(reachoutTimeLock)
    if (qr !== undefined) on.qrCode(secret.applyTo(qr), --left)
    if (connection === 'open') on.opened()
    if (connection !== 'close') return
    const erro = lastDisconnect?.error
    on.closed(erro instanceof Boom ? erro.output.statusCode : undefined)
  })
  return sock
}
