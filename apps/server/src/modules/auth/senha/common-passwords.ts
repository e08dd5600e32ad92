import { foldAccents } from '@balcao/contract/text/fold-accents'

/**
 * Passwords that guessers try first: leaked ones by frequency, and words and names of Brazilian Portuguese. Each list is
 * loaded at the first new password that needs it, because most servers never do.
 */

const COMMONEST = 1_000
/** Shorter words are no passwords under the strict rule. */
const WORD_LENGTH = 5

/** Frequent in Brazil and absent from the leaked lists, which are mostly in English. */
const BRAZILIAN = [
  'mudar123',
  'senha123',
  'senha1234',
  'senha12345',
  'brasil123',
  'familia123',
  'jesus123',
  'trocar123',
]

async function listLeaked(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return [...BRAZILIAN, ...dictionary['passwords-common'].map(String)]
}

let commonest: Promise<ReadonlySet<string>> | undefined
let all: Promise<ReadonlySet<string>> | undefined

export function loadCommonest(): Promise<ReadonlySet<string>> {
  commonest ??= listLeaked().then((leaked) => new Set(leaked.slice(0, COMMONEST + BRAZILIAN.length)))
  return commonest
}

/** All leaked passwords, words and names, without accents and in lower case. */
export function loadGuessable(): Promise<ReadonlySet<string>> {
  all ??= readAll()
  return all
}

async function readAll(): Promise<ReadonlySet<string>> {
  const [leaked, { dictionary }] = await Promise.all([listLeaked(), import('@zxcvbn-ts/language-pt-br')])
  const words = [
    ...dictionary['commonWords-pt-br'],
    ...dictionary['wikipedia-pt-br'],
    ...dictionary['firstnames-pt-br'],
    ...dictionary['lastnames-pt-br'],
  ]
  return new Set([...leaked, ...words.filter((word) => word.length >= WORD_LENGTH).map(foldAccents)])
}
