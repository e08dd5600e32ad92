import type { BodyOf } from '@balcao/contract/define-route'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import type { Carrinho } from '@balcao/contract/entities/pedido'
import type { Produto } from '@balcao/contract/entities/produto'
import type { criarPedidoRoute } from '@balcao/contract/routes/pedidos'
import {
  centavosOf,
  entregaCentavosOf,
  priceItem,
  type PricedItem,
  subtotalOf,
  type Sums,
  sumsOf,
} from '@balcao/engine/pedidos/totals'
import { useState } from 'react'
import { parsePrice } from '#shared/form/price.ts'
import { formatCents } from '#shared/pedidos/pedido-texts.ts'

/** An order that a person writes, before it is sent. */

type PedidoBody = BodyOf<typeof criarPedidoRoute>

export interface DraftItem {
  readonly produtoId: string
  readonly quantidade: number
  /** Ids of options. */
  readonly opcoes: readonly string[]
  readonly observacao: string
}

export interface PedidoDraft {
  readonly itens: readonly DraftItem[]
  readonly tipo: PedidoBody['entrega']['tipo']
  readonly endereco: string
  readonly bairro: string
  readonly cep: string
  readonly forma: PedidoBody['pagamento']['forma']
  /** As typed, in reais. */
  readonly troco: string
  readonly desconto: string
  readonly observacao: string
}

/** By conversa. A dialog that closes by mistake keeps what was written. */
const drafts = new Map<string, PedidoDraft>()
addEventListener('saiu', () => drafts.clear())

function emptyDraft({ entrega, pagamentos }: LojaConfig): PedidoDraft {
  return {
    ...{ itens: [], tipo: entrega.ativa ? 'entrega' : 'retirada', endereco: '', bairro: '', cep: '' },
    ...{ forma: pagamentos[0] ?? 'dinheiro', troco: '', desconto: '', observacao: '' },
  }
}

export function usePedidoDraft(conversaId: string, loja: LojaConfig) {
  const [draft, setDraft] = useState(() => drafts.get(conversaId) ?? emptyDraft(loja))
  return {
    draft,
    change: (fields: Partial<PedidoDraft>): void => {
      const fresh = { ...draft, ...fields }
      drafts.set(conversaId, fresh)
      setDraft(fresh)
    },
    forget: (): void => void drafts.delete(conversaId),
  }
}

export function itemsOfCarrinho({ itens }: Carrinho): readonly DraftItem[] {
  return itens.map(({ produtoId, quantidade, opcoes, observacao }) => ({ produtoId, quantidade, opcoes, observacao }))
}

/** Reads a field that may be empty. */
const centsOf = (typed: string): number => centavosOf(parsePrice(typed) ?? 0)

export interface PricedDraft {
  /** In the order of the draft. Null: the produto is not sold now. */
  readonly items: readonly (PricedItem | null)[]
  readonly sums: Sums
  /** Null: the shop does not deliver there. */
  readonly entregaCentavos: number | null
}

/** The sums as the server counts them. An item whose options do not fit costs nothing yet. */
export function priceDraft(draft: PedidoDraft, produtos: readonly Produto[], loja: LojaConfig): PricedDraft {
  const items = draft.itens.map((item) => {
    const produto = produtos.find(({ id }) => id === item.produtoId)
    return produto === undefined ? null : priceItem(produto, { ...item, opcoes: [...item.opcoes] })
  })
  const subtotal = subtotalOf(items.flatMap((priced) => (priced?.tipo === 'item' ? [priced.item] : [])))
  const cep = draft.cep.replace(/\D/g, '')
  const entregaCentavos = entregaCentavosOf(loja, { tipo: draft.tipo, bairro: draft.bairro, cep }, subtotal)
  return { items, entregaCentavos, sums: sumsOf(subtotal, entregaCentavos ?? 0, centsOf(draft.desconto)) }
}

export type DraftErrors = Readonly<
  Partial<Record<'itens' | 'endereco' | 'bairro' | 'cep' | 'troco' | `item${number}`, string>>
>

export function rangeText({ minimo, maximo }: { readonly minimo: number; readonly maximo: number }): string {
  if (minimo === maximo) return `escolha ${minimo}`
  return minimo === 0 ? `até ${maximo}` : `de ${minimo} a ${maximo}`
}

function itemError(priced: PricedItem | null): string | null {
  if (priced === null) return 'Este produto não está à venda agora.'
  if (priced.tipo === 'opcao') return 'Uma das opções não existe mais.'
  return priced.tipo === 'grupo' ? `${priced.grupo.nome}: ${rangeText(priced.grupo)}.` : null
}

function deliveryErrors({ tipo, endereco, bairro, cep }: PedidoDraft, entregaCentavos: number | null): DraftErrors {
  if (tipo === 'retirada') return {}
  const known = bairro.trim() !== '' || cep.trim() !== ''
  return {
    ...(endereco.trim() === '' ? { endereco: 'Escreva o endereço da entrega.' } : {}),
    ...(cep.trim() !== '' && cep.replace(/\D/g, '').length !== 8 ? { cep: 'O CEP tem oito números.' } : {}),
    ...(entregaCentavos === null
      ? { bairro: known ? 'A loja não entrega neste bairro ou CEP.' : 'Escreva o bairro ou o CEP.' }
      : {}),
  }
}

export function errorsOfDraft(draft: PedidoDraft, { items, sums, entregaCentavos }: PricedDraft): DraftErrors {
  const wrong = items.flatMap((priced, index) => {
    const error = itemError(priced)
    return error === null ? [] : [[`item${index}`, error] as const]
  })
  const short = draft.forma === 'dinheiro' && draft.troco !== '' && centsOf(draft.troco) < sums.totalCentavos
  return {
    ...(items.length === 0 ? { itens: 'Escolha pelo menos um produto.' } : {}),
    ...Object.fromEntries(wrong),
    ...deliveryErrors(draft, entregaCentavos),
    ...(short ? { troco: `O total é ${formatCents(sums.totalCentavos)}.` } : {}),
  }
}

/** The request of a draft without errors. */
export function bodyOfDraft(conversaId: string, draft: PedidoDraft): PedidoBody {
  const { itens, tipo, endereco, bairro, cep, forma, troco, desconto, observacao } = draft
  const paysChange = forma === 'dinheiro' && centsOf(troco) > 0
  return {
    conversaId,
    itens: itens.map(({ opcoes, ...item }) => ({ ...item, opcoes: [...opcoes] })),
    entrega: tipo === 'retirada' ? { tipo, endereco: '', bairro: '', cep: '' } : { tipo, endereco, bairro, cep },
    pagamento: { forma, ...(paysChange ? { trocoParaCentavos: centsOf(troco) } : {}) },
    descontoCentavos: centsOf(desconto),
    observacao,
  }
}
