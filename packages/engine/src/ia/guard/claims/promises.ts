import type { Claim } from '../types.ts'

/** Words that promise something: 'grátis', 'garantia', 'desconto'. */

const WORDS: readonly (readonly [key: string, pattern: string])[] = [
  [
    'p:gratis',
    'gratis|gratuit[a-z]*|de graca|sem (?:qualquer |nenhum |nenhuma )?(?:custo|taxa|frete|cobranca|pagar)[a-z]*(?: adiciona(?:l|is))?|free|isent[a-z]*|isencao|cortesia|brindes?|(?:frete|taxa|custo) zero|por nossa conta|por conta da (?:casa|loja)|nao (?:cobramos|cobra|paga|pagam|ha taxa|ha custo|tem taxa|tem custo)',
  ],
  ['p:garantia', 'garant[a-z]*'],
  [
    'p:desconto',
    'descont[a-z]*|promoc[a-z]*|promos?|ofertas?|cupom|cupons|liquidac[a-z]*|cashback|black friday|pela metade do preco|metade do preco|leve \\S+ pague',
  ],
]
const PATTERNS = WORDS.map(([key, pattern]) => ({ key, pattern: new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`, 'g') }))

/** The end of a clause. A negation before it does not reach behind it. */
const CLAUSE =
  /[.!?;:\n,()]|(?<![a-z])(?:mas|porem|entretanto|e (?=(?:tem|temos|a|o|as|os|voce|damos|oferecemos|fazemos|ganha|ainda|leva)\b))/g
const NEGATION =
  /(?<![a-z])(?:nao|nem|nenhum|nenhuma|nunca|tampouco|sem|se (?:ha|tem|existe|houver|temos|tiver)|sobre|quanto a|informac[a-z]+ (?:de|do|da|sobre)|verificar|consultar|confirmar|conferir|algum|alguma)(?![a-z])/
/** 'sem garantia' is a negation, 'sem frete' a promise. */
const OWN_NEGATION = /^(?:sem|nao) /
/** 'Não perca', 'não se preocupe' and 'não só' deny nothing. */
const NO_NEGATION =
  /(?<![a-z])nao (?:perca|se preocupe|precisa se|so|apenas|somente|esqueca|deixe|fique|e so)(?![a-z])|(?<![a-z])sem (?:duvida|falta|problemas?|compromisso)(?![a-z])/g

export function findPromises(folded: string): readonly Claim[] {
  const clauses = clauseStarts(folded)
  let clause = 0
  const found: Claim[] = []
  for (const { start, end, key } of promiseWords(folded)) {
    while ((clauses[clause + 1] ?? Infinity) <= start) clause += 1
    const before = folded.slice(Math.max(clauses[clause] ?? 0, start - 120), start)
    if (isDenied(before, folded.slice(start, end))) continue
    found.push({ kind: 'palavra', start, end, keys: [key], value: NaN })
  }
  return found
}

function promiseWords(folded: string): { start: number; end: number; key: string }[] {
  return PATTERNS.flatMap(({ key, pattern }) =>
    [...folded.matchAll(pattern)].map(({ 0: text, index }) => ({ start: index, end: index + text.length, key })),
  ).toSorted((a, b) => a.start - b.start)
}

function clauseStarts(folded: string): readonly number[] {
  return [0, ...[...folded.matchAll(CLAUSE)].map(({ 0: text, index }) => index + text.length)]
}

/** True for 'não temos', false for 'não perca' and 'sem falta'. */
export const isNegated = (folded: string): boolean =>
  /(?<![a-z])(?:nao|nem|sem)(?![a-z])/.test(folded.replace(NO_NEGATION, ' '))

function isDenied(before: string, word: string): boolean {
  if (OWN_NEGATION.test(word)) return /(?<![a-z])(?:nao|nem) \S*(?: \S+)?\s*$/.test(before) && word.startsWith('sem')
  return NEGATION.test(before.replace(NO_NEGATION, ' '))
}
