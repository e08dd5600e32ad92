import type { Produto } from '@balcao/contract/entities/produto'
import type { ProdutoLoja } from '@balcao/engine/context'
import { FRASES } from '@balcao/engine/frases'
import { textoDaLista, textoDoProduto } from '@balcao/engine/rules/loja'

const naLoja = ({ imagemUrl, ...resto }: Produto): ProdutoLoja => ({
  ...resto,
  ...(imagemUrl === null ? {} : { imagemUrl }),
})

export function menuDaLoja(ativos: readonly Produto[]): string {
  return ativos.length === 0 ? FRASES.semProdutos : textoDaLista(ativos, ativos.map(naLoja), 0)
}

export function detalhesDoProduto(produto: Produto): string {
  return textoDoProduto(naLoja(produto))
}
