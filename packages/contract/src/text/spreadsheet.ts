/**
 * Characters that start a formula in a spreadsheet. In other locales commas separate cells, so a formula may also
 * start after a comma.
 */
const FORMULA_START = '[=+\\-@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20]'
const FORMULA = new RegExp(`(^|,\\s*)(?=${FORMULA_START})`, 'g')
const ESCAPED = new RegExp(`(^|,\\s*)'(?=${FORMULA_START})`, 'g')

/** Puts an apostrophe before each formula, so that a spreadsheet shows it as text. */
export function escapeFormulas(text: string): string {
  return text.replace(FORMULA, "$1'")
}

/** Removes the apostrophes of `escapeFormulas`. */
export function unescapeFormulas(text: string): string {
  return text.replace(ESCAPED, '$1')
}
