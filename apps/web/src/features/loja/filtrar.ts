import type { Produto } from '@balcao/contract/entities/produto'
import type { Catalog } from './produtos.ts'

export const PRODUTO_SITUATIONS = ['todos', 'ativos', 'inativos'] as const
export type ProdutoSituation = (typeof PRODUTO_SITUATIONS)[number]

export interface ProdutoFilter {
  readonly situacao: ProdutoSituation
  readonly busca: string
}

export const NO_PRODUTO_FILTER: ProdutoFilter = { situacao: 'todos', busca: '' }

const normalizeText = (texto: string): string => texto.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function isInSituation({ ativo }: Produto, situacao: ProdutoSituation): boolean {
  return situacao === 'todos' || ativo === (situacao === 'ativos')
}

/** Every word must occur in name or description, without accents and case. */
export function filterProdutos(catalog: Catalog, { situacao, busca }: ProdutoFilter): Catalog {
  const palavras = normalizeText(busca).split(/\s+/)
  return catalog.filter((produto) => {
    const texto = normalizeText(`${produto.nome} ${produto.descricao}`)
    return isInSituation(produto, situacao) && palavras.every((palavra) => texto.includes(palavra))
  })
}

export function countBySituation(catalog: Catalog, situacao: ProdutoSituation): number {
  return catalog.filter((produto) => isInSituation(produto, situacao)).length
}
