import { randomBytes } from 'node:crypto'
import type { AuthenticationCreds, BinaryNode, WASocket } from 'baileys'

const AVISO = 'CB:notification'
const RENOVAR = 'companion_reg_refresh'
/** In a code: a reference, two public keys, the secret, the platform. */
const LUGAR_DO_SEGREDO = 3

export interface SegredoDoCodigo {
  /** A code of the library with the secret that holds now: the library goes on showing the one with which the line began. */
  readonly em: (qrCode: string) => string
}

/**
 * The server may retire the secret inside a code after a phone has scanned it, and the phone then says that it could not
 * link: only a code with a new secret links it. The library knows nothing of this, and without a number of its own it cannot
 * even acknowledge the notice. `renovado` gets the code on show with its new secret.
 */
export function createSegredoDoCodigo(
  { ws, sendNode }: Pick<WASocket, 'ws' | 'sendNode'>,
  creds: AuthenticationCreds,
  renovado: (qrCode: string) => void,
): SegredoDoCodigo {
  let mostrado = ''
  let nosso = creds.advSecretKey

  const renovar = (): void => {
    // Of a phone that typed the code, the handshake has left a secret of both: the server's answer is checked against it.
    if (creds.account !== undefined || creds.advSecretKey !== nosso || mostrado === '') return
    nosso = randomBytes(32).toString('base64')
    creds.advSecretKey = nosso
    renovado(em(mostrado))
  }
  const em = (qrCode: string): string => {
    mostrado = qrCode
    return qrCode.split(',').with(LUGAR_DO_SEGREDO, creds.advSecretKey).join(',')
  }

  const originais = ws.listeners(AVISO)
  ws.removeAllListeners(AVISO)
  ws.on(AVISO, (stanza: BinaryNode) => {
    const { id = '', from = '', type = '' } = stanza.attrs
    if (type !== RENOVAR) {
      for (const original of originais) Reflect.apply(original, ws, [stanza])
      return
    }
    const ack = { tag: 'ack', attrs: { id, to: from, class: 'notification', type } }
    sendNode(ack).catch(() => undefined)
    renovar()
  })
  return { em }
}
