/**
 * Ids of our messages on WhatsApp: `3EB0` and 18 hexadecimal digits, as WhatsApp Web creates them. The digits are
 * the UUIDv7's 48 bits of time and last 24 random bits. A retry therefore has the same id, and a receipt leads back
 * to the message without a lookup table.
 */

const PREFIX = '3EB0'
const TIME_DIGITS = 12
const TAIL_DIGITS = 6

export function messageIdOf(idExterno: string): string {
  const hex = idExterno.replaceAll('-', '').toUpperCase()
  return PREFIX + hex.slice(0, TIME_DIGITS) + hex.slice(-TAIL_DIGITS)
}

/** Range of UUIDs that contains the message with this id; null if the id is not ours. */
export function externalIdRange(id: string): { readonly de: string; readonly ate: string } | null {
  if (!/^3EB0[0-9A-F]{18}$/.test(id)) return null
  const time = id.slice(PREFIX.length, PREFIX.length + TIME_DIGITS).toLowerCase()
  const start = `${time.slice(0, 8)}-${time.slice(8)}`
  return { de: `${start}-0000-0000-000000000000`, ate: `${start}-ffff-ffff-ffffffffffff` }
}
