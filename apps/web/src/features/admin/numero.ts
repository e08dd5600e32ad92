/** What a number field means: empty or not a number is the default (spec §5). Null: a number, but not one that may be. */
export function lerInteiro(escrito: string, padrao: number, maximo: number): number | null {
  const texto = escrito.trim().replace(',', '.')
  const numero = texto === '' ? Number.NaN : Number(texto)
  if (Number.isNaN(numero)) return padrao
  return Number.isInteger(numero) && numero >= 1 && numero <= maximo ? numero : null
}
