import { canonizarTelefone, digitosDoTelefone } from '#bot/endereco.ts'

/** What a service writes behind a phone number: `5511987654321@c.us`, `5511987654321:12@s.whatsapp.net`. */
const DO_SERVICO = /(:\d+)?@(c\.us|s\.whatsapp\.net)$/
const ESCRITO = /^\+?[\d\s().-]+$/

/** The number as contacts are kept, or null for what is no phone. Ten to fifteen digits with the country code (E.164). */
export function lerTelefone(whatsappId: string): string | null {
  const escrito = whatsappId.trim().replace(DO_SERVICO, '')
  if (!ESCRITO.test(escrito)) return null
  const telefone = canonizarTelefone(digitosDoTelefone(escrito))
  return /^[1-9]\d{9,14}$/.test(telefone) ? telefone : null
}
