import { escapeFormulas } from '@balcao/contract/text/spreadsheet'

/** Builds a line of a CSV file for Brazilian spreadsheets: `;` as separator, every cell quoted, no formulas, CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${escapeFormulas(cell).replaceAll('"', '""')}"`).join(';')}\r\n`
}
