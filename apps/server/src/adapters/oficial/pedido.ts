import * as z from 'zod/mini'

export const metaOrderSchema = z.object({
  text: z.optional(z.string()),
  product_items: z.array(
    z.object({
      product_retailer_id: z.string(),
      quantity: z.coerce.number(),
      item_price: z.optional(z.coerce.number()),
      currency: z.optional(z.string()),
    }),
  ),
})

export function orderText({ text = '', product_items: itens }: z.output<typeof metaOrderSchema>): string {
  const linhas = itens.map(({ product_retailer_id: codigo, quantity, item_price: preco, currency: moeda }) => {
    const valor = preco === undefined || moeda !== 'BRL' ? '' : ` · ${BRL_FORMAT.format(preco)}`
    return `${quantity} × ${codigo}${valor}`
  })
  return ['Pedido pelo catálogo do WhatsApp', ...linhas, text].filter((linha) => linha !== '').join('\n')
}

const BRL_FORMAT = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
