import { EnvioRecusado } from '#ports/messaging.ts'
import type { ClienteWeb } from './biblioteca.ts'
import { falhaDeAbertura } from './falhas.ts'
import { comPrazo, ForaDoPrazo } from './prazo.ts'

const PRAZO_MS = 9_000

/** Returns a pairing code for this phone number. Throws `EnvioRecusado` when the page refuses the number. */
export async function pedirCodigo(cliente: Pick<ClienteWeb, 'requestPairingCode'>, telefone: string): Promise<string> {
  try {
    return await comPrazo(cliente.requestPairingCode(telefone), PRAZO_MS)
  } catch (erro) {
    if (erro instanceof ForaDoPrazo || falhaDeAbertura(erro).motivo !== 'servicoInstavel') throw erro
    throw new EnvioRecusado('O WhatsApp não aceitou este número.')
  }
}
