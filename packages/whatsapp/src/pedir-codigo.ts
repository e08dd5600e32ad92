import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys'
import { Recusada } from './anfitriao.ts'

const ACEITO = 'CB:iq,,link_code_companion_reg'
const RECUSADO = 'CB:iq,type:error'
/** Without an answer after this time the code is shown anyway, because the server may have accepted it. */
const SILENCIO_MS = 5_000

class NaoAceito extends Recusada {}

/**
 * Requests a pairing code for this number; null if the connection closed. Rejects with `Recusada` if the server
 * refuses. Old Brazilian accounts have no ninth digit, so a refused number is tried in the other spelling.
 */
export async function pedirCodigo(sock: WASocket, telefone: string): Promise<string | null> {
  try {
    return await pedir(sock, telefone)
  } catch (erro) {
    const outra = outraGrafia(telefone)
    if (!(erro instanceof NaoAceito) || outra === null) throw erro
    return pedir(sock, outra)
  }
}

function outraGrafia(telefone: string): string | null {
  const [, ddd, nono, resto] = /^55([1-9]{2})(9?)([6-9]\d{7})$/.exec(telefone) ?? []
  return resto === undefined ? null : `55${ddd}${nono === '' ? '9' : ''}${resto}`
}

async function pedir(sock: WASocket, telefone: string): Promise<string | null> {
  const { promise: resposta, resolve, reject } = Promise.withResolvers<void>()
  const prazo = setTimeout(resolve, SILENCIO_MS)
  const aceitou = (_iq: BinaryNode): void => resolve()
  const recusou = (iq: BinaryNode): void => reject(porQue(iq))
  sock.ws.on(ACEITO, aceitou)
  sock.ws.on(RECUSADO, recusou)
  sock.ev.on('connection.update', ({ connection }) => (connection === 'close' ? resolve() : undefined))
  try {
    const [codigo] = await Promise.all([sock.requestPairingCode(telefone), resposta])
    return codigo
  } catch (erro) {
    if (erro instanceof Recusada || sock.ws.isOpen) throw erro
    return null
  } finally {
    clearTimeout(prazo)
    sock.ws.off(ACEITO, aceitou)
    sock.ws.off(RECUSADO, recusou)
  }
}

function porQue(iq: BinaryNode): Recusada {
  const codigo = Number(getBinaryNodeChild(iq, 'error')?.attrs.code ?? 0)
  if (codigo === 429) {
    return new Recusada('O WhatsApp recebeu pedidos demais para este número. Espere um pouco ou escaneie o QR Code.')
  }
  if (codigo >= 500) return new Recusada('O WhatsApp não gerou o código agora. Tente de novo ou escaneie o QR Code.')
  return new NaoAceito('O WhatsApp não aceitou este número.')
}
