/** Returns the default for empty or non-numeric text, and null for a number that is not an integer from 1 to the maximum. */
export function parseInteger(typed: string, fallback: number, max: number): number | null {
  const text = typed.trim().replace(',', '.')
  const number = text === '' ? Number.NaN : Number(text)
  if (Number.isNaN(number)) return fallback
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null
}
