export type Celula = string | number | null

/**
 * Characters that start a formula in a spreadsheet. In other locales commas separate cells, so a formula may also
 * start after a comma.
 */
const FORMULA = /(^|,\s*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g

/**
 * Builds a CSV for Brazilian spreadsheets: UTF-8 with BOM, `;` as separator, decimal comma, CRLF. Every cell is
 * quoted. An apostrophe keeps texts from being read as formulas.
 */
export function toCsv(linhas: readonly (readonly Celula[])[]): string {
  return `\uFEFF${linhas.map((linha) => `${linha.map((celula) => `"${escrever(celula)}"`).join(';')}\r\n`).join('')}`
}

function escrever(celula: Celula): string {
  if (celula === null) return ''
  if (typeof celula === 'number') return Number.isFinite(celula) ? String(celula).replace('.', ',') : ''
  return celula.replace(FORMULA, "$1'").replaceAll('"', '""')
}
