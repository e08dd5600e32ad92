import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { ProdutoLoja } from '#context.ts'

/** WhatsApp cuts the caption of a picture after 1024 characters. */
export const LEGENDA_MAXIMO = 1024

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Returns `R$ 1.234,56` with an ordinary space, because messaging apps break lines badly at a non-breaking one. */
export function emReais(valor: number): string {
  return reais.format(valor).replace(/\s/g, ' ')
}

/**
 * One page of the catalogue as the bot sends it, 8 produtos per page. `itens` is the list first shown, which keeps
 * the numbers stable; `ativos` are the produtos sold now. `pagina` counts from 0.
 */
export function textoDaLista(
  itens: readonly Pick<ProdutoLoja, 'id' | 'nome'>[],
  ativos: readonly ProdutoLoja[],
  pagina: number,
): string {
  const primeiro = pagina * LOJA_POR_PAGINA
  const linhas = itens.slice(primeiro, primeiro + LOJA_POR_PAGINA).map(({ id, nome }, indice) => {
    const atual = ativos.find((produto) => produto.id === id)
    const cauda = atual === undefined ? '_(indisponível)_' : emReais(atual.preco)
    return `*${primeiro + indice + 1}* - ${atual?.nome ?? nome} · ${cauda}`
  })
  const mais = itens.length > LOJA_POR_PAGINA ? ' · *mais* para ver outros' : ''
  return `${linhas.join('\n')}\n\nResponda com o número do produto${mais} · *0* para voltar ao menu`
}

/** Name, description, price and link of a produto as the bot sends them, without the picture. */
export function textoDoProduto({ nome, descricao, preco, linkCheckout = '' }: ProdutoLoja): string {
  const link = linkCheckout === '' ? '' : `🛒 Comprar: ${linkCheckout}`
  const partes = [
    `*${nome}*`,
    descricao,
    `💰 ${emReais(preco)}`,
    link,
    '*0* para voltar ao menu · *mais* para ver outros',
  ]
  return partes.filter((parte) => parte.trim() !== '').join('\n\n')
}
