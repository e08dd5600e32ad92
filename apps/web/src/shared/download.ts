import { escapeFormulas } from '@balcao/contract/text/spreadsheet'

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
 * Builds a CSV for Brazilian spreadsheets: UTF-8 with BOM, `;` as separator, decimal comma, CRLF. Every cell is
 * quoted. Texts contain no formulas.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${rows.map((line) => `${line.map((celula) => `"${writeCell(celula)}"`).join(';')}\r\n`).join('')}`
}

function writeCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell).replace('.', ',') : ''
  return escapeFormulas(cell).replaceAll('"', '""')
}
