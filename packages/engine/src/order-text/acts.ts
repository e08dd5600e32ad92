import type { Grupo } from '@balcao/contract/entities/produto'

/** A produto as the catalogue shows it. `numero` counts from 1; −1 without a number. */
export interface OrderProduto {
  readonly id: string
  readonly nome: string
  readonly sinonimos: readonly string[]
  readonly numero: number
  readonly grupos: readonly Grupo[]
}

/**
 * One act that a customer writes.
 *
 * - `adicionar`: `opcoes` may hold more or fewer options of a group than it allows. The caller checks `minimo` and
 *   `maximo`.
 * - `tirar` and `trocar` name all produtos that fit. The one in the cart is meant.
 * - `trocar` sets the quantity. An empty `produtoIds` means the last item of the cart.
 * - `mostrar` and `listar` answer questions. `mostrar` may hold a number that no produto has.
 * - `duvida`: one of `candidatos` may be meant. A single candidate is a produto with words that its name lacks.
 */
export type OrderAct =
  | {
      readonly tipo: 'adicionar'
      readonly produtoId: string
      readonly quantidade: number
      readonly opcoes: readonly string[]
      readonly observacao?: string
    }
  | { readonly tipo: 'tirar'; readonly item: number }
  | { readonly tipo: 'tirar'; readonly produtoIds: readonly string[]; readonly quantidade?: number }
  | { readonly tipo: 'trocar'; readonly produtoIds: readonly string[]; readonly quantidade: number }
  | { readonly tipo: 'mostrar'; readonly numero: number }
  | { readonly tipo: 'listar'; readonly produtoIds: readonly string[] }
  | { readonly tipo: 'cupom'; readonly codigo: string }
  | {
      readonly tipo: 'duvida'
      readonly trecho: string
      readonly candidatos: readonly string[]
      readonly quantidade: number
      readonly opcoes: readonly string[]
      readonly observacao?: string
    }
  | { readonly tipo: 'naoAchei'; readonly trecho: string; readonly motivo: 'produto' | 'quantidade' }
  | { readonly tipo: SimpleOrderAct }

/** Acts without a field. */
export type SimpleOrderAct = 'limpar' | 'verCarrinho' | 'finalizar' | 'confirmar' | 'mais' | 'sair'
