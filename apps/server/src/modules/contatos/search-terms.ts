/**
 * Folds a name or a search: accents are removed and ASCII letters are lower case. The generated columns `chave` and
 * `busca` of contatos fold the same way.
 */
export function foldName(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const PHONE = /^[\d\s().+/-]*\d[\d\s().+/-]*$/

/**
 * Returns the parts that `busca` must contain, all of them. A phone in any notation is one part of digits: `busca` has
 * country code, area code and number, with and without the ninth digit.
 */
export function searchTerms(search: string): readonly string[] {
  const folded = foldName(search.trim())
  if (PHONE.test(folded)) return phoneTerms(folded)
  return folded
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => (PHONE.test(word) ? phoneTerms(word) : [word]))
}

/** A zero before the area code is a habit of fixed lines. */
function phoneTerms(written: string): readonly string[] {
  const digits = written.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
  return digits === '' ? [] : [digits]
}

export function likePattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
