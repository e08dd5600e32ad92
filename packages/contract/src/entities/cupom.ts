import * as z from 'zod/mini'
import { instantSchema } from './common.ts'
import { centavosSchema } from './produto.ts'

/** Coupons of the shop. */

const uses = z.nullable(z.int().check(z.gte(1), z.lte(1_000_000)))

const cupomFields = {
  /** Stored in capitals. */
  codigo: z
    .string()
    .check(
      z.trim(),
      z.toUpperCase(),
      z.regex(/^[A-Z0-9]{3,20}$/, 'O código tem de 3 a 20 letras sem acento ou números'),
    ),
  tipo: z.enum(['percentual', 'valor', 'entrega']),
  /** Percent of the subtotal, or cents. Ignored for `entrega`. */
  valor: centavosSchema,
  /** Of the sum before the discount. */
  minimoCentavos: centavosSchema,
  validoAte: z.optional(instantSchema),
  /** How often it counts, over all customers and for each. Null: without limit. */
  usos: uses,
  porCliente: uses,
  ativo: z.boolean(),
}

const percentFits = z.refine<{ tipo?: string | undefined; valor?: number | undefined }>(
  ({ tipo, valor = 0 }) => tipo !== 'percentual' || valor <= 100,
  { error: 'O desconto vai até 100 %', path: ['valor'] },
)

export const cupomSchema = z.object({ id: z.string(), ...cupomFields })
export type Cupom = z.infer<typeof cupomSchema>

/** A row of the list. `usados`: orders that count it, without cancelled ones. */
export const cupomListadoSchema = z.extend(cupomSchema, { usados: z.int() })
export type CupomListado = z.infer<typeof cupomListadoSchema>

export const cupomInputSchema = z
  .object({
    ...cupomFields,
    minimoCentavos: z._default(cupomFields.minimoCentavos, 0),
    usos: z._default(uses, null),
    porCliente: z._default(uses, null),
    ativo: z._default(z.boolean(), true),
  })
  .check(percentFits)
export type CupomInput = z.infer<typeof cupomInputSchema>

/** Any subset of the fields. `validoAte` null: the coupon has no last day. */
export const cupomPatchSchema = z.partial(
  z.object({ ...cupomFields, validoAte: z.optional(z.nullable(instantSchema)) }),
)
