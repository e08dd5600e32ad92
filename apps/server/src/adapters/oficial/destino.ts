import { EnvioRecusado, type SessionHost } from '#ports/messaging.ts'

const NUMERO = /^\+?\d+$/
/** As the connectors that pair with a phone call a number. */
const DE_OUTRO_CONECTOR = /^(\d+)(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/
const SEM_NUMERO =
  'Não sabemos o número deste cliente, e a API oficial só chega a quem tem número conhecido. Espere que ele escreva.'

/**
 * For whom a message is, in Meta's words: a number, or the name that a customer who hides it has at this business. One who last
 * came by another connector is found by the number that is known of them. Throws `EnvioRecusado` when none is.
 */
export async function destinoDe(endereco: string, telefoneDe: SessionHost['telefoneDe']): Promise<object> {
  if (!NUMERO.test(endereco) && !endereco.includes('@')) return { recipient_type: 'individual', recipient: endereco }
  const [, numero] = DE_OUTRO_CONECTOR.exec(endereco) ?? []
  const to = NUMERO.test(endereco) ? endereco : (numero ?? (await telefoneDe(endereco)))
  if (to === '') throw new EnvioRecusado(SEM_NUMERO)
  return { recipient_type: 'individual', to }
}
