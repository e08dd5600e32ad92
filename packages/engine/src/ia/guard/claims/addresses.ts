import type { Claim, ClaimKind } from '../types.ts'

/** Links, e-mail addresses, telephones and other long numbers. */

const EMAIL = /(?<![a-z0-9._%+-])[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+/g
const TOP_LEVEL =
  'com|br|net|org|app|me|io|shop|store|site|link|info|online|xyz|ly|gg|ru|cn|co|dev|page|biz|club|live|top|gl|to|gle|pix|ai'
const LINK = new RegExp(
  `(?<![a-z0-9@._-])(?:(?:https?|ftp)://[^\\s<>"')\\]]+|(?:[a-z0-9-]{1,63}\\.){1,5}(?:${TOP_LEVEL})(?![a-z0-9-])(?:[/?#][^\\s<>"')\\]]*)?|@[a-z0-9_.]{3,40})`,
  'g',
)
const NUMBER = new RegExp(
  [
    '\\d{2}\\.\\d{3}\\.\\d{3}/\\d{4}-\\d{2}',
    '\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}',
    '\\d{5}-\\d{3}',
    '0[389]00[ -]?\\d{3}[ -]?\\d{4}',
    '(?:\\+? ?55 ?)?\\(?0?\\d{2}\\)?[ -]?9?[ .]?\\d{4}[ .-]?\\d{4}',
    '9?[ .]?\\d{4}[ .-]\\d{4}',
    '\\d{8,}',
  ]
    .map((form) => `(?<![\\d.,/:])${form}(?![\\d/:]|[.,]\\d)`)
    .join('|'),
  'g',
)
/** Two years are no telephone. */
const YEARS = /^(?:19|20)\d\d[ .-](?:19|20)\d\d$/

export function findAddresses(folded: string): readonly Claim[] {
  const emails = find(folded, EMAIL, 'email', (text) => `e:${text}`)
  const links = find(folded, LINK, 'link', (text) => `l:${linkKey(text)}`).filter((link) => isApart(link, emails))
  const taken = [...emails, ...links]
  const numbers = find(folded, NUMBER, 'numero', (text) => `n:${longNumberKey(text)}`)
  const others = numbers.filter(
    (number) => !YEARS.test(folded.slice(number.start, number.end)) && isApart(number, taken),
  )
  return [...taken, ...others].toSorted((a, b) => a.start - b.start)
}

function find(folded: string, pattern: RegExp, kind: ClaimKind, keyOf: (text: string) => string): Claim[] {
  return [...folded.matchAll(pattern)].map(({ 0: raw, index }) => {
    const text = raw.replace(/[.,;:!?]+$/, '')
    return { kind, start: index, end: index + text.length, keys: [keyOf(text)], value: NaN }
  })
}

/** Answers have few of them, so each is compared with each. */
const isApart = (claim: Claim, others: readonly Claim[]): boolean =>
  others.every(({ start, end }) => claim.end <= start || claim.start >= end)

export const linkKey = (text: string): string =>
  text
    .replace(/^(?:https?|ftp):\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')

/** Without the code of Brazil and the zero before an area code. */
export function longNumberKey(text: string): string {
  const digits = text.replace(/\D/g, '')
  if (/^0[389]00/.test(digits)) return digits
  return digits.replace(/^55(?=\d{10,11}$)/, '').replace(/^0(?=\d{10,11}$)/, '')
}
