/** PostgreSQL array literals. Built here because the driver's general escaping costs more than the query. */

/** Only for values without quotes, commas, braces or spaces: ids, numbers, dates, instants, constants. */
export function simples(valores: readonly (string | number | boolean | null)[]): string {
  return `{${valores.map((valor) => valor ?? 'NULL').join(',')}}`
}

const ESPECIAL = /["\\]/
const ESPECIAIS = /["\\]/g

export function textos(valores: readonly (string | null)[]): string {
  return `{${valores.map(texto).join(',')}}`
}

function texto(valor: string | null): string {
  if (valor === null) return 'NULL'
  // PostgreSQL text cannot contain NUL.
  const limpo = valor.includes('\0') ? valor.replaceAll('\0', '') : valor
  return `"${ESPECIAL.test(limpo) ? limpo.replace(ESPECIAIS, '\\$&') : limpo}"`
}
