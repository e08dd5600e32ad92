export function downloadText(name: string, type: string, text: string): void {
  downloadBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

export function downloadBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Revoked after the click handler: the browser has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(address))
}

export type CsvCell = string | number | null

/**
 * Characters that start a formula in a spreadsheet. In other locales commas separate cells, so a formula may also
 * start after a comma.
 */
const FORMULA = /(^|,\s*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g

/**
 * Builds a CSV for Brazilian spreadsheets: UTF-8 with BOM, `;` as separator, decimal comma, CRLF. Every cell is
 * quoted. An apostrophe keeps texts from being read as formulas.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((line) => `${line.map((celula) => `"${writeCell(celula)}"`).join(';')}\r\n`).join('')}`
}

function writeCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell).replace('.', ',') : ''
  return cell.replace(FORMULA, "$1'").replaceAll('"', '""')
}
