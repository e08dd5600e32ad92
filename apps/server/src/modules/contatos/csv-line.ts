/** Characters that start a formula in a spreadsheet, at the beginning or after a comma. */
const FORMULA = /(^|,\s*)(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g
const ESCAPED = /(^|,\s*)'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g

/** One row of a CSV for Brazilian spreadsheets. An apostrophe keeps texts from being read as formulas. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll(FORMULA, "$1'").replaceAll('"', '""')}"`).join(';')}\r\n`
}

/** Takes off the apostrophes of `csvLine`, so that an exported file can be imported. */
export function withoutApostrophes(cell: string): string {
  return cell.replaceAll(ESCAPED, '$1')
}
