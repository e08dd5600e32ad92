import { EnvioRecusado } from '#ports/messaging.ts'
import type { ClienteWeb } from './biblioteca.ts'
import { falhaDeAbertura } from './falhas.ts'
import { comPrazo, ForaDoPrazo } from './prazo.ts'

const PRAZO_MS = 9_000

/** A code for the phone with this number. Throws `EnvioRecusado` when the page answers, and says no. */
export async function pedirCodigo(cliente: Pick<ClienteWeb, 'requestPairingCode'>, telefone: string): Promise<string> {
  try {
    return await comPrazo(cliente.requestPairingCode(telefone), PRAZO_MS)
  } catch (erro) {
    if (erro instanceof ForaDoPrazo || falhaDeAbertura(erro).motivo !== 'servicoInstavel') throw erro
    throw new EnvioRecusado('O WhatsApp não aceitou este número.')
  }
}
