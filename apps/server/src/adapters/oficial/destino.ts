import { EnvioRecusado, type SessionHost } from '#ports/messaging.ts'

const NUMERO = /^\+?\d+$/
/** Address formats of the connectors that pair with a phone. */
const DE_OUTRO_CONECTOR = /^(\d+)(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/
const SEM_NUMERO =
  'Não sabemos o número deste cliente, e a API oficial só chega a quem tem número conhecido. Espere que ele escreva.'

/**
 * Builds Meta's recipient: a phone number, or the id of a customer who hides it. An address of another connector is
 * resolved to its known number. Throws `EnvioRecusado` without a number.
 */
export async function destinoDe(endereco: string, telefoneDe: SessionHost['telefoneDe']): Promise<object> {
  if (!NUMERO.test(endereco) && !endereco.includes('@')) return { recipient_type: 'individual', recipient: endereco }
  const [, numero] = DE_OUTRO_CONECTOR.exec(endereco) ?? []
  const to = NUMERO.test(endereco) ? endereco : (numero ?? (await telefoneDe(endereco)))
  if (to === '') throw new EnvioRecusado(SEM_NUMERO)
  return { recipient_type: 'individual', to }
}
