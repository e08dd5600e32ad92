/** A cell of a sheet: text as it is, a number, or nothing. */
export type Celula = string | number | null

/**
 * What a spreadsheet takes for a formula, or for the way into one, when a cell begins with it. Where a comma parts cells, as in
 * other countries, one may begin inside a text of ours.
 */
const FORMULA = /(^|,\s*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g

/**
 * A sheet that Brazilian spreadsheets open with a double click: UTF-8 with a byte order mark, `;` between cells, decimals with a
 * comma, CRLF between rows. Every cell is quoted, so that no text ends its own. Text from people never becomes a formula: an
 * apostrophe before it keeps it text.
 */
export function toCsv(linhas: readonly (readonly Celula[])[]): string {
  return `\uFEFF${linhas.map((linha) => `${linha.map((celula) => `"${escrever(celula)}"`).join(';')}\r\n`).join('')}`
}

function escrever(celula: Celula): string {
  if (celula === null) return ''
  if (typeof celula === 'number') return Number.isFinite(celula) ? String(celula).replace('.', ',') : ''
  return celula.replace(FORMULA, "$1'").replaceAll('"', '""')
}
