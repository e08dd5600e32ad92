import type { Config } from '@balcao/contract/entities/config'

/** A product as the bot shows it; only active ones are given, in the order of the catalogue. */
export interface ProdutoLoja {
  readonly id: string
  readonly nome: string
  readonly descricao: string
  /** In reais. */
  readonly preco: number
  readonly linkCheckout?: string
  readonly imagemUrl?: string
}

/** What the engine reads besides the event. The same object serves every customer of an account until something changes. */
export interface BotContext {
  readonly config: Config
  /** The business's name, `{empresa}` in texts. */
  readonly empresa: string
  readonly produtos: readonly ProdutoLoja[]
  /** The AI is switched on, allowed and has a key. */
  readonly iaDisponivel: boolean
  /** The AI can be given audio and images. */
  readonly iaLeMidia?: boolean
  /** What a customer is told about their data with the first greeting, its link filled in; absent says nothing. */
  readonly avisoPrivacidade?: string
}
