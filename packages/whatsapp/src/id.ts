/**
 * Ids of our messages on WhatsApp, in the shape that WhatsApp Web gives its own: `3EB0` and 18 hexadecimal digits. They are
 * made of the message's UUIDv7, its 48 bits of time and its last 24 random bits, so a repeated attempt carries the same id,
 * and a receipt leads back to the message without a table in between.
 */

const PREFIXO = '3EB0'
const TEMPO = 12
const CAUDA = 6

export function idDe(idExterno: string): string {
  const hex = idExterno.replaceAll('-', '').toUpperCase()
  return PREFIXO + hex.slice(0, TEMPO) + hex.slice(-CAUDA)
}

/** The UUIDs among which the message of this id is, or null when the id is not one of ours. */
export function faixaDe(id: string): { readonly de: string; readonly ate: string } | null {
  if (!/^3EB0[0-9A-F]{18}$/.test(id)) return null
  const tempo = id.slice(PREFIXO.length, PREFIXO.length + TEMPO).toLowerCase()
  const inicio = `${tempo.slice(0, 8)}-${tempo.slice(8)}`
  return { de: `${inicio}-0000-0000-000000000000`, ate: `${inicio}-ffff-ffff-ffffffffffff` }
}
