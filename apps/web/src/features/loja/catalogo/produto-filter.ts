import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { Produto } from '@balcao/contract/entities/produto'
import type { Catalog } from '#shared/data/produtos.ts'

export const PRODUTO_SITUATIONS = ['todos', 'ativos', 'inativos'] as const
export type ProdutoSituation = (typeof PRODUTO_SITUATIONS)[number]

export interface ProdutoFilter {
  readonly situacao: ProdutoSituation
  readonly busca: string
}

export const NO_PRODUTO_FILTER: ProdutoFilter = { situacao: 'todos', busca: '' }

function isInSituation({ ativo }: Produto, situation: ProdutoSituation): boolean {
  return situation === 'todos' || ativo === (situation === 'ativos')
}

/** Every word must occur in name or description, without accents and case. */
export function filterProdutos(catalog: Catalog, { situacao, busca }: ProdutoFilter): Catalog {
  const words = foldAccents(busca).split(/\s+/)
  return catalog.filter((produto) => {
    const text = foldAccents(`${produto.nome} ${produto.descricao}`)
    return isInSituation(produto, situacao) && words.every((word) => text.includes(word))
  })
}

export function countBySituation(catalog: Catalog, situation: ProdutoSituation): number {
  return catalog.filter((produto) => isInSituation(produto, situation)).length
}
