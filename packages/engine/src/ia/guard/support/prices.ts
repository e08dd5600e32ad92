import type { Grupo } from '@balcao/contract/entities/produto'
import type { ProdutoLoja } from '#context.ts'
import { additionOf, centavosOf } from '#pedidos/totals.ts'
import { nameWords } from './mentions.ts'

/** Prices that a produto can have with the options that a text names. */

const VALUES_MAX = 400
const NAMED_MAX = 5

/** In cents: the plain price and the prices with each choice among the named options. */
export function unitPrices({ preco, grupos = [], nome }: ProdutoLoja, words: ReadonlySet<string>): ReadonlySet<number> {
  let values = new Set([centavosOf(preco)])
  const own = new Set(nameWords(nome))
  for (const grupo of grupos) {
    const additions = additionsOf(grupo, namedOptions(grupo, words, own))
    const next = new Set<number>()
    for (const value of values) for (const addition of additions) if (next.size < VALUES_MAX) next.add(value + addition)
    values = next
  }
  return values
}

/** The price of an option alone: 'bacon por mais R$ 5,00'. */
export function optionPrices({ grupos = [], nome }: ProdutoLoja, words: ReadonlySet<string>): readonly number[] {
  const own = new Set(nameWords(nome))
  return grupos.flatMap((grupo) => namedOptions(grupo, words, own).map(({ acrescimoCentavos }) => acrescimoCentavos))
}

function namedOptions({ opcoes }: Grupo, words: ReadonlySet<string>, own: ReadonlySet<string>): Grupo['opcoes'] {
  const named = opcoes.flatMap((opcao) => {
    const parts = nameWords(opcao.nome).filter((word) => !own.has(word))
    const found = parts.filter((word) => words.has(word))
    const isOnlyMeasure = parts.length > 1 && found.length < parts.length && found.every((word) => /^\d/.test(word))
    return found.length === 0 || isOnlyMeasure ? [] : [{ opcao, whole: found.length === parts.length }]
  })
  const whole = named.filter((one) => one.whole)
  return (whole.length > 0 ? whole : named).map(({ opcao }) => opcao).slice(0, NAMED_MAX)
}

function additionsOf({ preco, minimo, opcoes }: Grupo, named: Grupo['opcoes']): ReadonlySet<number> {
  const sums = new Set([0])
  for (let choice = 1; choice < 2 ** named.length; choice += 1)
    sums.add(
      additionOf(
        preco,
        named.filter((_, at) => Math.floor(choice / 2 ** at) % 2 === 1),
      ),
    )
  if (minimo > 0)
    sums.add(Math.min(...opcoes.filter(({ ativa }) => ativa).map(({ acrescimoCentavos }) => acrescimoCentavos)))
  return sums
}
