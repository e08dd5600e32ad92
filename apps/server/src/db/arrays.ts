/** PostgreSQL array literals. Built here because the driver's general escaping costs more than the query. */

/** Only for values without quotes, commas, braces or spaces: ids, numbers, dates, instants, constants. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}

const SPECIAL = /["\\]/
const SPECIALS = /["\\]/g

export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map(quotedText).join(',')}}`
}

function quotedText(value: string | null): string {
  if (value === null) return 'NULL'
  // PostgreSQL text cannot contain NUL.
  const clean = value.includes('\0') ? value.replaceAll('\0', '') : value
  return `"${SPECIAL.test(clean) ? clean.replace(SPECIALS, '\\$&') : clean}"`
}
