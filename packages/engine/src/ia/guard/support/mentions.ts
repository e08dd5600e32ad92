import type { ProdutoLoja } from '#context.ts'
import { topicOf } from '../claims/text.ts'

/** Which produtos, options and quantities a part of an answer names. */

interface NameForm {
  readonly produto: number
  readonly words: number
}

/** An option of a produto that costs extra, or names a part of it. */
export interface CatalogueOption {
  readonly produto: number
  readonly nome: string
  readonly words: readonly string[]
  readonly acrescimoCentavos: number
}

export interface Catalogue {
  readonly produtos: readonly ProdutoLoja[]
  readonly forms: readonly NameForm[]
  /** Forms of a name by a word of them. */
  readonly byWord: ReadonlyMap<string, readonly number[]>
  readonly options: readonly CatalogueOption[]
  /** Words of each produto: name and other names. */
  readonly names: readonly ReadonlySet<string>[]
}

export interface ProdutoMention {
  /** Best matches. A short name fits several. */
  readonly produtos: readonly number[]
  readonly quantidade: number
}

const catalogues = new WeakMap<object, Catalogue>()

export function catalogueOf(produtos: readonly ProdutoLoja[]): Catalogue {
  const ready = catalogues.get(produtos)
  if (ready !== undefined) return ready
  const fresh = readCatalogue(produtos)
  catalogues.set(produtos, fresh)
  return fresh
}

function readCatalogue(produtos: readonly ProdutoLoja[]): Catalogue {
  const forms: NameForm[] = []
  const byWord = new Map<string, number[]>()
  const names = produtos.map(({ nome, sinonimos = [] }, produto) => {
    const all = [nome, ...sinonimos].map(nameWords)
    for (const words of all) {
      for (const word of new Set(words)) {
        const list = byWord.get(word) ?? []
        byWord.set(word, list)
        list.push(forms.length)
      }
      forms.push({ produto, words: new Set(words).size })
    }
    return new Set(all.flat())
  })
  const options = produtos.flatMap(({ grupos = [] }, produto) =>
    grupos.flatMap(({ opcoes }) =>
      opcoes.map(({ nome, acrescimoCentavos }) => ({ produto, nome, acrescimoCentavos, words: nameWords(nome) })),
    ),
  )
  return { produtos, forms, byWord, names, options }
}

/** The measures of a name count too: 'Coca-Cola 2 litros'. */
export const nameWords = (text: string): readonly string[] => [
  ...topicOf(text),
  ...(text.match(/\d+(?:[.,]\d+)?/g) ?? []).map((digits) => digits.replace(',', '.')),
]

/** Returns the produtos of which the words name most, or none. One word of many must not be a mere measure. */
export function namedProdutos({ forms, byWord }: Catalogue, words: readonly string[]): readonly number[] {
  const counts = new Map<number, number>()
  let named = false
  for (const word of new Set(words)) {
    const isMeasure = /^\d/.test(word)
    for (const form of byWord.get(word) ?? []) {
      counts.set(form, (counts.get(form) ?? 0) + (isMeasure ? 0.5 : 1))
      if (!isMeasure) named = true
    }
  }
  if (!named) return []
  const scored = [...counts].map(([form, count]) => ({ form, score: count + count / (forms[form]?.words ?? 1) }))
  const best = Math.max(...scored.map(({ score }) => score))
  return [...new Set(scored.filter(({ score }) => score === best).flatMap(({ form }) => forms[form]?.produto ?? []))]
}

/** A comma or point between digits is part of a number: '1,5 litro'. */
const CHUNK_END = /[;()+\n]|(?<!\d),|[,.](?!\d)|(?<![a-z])(?:e|mais)(?![a-z])/
const WORD = /[a-z]+(?:-[a-z]+)?|\d+(?:[.,]\d+)?/g
const MEASURE = /^(?:litros?|l|ml|kg|quilos?|g|gramas|cm|pedacos|fatias|meses|dias|unidades)$/

/** Returns the mentions of a folded text in their order. */
export function mentionsIn(
  catalogue: Catalogue,
  folded: string,
  quantityOf: (word: string) => number | null,
): readonly ProdutoMention[] {
  return folded.split(CHUNK_END).flatMap((chunk): ProdutoMention[] => {
    const words = nameWords(chunk)
    const produtos = namedProdutos(catalogue, words)
    if (produtos.length === 0 || namesOption(catalogue, words, produtos)) return []
    return [
      {
        produtos,
        quantidade: quantityBefore(
          chunk,
          new Set(produtos.flatMap((at) => [...(catalogue.names[at] ?? [])])),
          quantityOf,
        ),
      },
    ]
  })
}

/** 'com cebola caramelizada' and 'bacon' are options, although produtos have them in longer names. */
export function namesOption(
  { options, names, forms }: Catalogue,
  words: readonly string[],
  produtos: readonly number[],
): boolean {
  const matched = words.filter((word) => produtos.some((at) => names[at]?.has(word) === true))
  const isWhole = forms.some((form) => produtos.includes(form.produto) && form.words <= new Set(matched).size)
  return options.some(
    ({ words: own }) =>
      (own.length > 1 || !isWhole) &&
      own.every((word) => words.includes(word)) &&
      matched.every((word) => own.includes(word)),
  )
}

/** The last number before the name. */
function quantityBefore(
  chunk: string,
  names: ReadonlySet<string>,
  quantityOf: (word: string) => number | null,
): number {
  let quantity = 1
  const words = chunk.match(WORD) ?? []
  for (const [at, word] of words.entries()) {
    if (nameWords(word).some((name) => names.has(name)) && !/^\d/.test(word)) return quantity
    const count = quantityOf(word)
    if (word === 'duzia') quantity = words[at - 1] === 'meia' ? 6 : quantity * 12
    else if (count !== null && Number.isInteger(count) && count > 0 && !MEASURE.test(words[at + 1] ?? ''))
      quantity = count
  }
  return quantity
}
