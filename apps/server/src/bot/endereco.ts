/** Brazilian area codes run from 11 to 99 without zeros. */
const DDD = '[1-9][1-9]'
const CELULAR_SEM_NONO = new RegExp(`^55(${DDD})([6-9]\\d{7})$`)
const NACIONAL = new RegExp(`^(${DDD})(9\\d{8}|[2-9]\\d{7})$`)

/**
 * Returns one spelling per phone: a Brazilian mobile number always gets its ninth digit. `digitos` must include the
 * country code.
 */
export function canonizarTelefone(digitos: string): string {
  return digitos.replace(CELULAR_SEM_NONO, '55$19$2')
}

/**
 * Reduces typed text such as `(11) 98765-4321` or `+1 202 555 0123` to digits. Without a country code it adds
 * Brazil's.
 */
export function digitosDoTelefone(digitado: string): string {
  const digitos = digitado.replace(/\D/g, '').replace(/^0+/, '')
  return digitado.trim().startsWith('+') ? digitos : digitos.replace(NACIONAL, '55$1$2')
}

/** Key of a contato: the phone number if it is known, otherwise the service's own address. */
export function enderecoCanonico(telefone: string, endereco: string): string {
  return telefone === '' ? endereco : `tel:${canonizarTelefone(telefone)}`
}

/** Suffix that WhatsApp adds to a number: `5511987654321@c.us`, `5511987654321:12@s.whatsapp.net`. */
const DO_SERVICO = /(:\d+)?@(c\.us|s\.whatsapp\.net)$/
const ESCRITO = /^\+?[\d\s().-]+$/

/** Returns the number in its stored spelling, or null when it is no phone number (10 to 15 digits, E.164). */
export function lerTelefone(whatsappId: string): string | null {
  const escrito = whatsappId.trim().replace(DO_SERVICO, '')
  if (!ESCRITO.test(escrito)) return null
  const telefone = canonizarTelefone(digitosDoTelefone(escrito))
  return /^[1-9]\d{9,14}$/.test(telefone) ? telefone : null
}
