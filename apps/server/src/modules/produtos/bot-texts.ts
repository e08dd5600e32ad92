import type { Produto } from '@balcao/contract/entities/produto'
import type { ProdutoLoja } from '@balcao/engine/context'
import { PHRASES } from '@balcao/engine/phrases'
import { catalogueText, produtoText } from '@balcao/engine/rules/loja'

const toProdutoLoja = ({ imagemUrl, ...rest }: Produto): ProdutoLoja => ({
  ...rest,
  ...(imagemUrl === null ? {} : { imagemUrl }),
})

export function lojaMenu(active: readonly Produto[]): string {
  return active.length === 0 ? PHRASES.semProdutos : catalogueText(active, active.map(toProdutoLoja), 0)
}

export function produtoDetails(produto: Produto): string {
  return produtoText(toProdutoLoja(produto))
}
