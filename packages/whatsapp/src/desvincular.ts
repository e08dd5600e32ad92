import { Boom } from '@hapi/boom'
import makeWASocket, { type AuthenticationCreds, S_WHATSAPP_NET, type SignalKeyStore, type WASocket } from 'baileys'
import { mudo } from './mudo.ts'

/** Removes this device from the phone's list of linked devices. Returns false if the service did not answer in time. */

/** A login and an answer take one or two seconds, and the owner waits for them. */
const PRAZO_MS = 5_000
const REMOVIDO = 401

export function sairDaLinha(sock: WASocket): Promise<boolean> {
  return pedir(sock, Promise.resolve())
}

export interface DesvincularOptions {
  readonly url: string
  readonly versao?: readonly [number, number, number] | undefined
}

/**
 * Uses a separate connection for a session without one. Reads and writes no Signal keys and leaves pending customer
 * messages to the phone.
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
      () => undefined,
    )
  return promise.finally(() => clearTimeout(prazo))
}
