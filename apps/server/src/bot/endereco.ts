/** Brazil's area codes run from 11 to 99; none ends in zero. */
const DDD = '[1-9][1-9]'
const CELULAR_SEM_NONO = new RegExp(`^55(${DDD})([6-9]\\d{7})$`)
const NACIONAL = new RegExp(`^(${DDD})(9\\d{8}|[2-9]\\d{7})$`)

/**
 * One spelling per phone: digits with the country code, a Brazilian mobile always with its ninth digit.
 * `digitos` comes from a service, which always gives the country code.
 */
export function canonizarTelefone(digitos: string): string {
  return digitos.replace(CELULAR_SEM_NONO, '55$19$2')
}

/** What a person typed (`(11) 98765-4321`, `+1 202 555 0123`) as digits with a country code; without one, Brazil's. */
export function digitosDoTelefone(digitado: string): string {
  const digitos = digitado.replace(/\D/g, '').replace(/^0+/, '')
  return digitado.trim().startsWith('+') ? digitos : digitos.replace(NACIONAL, '55$1$2')
}

/** The key under which a contact is found: by phone when it is known, else by the service's own address. */
export function enderecoCanonico(telefone: string, endereco: string): string {
  return telefone === '' ? endereco : `tel:${canonizarTelefone(telefone)}`
}

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
