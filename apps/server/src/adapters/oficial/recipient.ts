import { SendRefused } from '@balcao/connector/errors'
import type { SessionHost } from '@balcao/connector/port'

const PHONE_NUMBER = /^\+?\d+$/
/** Address formats of the connectors that pair with a phone. */
const OTHER_CONNECTOR_ADDRESS = /^(\d+)(?::\d+)?@(?:s\.whatsapp\.net|c\.us)$/
const NO_NUMBER_TEXT =
  'Não sabemos o número deste cliente, e a API oficial só chega a quem tem número conhecido. Espere que ele escreva.'

/**
 * Builds Meta's recipient: a phone number, or the id of a customer who hides it. An address of another connector is
 * resolved to its known number. Throws `EnvioRecusado` without a number.
 */
export async function resolveRecipient(address: string, telefoneDe: SessionHost['phoneOf']): Promise<object> {
  if (!PHONE_NUMBER.test(address) && !address.includes('@')) return { recipient_type: 'individual', recipient: address }
  const [, numero] = OTHER_CONNECTOR_ADDRESS.exec(address) ?? []
  const to = PHONE_NUMBER.test(address) ? address : (numero ?? (await telefoneDe(address)))
  if (to === '') throw new SendRefused(NO_NUMBER_TEXT)
  return { recipient_type: 'individual', to }
}
