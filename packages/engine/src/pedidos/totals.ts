import type { Cupom } from '@balcao/contract/entities/cupom'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import type { Entrega, ItemPedido, ItemPedidoInput } from '@balcao/contract/entities/pedido'
import type { Grupo, OpcaoGrupo } from '@balcao/contract/entities/produto'
import { foldText } from '#rules/text.ts'

/** Sums of an order, in cents. Chat, page, panel and reports use these functions and no others. */

export interface PricedProduto {
  readonly id: string
  readonly nome: string
  /** In reais. */
  readonly preco: number
  readonly grupos: readonly Grupo[]
}

export type PricedItem =
  | { readonly tipo: 'item'; readonly item: ItemPedido }
  /** The chosen options break the minimum or maximum of this group. */
  | { readonly tipo: 'grupo'; readonly grupo: Grupo; readonly escolhidas: number }
  /** An option that the produto does not have now, or the same one twice. */
  | { readonly tipo: 'opcao'; readonly opcaoId: string }

/** False for a produto without stock, or one that pauses at `now`. */
export function isOnSale(
  { estoque = null, pausadoAte }: { readonly estoque?: number | null; readonly pausadoAte?: string | undefined },
  now: number,
): boolean {
  return estoque !== 0 && (pausadoAte === undefined || Date.parse(pausadoAte) <= now)
}

export function centavosOf(reais: number): number {
  return Math.round(reais * 100)
}

/** Adds options and price to an item. Groups must be `grupos` of the produto, options active ones of them. */
export function priceItem(
  produto: PricedProduto,
  { quantidade, opcoes = [], observacao = '' }: ItemPedidoInput,
): PricedItem {
  const chosen = new Set(opcoes)
  const known = new Set(produto.grupos.flatMap((grupo) => activeOpcoes(grupo).map(({ id }) => id)))
  const wrong = opcoes.find((id, index) => !known.has(id) || opcoes.indexOf(id) !== index)
  if (wrong !== undefined) return { tipo: 'opcao', opcaoId: wrong }
  const parts = produto.grupos.map((grupo) => ({
    grupo,
    chosen: activeOpcoes(grupo).filter(({ id }) => chosen.has(id)),
  }))
  const broken = parts.find(({ grupo, chosen: { length } }) => length < grupo.minimo || length > grupo.maximo)
  if (broken !== undefined) return { tipo: 'grupo', grupo: broken.grupo, escolhidas: broken.chosen.length }
  const additions = parts.reduce((sum, part) => sum + additionOf(part.grupo.preco, part.chosen), 0)
  const item: ItemPedido = {
    ...{ produtoId: produto.id, nome: produto.nome, quantidade, observacao },
    precoCentavos: centavosOf(produto.preco) + additions,
    opcoes: parts.flatMap(({ grupo, chosen: some }) =>
      some.map(({ nome, acrescimoCentavos }) => ({ grupo: grupo.nome, nome, acrescimoCentavos })),
    ),
  }
  return { tipo: 'item', item }
}

export function activeOpcoes({ opcoes }: Grupo): OpcaoGrupo[] {
  return opcoes.filter(({ ativa }) => ativa)
}

/** A mean rounds half up. Without an option the group costs nothing. */
export function additionOf(preco: Grupo['preco'], chosen: readonly OpcaoGrupo[]): number {
  const additions = chosen.map(({ acrescimoCentavos }) => acrescimoCentavos)
  const sum = additions.reduce((total, one) => total + one, 0)
  switch (preco) {
    case 'soma':
      return sum
    case 'maior':
      return Math.max(0, ...additions)
    case 'media':
      return additions.length === 0 ? 0 : Math.floor(sum / additions.length + 0.5)
  }
}

export function subtotalOf(itens: readonly Pick<ItemPedido, 'quantidade' | 'precoCentavos'>[]): number {
  return itens.reduce((sum, { quantidade, precoCentavos }) => sum + quantidade * precoCentavos, 0)
}

/**
 * The fee of a delivery, or null where the shop does not deliver. The first fee that fits counts: a CEP in its range, or
 * its neighbourhood in any spelling. Pick-up costs nothing.
 */
export function entregaCentavosOf(
  { entrega: { ativa, taxas, gratisAcimaCentavos }, retirada }: Pick<LojaConfig, 'entrega' | 'retirada'>,
  { tipo, bairro, cep }: Pick<Entrega, 'tipo' | 'bairro' | 'cep'>,
  subtotalCentavos: number,
): number | null {
  if (tipo === 'retirada') return retirada ? 0 : null
  if (!ativa) return null
  const place = foldText(bairro)
  const taxa = taxas.find(
    ({ bairro: named = '', cepDe, cepAte }) =>
      (cep !== '' && cepDe !== undefined && cepAte !== undefined && cepDe <= cep && cep <= cepAte) ||
      (named !== '' && foldText(named) === place),
  )
  if (taxa === undefined) return null
  return gratisAcimaCentavos !== null && subtotalCentavos >= gratisAcimaCentavos ? 0 : taxa.centavos
}

type CupomRefusal = 'inativo' | 'vencido' | 'minimo' | 'esgotado'

/** Why a coupon does not count now, or null. `usados` are the uses so far, over all customers and of this one. */
export function cupomRefusal(
  { ativo, validoAte, minimoCentavos, usos, porCliente }: Cupom,
  {
    subtotalCentavos,
    now,
    usados,
    doCliente,
  }: {
    readonly subtotalCentavos: number
    readonly now: number
    readonly usados: number
    readonly doCliente: number
  },
): CupomRefusal | null {
  if (!ativo) return 'inativo'
  if (validoAte !== undefined && Date.parse(validoAte) < now) return 'vencido'
  if ((usos !== null && usados >= usos) || (porCliente !== null && doCliente >= porCliente)) return 'esgotado'
  return subtotalCentavos < minimoCentavos ? 'minimo' : null
}

/** Percentages are of the subtotal, rounded down. A discount is never greater than what is to be paid. */
export function descontoOf(
  { tipo, valor }: Pick<Cupom, 'tipo' | 'valor'>,
  { subtotalCentavos, entregaCentavos }: { readonly subtotalCentavos: number; readonly entregaCentavos: number },
): number {
  switch (tipo) {
    case 'percentual':
      return Math.floor((subtotalCentavos * Math.min(valor, 100)) / 100)
    case 'valor':
      return Math.min(valor, subtotalCentavos + entregaCentavos)
    case 'entrega':
      return entregaCentavos
  }
}

export interface Sums {
  readonly subtotalCentavos: number
  readonly entregaCentavos: number
  readonly descontoCentavos: number
  readonly totalCentavos: number
}

export function sumsOf(subtotalCentavos: number, entregaCentavos: number, wanted: number): Sums {
  const descontoCentavos = Math.min(wanted, subtotalCentavos + entregaCentavos)
  return {
    ...{ subtotalCentavos, entregaCentavos, descontoCentavos },
    totalCentavos: subtotalCentavos + entregaCentavos - descontoCentavos,
  }
}
