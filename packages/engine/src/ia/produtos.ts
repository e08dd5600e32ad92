import type { ProdutoLoja } from '#context.ts'
import { palavras } from '#rules/texto.ts'
import { emReais } from '#rules/loja.ts'

/** A product as the model reads it. */
export interface ProdutoIa {
  readonly nome: string
  readonly preco: string
  readonly descricao: string
  /** Where the customer pays; absent when the shop gave none. */
  readonly link?: string
}

const ACHADOS_MAXIMO = 8
const DESCRICAO_MAXIMO = 600

/** What of a product the model is told: its price in reais as people write it, its description cut. */
export function toProdutoIa({ nome, preco, descricao, linkCheckout = '' }: ProdutoLoja): ProdutoIa {
  const comum = { nome, preco: emReais(preco), descricao: descricao.slice(0, DESCRICAO_MAXIMO) }
  return linkCheckout === '' ? comum : { ...comum, link: linkCheckout }
}

/** Products whose name or description has words of the search, those with most of them first; an empty search is the first ones. */
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

/** A word of the name is worth two. The plural's last letter does not matter: 'camisas' finds 'camisa'. */
function pontuar({ nome, descricao }: ProdutoLoja, procuradas: readonly string[]): number {
  const [doNome, daDescricao] = [palavras(nome), palavras(descricao)]
  const tem = (lista: readonly string[], raiz: string): boolean => lista.some((palavra) => palavra.startsWith(raiz))
  return procuradas.reduce((total, palavra) => {
    const raiz = palavra.length > 3 && palavra.endsWith('s') ? palavra.slice(0, -1) : palavra
    return total + (tem(doNome, raiz) ? 2 : tem(daDescricao, raiz) ? 1 : 0)
  }, 0)
}
