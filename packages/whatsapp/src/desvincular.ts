import { Boom } from '@hapi/boom'
import makeWASocket, { type AuthenticationCreds, S_WHATSAPP_NET, type SignalKeyStore, type WASocket } from 'baileys'
import { mudo } from './mudo.ts'

/** Taking ourselves off the phone's list of linked devices. False when the service did not answer in time. */

/** A login and an answer take a second or two, and whoever asked waits for them. */
const PRAZO_MS = 5_000
/** What is said to a device that is not on the list (any more). */
const REMOVIDO = 401

/** On a line that is open. */
export function sairDaLinha(sock: WASocket): Promise<boolean> {
  return pedir(sock, Promise.resolve())
}

export interface DesvincularOptions {
  readonly url: string
  readonly versao?: readonly [number, number, number] | undefined
}

/**
 * For a session without one, on a line of its own: no key of the session is read or written, and what customers wrote
 * meanwhile is left to the phone.
 */
export async function desvincular(creds: AuthenticationCreds, { url, versao }: DesvincularOptions): Promise<boolean> {
  const sock = makeWASocket({
    waWebSocketUrl: url,
    logger: mudo,
    auth: { creds: { ...creds }, keys: NENHUMA },
    markOnlineOnConnect: false,
    shouldIgnoreJid: () => true,
    shouldSyncHistoryMessage: () => false,
    ...(versao === undefined ? {} : { version: [...versao] }),
  })
  const entrou = new Promise((resolve) => sock.ws.once('CB:success', resolve))
  const saiu = await pedir(sock, entrou)
  void sock.end(undefined)
  return saiu
}

const NENHUMA: SignalKeyStore = { get: () => ({}), set: () => undefined }

async function pedir(sock: WASocket, pronta: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const prazo = setTimeout(() => resolve(false), PRAZO_MS)
  sock.ev.on('connection.update', ({ connection, lastDisconnect }) => {
    const erro = lastDisconnect?.error
    if (connection === 'close') resolve(erro instanceof Boom && erro.output.statusCode === REMOVIDO)
  })
  const jid = sock.authState.creds.me?.id ?? ''
  const saida = { tag: 'remove-companion-device', attrs: { jid, reason: 'user_initiated' } }
  pronta
    .then(() => sock.query({ tag: 'iq', attrs: { to: S_WHATSAPP_NET, type: 'set', xmlns: 'md' }, content: [saida] }))
    .then(
      () => resolve(true),
      // A line that closed says by itself why.
      () => undefined,
    )
  return promise.finally(() => clearTimeout(prazo))
}
