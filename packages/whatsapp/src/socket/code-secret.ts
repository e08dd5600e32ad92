import { randomBytes } from 'node:crypto'
import type { AuthenticationCreds, BinaryNode, WASocket } from 'baileys'

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
