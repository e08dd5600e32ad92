import { randomBytes } from 'node:crypto'
import { SendRefused } from '@balcao/connector/errors'
import { type AuthenticationCreds, type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys'

const NOTIFICATION_EVENT = 'CB:notification'
const RENEW_TYPE = 'companion_reg_refresh'
/** Fields of a QR code: reference, two public keys, secret, platform. */
const SECRET_FIELD = 3

export interface CodeSecret {
  /** Puts the current secret into a code of the library, which keeps the secret of the connection's start. */
  readonly applyTo: (qrCode: string) => string
}

/**
 * Renews the secret in the QR code. The server may retire it after a scan; the phone then reports that it cannot
 * link, and only a code with a new secret works. The library does not handle this notice and cannot acknowledge it
 * before it has a number. `onRenewed` receives the code on screen with its new secret.
 */
export function createCodeSecret(
  { ws, sendNode }: Pick<WASocket, 'ws' | 'sendNode'>,
  creds: AuthenticationCreds,
  onRenewed: (qrCode: string) => void,
): CodeSecret {
  let shown = ''
  let ours = creds.advSecretKey

  const renew = (): void => {
    // With a typed code, the handshake already set a shared secret, and the server's answer is checked against it.
    if (creds.account !== undefined || creds.advSecretKey !== ours || shown === '') return
    ours = randomBytes(32).toString('base64')
    creds.advSecretKey = ours
    onRenewed(applyTo(shown))
  }
  const applyTo = (qrCode: string): string => {
    shown = qrCode
    return qrCode.split(',').with(SECRET_FIELD, creds.advSecretKey).join(',')
  }

  const originals = ws.listeners(NOTIFICATION_EVENT)
  ws.removeAllListeners(NOTIFICATION_EVENT)
  ws.on(NOTIFICATION_EVENT, (stanza: BinaryNode) => {
    const { id = '', from = '', type = '' } = stanza.attrs
    if (type !== RENEW_TYPE) {
      for (const original of originals) Reflect.apply(original, ws, [stanza])
      return
    }
    const ack = { tag: 'ack', attrs: { id, to: from, class: 'notification', type } }
    sendNode(ack).catch(() => undefined)
    renew()
  })
  return { applyTo }
}

const ACCEPTED_EVENT = 'CB:iq,,link_code_companion_reg'
const REFUSED_EVENT = 'CB:iq,type:error'
/** Without an answer after this time the code is shown anyway, because the server may have accepted it. */
const SILENCE_MS = 5_000

class NumberRefused extends SendRefused {}

/**
 * Requests a pairing code for this number; null if the connection closed. Rejects with `SendRefused` if the server
 * refuses. Old Brazilian accounts have no ninth digit, so a refused number is tried in the other spelling.
 */
export async function requestCode(sock: WASocket, telefone: string): Promise<string | null> {
  try {
    return await requestOnce(sock, telefone)
  } catch (error) {
    const other = otherSpelling(telefone)
    if (!(error instanceof NumberRefused) || other === null) throw error
    return requestOnce(sock, other)
  }
}

function otherSpelling(telefone: string): string | null {
  const [, areaCode, ninth, rest] = /^55([1-9]{2})(9?)([6-9]\d{7})$/.exec(telefone) ?? []
  return rest === undefined ? null : `55${areaCode}${ninth === '' ? '9' : ''}${rest}`
}

async function requestOnce(sock: WASocket, telefone: string): Promise<string | null> {
  const { promise: reply, resolve, reject } = Promise.withResolvers<void>()
  const deadline = setTimeout(resolve, SILENCE_MS)
  const accepted = (_iq: BinaryNode): void => resolve()
  const refused = (iq: BinaryNode): void => reject(refusalOf(iq))
  sock.ws.on(ACCEPTED_EVENT, accepted)
  sock.ws.on(REFUSED_EVENT, refused)
  sock.ev.on('connection.update', ({ connection }) => (connection === 'close' ? resolve() : undefined))
  try {
    const [code] = await Promise.all([sock.requestPairingCode(telefone), reply])
    return code
  } catch (error) {
    if (error instanceof SendRefused || sock.ws.isOpen) throw error
    return null
  } finally {
    clearTimeout(deadline)
    sock.ws.off(ACCEPTED_EVENT, accepted)
    sock.ws.off(REFUSED_EVENT, refused)
  }
}

function refusalOf(iq: BinaryNode): SendRefused {
  const code = Number(getBinaryNodeChild(iq, 'error')?.attrs.code ?? 0)
  if (code === 429) {
    return new SendRefused('O WhatsApp recebeu pedidos demais para este número. Espere um pouco ou escaneie o QR Code.')
  }
  if (code >= 500) return new SendRefused('O WhatsApp não gerou o código agora. Tente de novo ou escaneie o QR Code.')
  return new NumberRefused('O WhatsApp não aceitou este número.')
}
