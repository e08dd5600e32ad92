/** Separator of Google's exports. It appears in no ordinary name. */
const SAFE_SEPARATOR = ':::'

export function joinEtiquetas(names: readonly string[]): string {
  if (names.some((name) => /[,;|]/.test(name)))
    return names
      .map((name) => `${name} ${SAFE_SEPARATOR} `)
      .join('')
      .trimEnd()
  return names.join(', ')
}

/** Groups that Google creates itself begin with `*`. */
export function splitEtiquetas(cell: string): string[] {
  const separator = cell.includes(SAFE_SEPARATOR) ? SAFE_SEPARATOR : /[,;|]/
  return cell
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('*'))
}
