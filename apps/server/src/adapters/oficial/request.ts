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

export function orderText({ text = '', product_items: items }: z.output<typeof metaOrderSchema>): string {
  const lines = items.map(({ product_retailer_id: code, quantity, item_price: preco, currency: moeda }) => {
    const value = preco === undefined || moeda !== 'BRL' ? '' : ` · ${BRL_FORMAT.format(preco)}`
    return `${quantity} × ${code}${value}`
  })
  return ['Pedido pelo catálogo do WhatsApp', ...lines, text].filter((line) => line !== '').join('\n')
}

const BRL_FORMAT = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
