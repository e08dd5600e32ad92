import type { BinaryNode, WASocket } from 'baileys'
import { Recusada } from './anfitriao.ts'

const ACEITO = 'CB:iq,type:result'
const RECUSADO = 'CB:iq,type:error'
/** A server that says nothing may have taken it all the same: the phone will tell. */
const SILENCIO_MS = 5_000

/** Asks for a code for this number. Rejects with `Recusada` when the server does not want the number. */
export async function pedirCodigo(sock: WASocket, telefone: string): Promise<string> {
  const { promise: resposta, resolve, reject } = Promise.withResolvers<void>()
  const prazo = setTimeout(resolve, SILENCIO_MS)
  const aceitou = (_iq: BinaryNode): void => resolve()
  const recusou = (_iq: BinaryNode): void => reject(new Recusada('O WhatsApp não aceitou este número.'))
  sock.ws.on(ACEITO, aceitou)
  sock.ws.on(RECUSADO, recusou)
  try {
    const [codigo] = await Promise.all([sock.requestPairingCode(telefone), resposta])
    return codigo
  } finally {
    clearTimeout(prazo)
    sock.ws.off(ACEITO, aceitou)
    sock.ws.off(RECUSADO, recusou)
  }
}
