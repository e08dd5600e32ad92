import type { SessionHost } from '#ports/messaging.ts'
import { idDaChave, type MensagemWeb } from './formas.ts'
import type { Nossas } from './nossas.ts'

const RECUSADA = -1
const NO_CELULAR = 2
const LIDA: ReadonlySet<unknown> = new Set([3, 4])

/** Tells the host how far a message of ours came: -1 not at all, 1 to the service, 2 to the phone, 3 read, 4 heard. */
export function createRecibos(
  host: Pick<SessionHost, 'recibo' | 'naoEntregue'>,
  nossas: Nossas,
): (mensagem: MensagemWeb, ack: unknown) => Promise<void> {
  return async (mensagem, ack) => {
    if (ack !== RECUSADA && ack !== NO_CELULAR && !LIDA.has(ack)) return
    // Its id may be on its way to us too.
    await nossas.conhecidas()
    // Of one whose sending failed before our eyes, the queue knows already.
    if (ack === RECUSADA && !nossas.ehConhecida(idDaChave(mensagem.id))) return
    const idExterno = await nossas.idExternoDe(mensagem)
    if (idExterno === null) return
    if (ack === RECUSADA) {
      nossas.recusada(idExterno)
      return host.naoEntregue(idExterno, 'o WhatsApp não entregou a mensagem')
    }
    host.recibo(idExterno, LIDA.has(ack) ? 'lida' : 'entregue')
  }
}
