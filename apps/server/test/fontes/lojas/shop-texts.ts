/** A short text of a shop, and questions of customers that it answers. */
export interface ShopText {
  readonly titulo: string
  readonly texto: string
  readonly perguntas: readonly string[]
}

export interface ShopTexts {
  readonly loja: string
  readonly textos: readonly ShopText[]
}
