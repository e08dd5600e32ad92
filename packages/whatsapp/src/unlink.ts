import { Boom } from '@hapi/boom'
import makeWASocket, { type AuthenticationCreds, S_WHATSAPP_NET, type SignalKeyStore, type WASocket } from 'baileys'
import type { ProtocolVersion } from './options.ts'
import { silentLogger } from './socket/socket.ts'

/** A login and an answer take one or two seconds, and the owner waits for them. */
const UNLINK_TIMEOUT_MS = 5_000
const REMOVED = 401

/** Removes this device from the phone's list of linked devices. Returns false if the service did not answer in time. */
export function unlinkOverSocket(sock: WASocket): Promise<boolean> {
  return requestRemoval(sock, Promise.resolve())
}

export interface UnlinkOptions {
  readonly url: string
  readonly version?: ProtocolVersion | undefined
}

/**
 * Uses a separate connection for a session without one. Reads and writes no Signal keys and leaves pending customer
 * messages to the phone.
 */
export async function unlinkDevice(creds: AuthenticationCreds, { url, version }: UnlinkOptions): Promise<boolean> {
  const sock = makeWASocket({
    waWebSocketUrl: url,
    logger: silentLogger,
    auth: { creds: { ...creds }, keys: NO_KEYS },
    markOnlineOnConnect: false,
    shouldIgnoreJid: () => true,
    shouldSyncHistoryMessage: () => false,
    ...(version === undefined ? {} : { version: [...version] }),
  })
  const entered = new Promise((resolve) => sock.ws.once('CB:success', resolve))
  const left = await requestRemoval(sock, entered)
  void sock.end(undefined)
  return left
}

const NO_KEYS: SignalKeyStore = { get: () => ({}), set: () => undefined }

async function requestRemoval(sock: WASocket, ready: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const deadline = setTimeout(() => resolve(false), UNLINK_TIMEOUT_MS)
  sock.ev.on('connection.update', ({ connection, lastDisconnect }) => {
    const error = lastDisconnect?.error
    if (connection === 'close') resolve(error instanceof Boom && error.output.statusCode === REMOVED)
  })
  const jid = sock.authState.creds.me?.id ?? ''
  const removal = { tag: 'remove-companion-device', attrs: { jid, reason: 'user_initiated' } }
  ready
    .then(() => sock.query({ tag: 'iq', attrs: { to: S_WHATSAPP_NET, type: 'set', xmlns: 'md' }, content: [removal] }))
    .then(
      () => resolve(true),
      () => undefined,
    )
  return promise.finally(() => clearTimeout(deadline))
}
