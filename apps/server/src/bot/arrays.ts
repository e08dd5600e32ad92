/** PostgreSQL array literals. Built here because the driver's general escaping costs more than the query. */

/** Only for values without quotes, commas, braces or spaces: ids, numbers, dates, instants, constants. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((valor) => valor ?? 'NULL').join(',')}}`
}

const SPECIAL = /["\\]/
const SPECIALS = /["\\]/g

export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map(quotedText).join(',')}}`
}

function quotedText(valor: string | null): string {
  if (valor === null) return 'NULL'
  // PostgreSQL text cannot contain NUL.
  const limpo = valor.includes('\0') ? valor.replaceAll('\0', '') : valor
  return `"${SPECIAL.test(limpo) ? limpo.replace(SPECIALS, '\\$&') : limpo}"`
}
