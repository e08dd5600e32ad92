/** Longer than any name or search. `normalize` needs quadratic time for a long run of marks. */
const FOLDED_MAX = 1_000

/** The generated columns `chave` and `busca` of contatos fold the same way. */
export function foldName(text: string): string {
  return text
    .slice(0, FOLDED_MAX)
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

const PHONE_SIGNS = /^[\d\s().+/-]+$/
const isPhone = (text: string): boolean => PHONE_SIGNS.test(text) && /\d/.test(text)

/**
 * A phone in any notation is one part of digits: `busca` has country code, area code and number, with and without the
 * ninth digit.
 */
export function searchTerms(search: string): readonly string[] {
  const folded = foldName(search.trim())
  if (isPhone(folded)) return phoneTerms(folded)
  return folded
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => (isPhone(word) ? phoneTerms(word) : [word]))
}

/** A zero before the area code is a habit of fixed lines. */
function phoneTerms(written: string): readonly string[] {
  const digits = written.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
  return digits === '' ? [] : [digits]
}

export function likePattern(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
