import type { MidiaLida } from '@balcao/contract/presets/provedores-ia'
import type { Config } from '@balcao/contract/entities/config'
import type { Cupom } from '@balcao/contract/entities/cupom'
import type { Grupo } from '@balcao/contract/entities/produto'

/** A produto as the bot shows it. Inactive ones are left out; the order is that of the catalogue. */
export interface ProdutoLoja {
  readonly id: string
  readonly nome: string
  readonly descricao: string
  /** In reais. */
  readonly preco: number
  readonly linkCheckout?: string
  readonly imagemUrl?: string
  /** Units left. Absent or null: not counted. */
  readonly estoque?: number | null
  /** Until then it cannot be ordered. */
  readonly pausadoAte?: string | undefined
  /** Other names by which customers ask for it. */
  readonly sinonimos?: readonly string[]
  readonly grupos?: readonly Grupo[]
}

/**
 * Input of the engine besides state and event. One object serves all customers of an account until a setting
 * changes.
 */
export interface BotContext {
  readonly config: Config
  readonly empresa: string
  readonly produtos: readonly ProdutoLoja[]
  /** Absent: none. */
  readonly cupons?: readonly Cupom[]
  readonly iaAvailable: boolean
  /** Files of customers that the AI reads. Absent: none. */
  readonly iaReadsMidia?: readonly MidiaLida[]
  /** Name of the line on which the customer writes. */
  readonly linha?: string
  /** Receives handovers that name no setor, or Geral. Absent: Geral. */
  readonly setor?: string
  /** Privacy notice sent with the first greeting, with its link filled in. Absent: no notice. */
  readonly avisoPrivacidade?: string
}
