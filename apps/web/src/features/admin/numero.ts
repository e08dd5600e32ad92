/** Returns the default for empty or non-numeric text, and null for a number that is not an integer from 1 to the maximum. */
export function lerInteiro(escrito: string, padrao: number, maximo: number): number | null {
  const texto = escrito.trim().replace(',', '.')
  const numero = texto === '' ? Number.NaN : Number(texto)
  if (Number.isNaN(numero)) return padrao
  return Number.isInteger(numero) && numero >= 1 && numero <= maximo ? numero : null
}
