/** PostgreSQL array literals, built here because the driver's general escaping costs more than the query. */

/** Values without quotes, commas, braces or spaces: ids, numbers, dates, instants, fixed words. */
export function simples(valores: readonly (string | number | boolean | null)[]): string {
  return `{${valores.map((valor) => valor ?? 'NULL').join(',')}}`
}

const ESPECIAL = /["\\]/
const ESPECIAIS = /["\\]/g

/** Any text or JSON. */
export function textos(valores: readonly (string | null)[]): string {
  return `{${valores.map(texto).join(',')}}`
}

function texto(valor: string | null): string {
  if (valor === null) return 'NULL'
  // PostgreSQL keeps no NUL in a text.
  const limpo = valor.includes('\0') ? valor.replaceAll('\0', '') : valor
  return `"${ESPECIAL.test(limpo) ? limpo.replace(ESPECIAIS, '\\$&') : limpo}"`
}
