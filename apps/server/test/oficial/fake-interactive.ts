import * as z from 'zod/mini'

/** Meta's rules for buttons, lists and orders. It refuses others with 131009. */

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))
const id = (max: number) => text(max).check(z.regex(/^\S(.*\S)?$/s))
const body = z.strictObject({ text: text(1_024) })

function areUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length
}

const buttonsSchema = z.strictObject({
  type: z.literal('button'),
  body,
  action: z.strictObject({
    buttons: z
      .array(z.strictObject({ type: z.literal('reply'), reply: z.strictObject({ id: id(256), title: text(20) }) }))
      .check(
        z.minLength(1),
        z.maxLength(3),
        z.refine((buttons) => areUnique(buttons.map(({ reply }) => reply.title))),
        z.refine((buttons) => areUnique(buttons.map(({ reply }) => reply.id))),
      ),
  }),
})

const rowSchema = z.strictObject({ id: id(200), title: text(24), description: z.optional(text(72)) })
const listSchema = z.strictObject({
  type: z.literal('list'),
  body,
  action: z.strictObject({
    button: text(20),
    sections: z.tuple([
      z.strictObject({
        rows: z.array(rowSchema).check(
          z.minLength(1),
          z.maxLength(10),
          z.refine((rows) => areUnique(rows.map((row) => row.id))),
        ),
      }),
    ]),
  }),
})

const amountSchema = z.strictObject({ value: z.int().check(z.gte(0)), offset: z.literal(100) })
const orderSchema = z
  .strictObject({
    reference_id: text(35).check(z.regex(/^[\w.-]+$/)),
    type: z.enum(['digital-goods', 'physical-goods']),
    payment_type: z.literal('br'),
    payment_settings: z.tuple([
      z.strictObject({
        type: z.literal('pix_dynamic_code'),
        pix_dynamic_code: z.strictObject({
          ...{ code: text(512), merchant_name: text(60), key: text(77) },
          key_type: z.enum(['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP']),
        }),
      }),
    ]),
    currency: z.literal('BRL'),
    total_amount: amountSchema,
    order: z.strictObject({
      status: z.literal('pending'),
      items: z
        .array(
          z.strictObject({
            ...{ retailer_id: text(100), name: text(60), amount: amountSchema },
            quantity: z.int().check(z.gte(1)),
          }),
        )
        .check(
          z.minLength(1),
          z.refine((items) => areUnique(items.map((item) => item.retailer_id))),
        ),
      ...{ subtotal: amountSchema, tax: amountSchema },
      ...{ shipping: z.optional(amountSchema), discount: z.optional(amountSchema) },
    }),
  })
  .check(
    z.refine(
      ({ order }) =>
        order.subtotal.value === order.items.reduce((sum, one) => sum + one.amount.value * one.quantity, 0),
    ),
    z.refine(({ total_amount: total, order: { subtotal, tax, shipping, discount } }) => {
      return total.value === subtotal.value + tax.value + (shipping?.value ?? 0) - (discount?.value ?? 0)
    }),
  )

const orderDetailsSchema = z.strictObject({
  type: z.literal('order_details'),
  body,
  action: z.strictObject({ name: z.literal('review_and_pay'), parameters: orderSchema }),
})

export const interactiveSchema = z.discriminatedUnion('type', [buttonsSchema, listSchema, orderDetailsSchema])
type Interactive = z.output<typeof interactiveSchema>

/** The buttons or rows, in order. */
export function choicesOf(interactive: Interactive): { readonly id: string; readonly title: string }[] {
  switch (interactive.type) {
    case 'button':
      return interactive.action.buttons.map(({ reply }) => reply)
    case 'list':
      return interactive.action.sections.flatMap(({ rows }) => rows)
    case 'order_details':
      return []
  }
}
