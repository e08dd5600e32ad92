import type { ProdutoLoja } from '#context.ts'
import { wordsOf } from '#rules/text.ts'
import { formatReais } from '#rules/loja.ts'
import { visibleText } from './visible-text.ts'

export interface ProdutoIa {
  readonly nome: string
  readonly preco: string
  readonly descricao: string
  readonly link?: string
}

const FOUND_MAX = 8
const DESCRIPTION_MAX = 600

/** Converts a produto for the model: price as text in reais, description of at most 600 characters. */
export function toProdutoIa({ nome, preco, descricao, linkCheckout = '' }: ProdutoLoja): ProdutoIa {
  const texts = { nome: visibleText(nome), descricao: visibleText(descricao.slice(0, DESCRIPTION_MAX)) }
  const common = { ...texts, preco: formatReais(preco) }
  return linkCheckout === '' ? common : { ...common, link: linkCheckout }
}

/**
 * Returns at most 8 produtos whose name or description contains words of the search, best match first. An empty
 * search returns the first 8.
 */
export function searchProdutos(produtos: readonly ProdutoLoja[], query: string): ProdutoIa[] {
  const procuradas = wordsOf(query).filter((word) => word.length > 2 || /\d/.test(word))
  if (procuradas.length === 0) return produtos.slice(0, FOUND_MAX).map(toProdutoIa)
  return produtos
    .map((produto) => ({ produto, pontos: scoreProduto(produto, procuradas) }))
    .filter(({ pontos }) => pontos > 0)
    .toSorted((a, b) => b.pontos - a.pontos)
    .slice(0, FOUND_MAX)
    .map(({ produto }) => toProdutoIa(produto))
}

/** A match in the name counts 2, in the description 1. A final `s` is ignored: 'camisas' finds 'camisa'. */
function scoreProduto({ nome, descricao }: ProdutoLoja, procuradas: readonly string[]): number {
  const [doNome, daDescricao] = [wordsOf(nome), wordsOf(descricao)]
  const tem = (lista: readonly string[], root: string): boolean => lista.some((word) => word.startsWith(root))
  return procuradas.reduce((total, word) => {
    const root = word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
    return total + (tem(doNome, root) ? 2 : tem(daDescricao, root) ? 1 : 0)
  }, 0)
}
