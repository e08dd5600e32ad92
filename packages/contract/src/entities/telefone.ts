/** Spellings of phone numbers. Panel and server reduce each number to the same digits. */

/** Expression of the area codes that exist (Anatel). */
export const DDD = '(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])'
/** Accepts area codes that do not exist: a contato may have been typed wrongly, and its number stays. */
const AREA_CODE = '[1-9][1-9]'
const MOBILE_WITHOUT_NINTH = new RegExp(`^55(${AREA_CODE})([6-9]\\d{7})$`)
const NATIONAL = new RegExp(`^(${AREA_CODE})(9\\d{8}|[2-9]\\d{7})$`)

/**
 * Returns one spelling per phone: a Brazilian mobile number always gets its ninth digit. `digits` must include the
 * country code.
 */
export function canonicalPhone(digits: string): string {
  return digits.replace(MOBILE_WITHOUT_NINTH, '55$19$2')
}

/**
 * Reduces typed text such as `(11) 98765-4321` or `+1 202 555 0123` to digits. Without a country code it adds
 * Brazil's.
 */
export function phoneDigits(typed: string): string {
  const digits = typed.replace(/\D/g, '').replace(/^0+/, '')
  return typed.trim().startsWith('+') ? digits : digits.replace(NATIONAL, '55$1$2')
}

/** Suffix that WhatsApp adds to a number: `5511987654321@c.us`, `5511987654321:12@s.whatsapp.net`. */
const SERVICE_SUFFIX = /(:\d+)?@(c\.us|s\.whatsapp\.net)$/
const WRITTEN_PHONE = /^\+?[\d\s().-]+$/

/** Returns the number in its stored spelling, or null when it is no phone number (10 to 15 digits, E.164). */
export function parsePhone(whatsappId: string): string | null {
  const written = whatsappId.trim().replace(SERVICE_SUFFIX, '')
  if (!WRITTEN_PHONE.test(written)) return null
  const telefone = canonicalPhone(phoneDigits(written))
  return /^[1-9]\d{9,14}$/.test(telefone) ? telefone : null
}
