/**
 * Ids of our messages on WhatsApp: `3EB0` and 18 hexadecimal digits, as WhatsApp Web creates them. The digits are
 * the UUIDv7's 48 bits of time and last 24 random bits. A retry therefore has the same id, and a receipt leads back
 * to the message without a lookup table.
 */

const PREFIXO = '3EB0'
const TEMPO = 12
const CAUDA = 6

export function idDe(idExterno: string): string {
  const hex = idExterno.replaceAll('-', '').toUpperCase()
  return PREFIXO + hex.slice(0, TEMPO) + hex.slice(-CAUDA)
}

/** Range of UUIDs that contains the message with this id; null if the id is not ours. */
export function faixaDe(id: string): { readonly de: string; readonly ate: string } | null {
  if (!/^3EB0[0-9A-F]{18}$/.test(id)) return null
  const tempo = id.slice(PREFIXO.length, PREFIXO.length + TEMPO).toLowerCase()
  const inicio = `${tempo.slice(0, 8)}-${tempo.slice(8)}`
  return { de: `${inicio}-0000-0000-000000000000`, ate: `${inicio}-ffff-ffff-ffffffffffff` }
}
