import type { ProdutoLoja } from '#context.ts'
import { palavras } from '#rules/texto.ts'
import { emReais } from '#rules/loja.ts'

export interface ProdutoIa {
  readonly nome: string
  readonly preco: string
  readonly descricao: string
  /** Payment link. Absent when the shop gave none. */
  readonly link?: string
}

const ACHADOS_MAXIMO = 8
const DESCRICAO_MAXIMO = 600

/** Converts a produto for the model: price as text in reais, description of at most 600 characters. */
export function toProdutoIa({ nome, preco, descricao, linkCheckout = '' }: ProdutoLoja): ProdutoIa {
  const comum = { nome, preco: emReais(preco), descricao: descricao.slice(0, DESCRICAO_MAXIMO) }
  return linkCheckout === '' ? comum : { ...comum, link: linkCheckout }
}

/**
 * Returns at most 8 produtos whose name or description contains words of the search, best match first. An empty
 * search returns the first 8.
 */
export function procurarProdutos(produtos: readonly ProdutoLoja[], busca: string): ProdutoIa[] {
  const procuradas = palavras(busca).filter((palavra) => palavra.length > 2 || /\d/.test(palavra))
  if (procuradas.length === 0) return produtos.slice(0, ACHADOS_MAXIMO).map(toProdutoIa)
  return produtos
    .map((produto) => ({ produto, pontos: pontuar(produto, procuradas) }))
    .filter(({ pontos }) => pontos > 0)
    .toSorted((a, b) => b.pontos - a.pontos)
    .slice(0, ACHADOS_MAXIMO)
    .map(({ produto }) => toProdutoIa(produto))
}

/** A match in the name counts 2, in the description 1. A final `s` is ignored: 'camisas' finds 'camisa'. */
function pontuar({ nome, descricao }: ProdutoLoja, procuradas: readonly string[]): number {
  const [doNome, daDescricao] = [palavras(nome), palavras(descricao)]
  const tem = (lista: readonly string[], raiz: string): boolean => lista.some((palavra) => palavra.startsWith(raiz))
  return procuradas.reduce((total, palavra) => {
    const raiz = palavra.length > 3 && palavra.endsWith('s') ? palavra.slice(0, -1) : palavra
    return total + (tem(doNome, raiz) ? 2 : tem(daDescricao, raiz) ? 1 : 0)
  }, 0)
}
