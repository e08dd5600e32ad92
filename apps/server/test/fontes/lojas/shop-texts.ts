/** One short text of a shop and questions that it answers, as customers write them. */
export interface ShopText {
  readonly titulo: string
  readonly texto: string
  readonly perguntas: readonly string[]
}

export interface ShopTexts {
  readonly loja: string
  readonly textos: readonly ShopText[]
}
