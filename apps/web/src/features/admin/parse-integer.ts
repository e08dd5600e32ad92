/** Returns the default for empty or non-numeric text, and null for a number that is not an integer from 1 to the maximum. */
export function parseInteger(typed: string, fallback: number, max: number): number | null {
  const text = typed.trim().replace(',', '.')
  const numero = text === '' ? Number.NaN : Number(text)
  if (Number.isNaN(numero)) return fallback
  return Number.isInteger(numero) && numero >= 1 && numero <= max ? numero : null
}
