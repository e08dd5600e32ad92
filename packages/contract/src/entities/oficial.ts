import * as z from 'zod/mini'

const metaIdSchema = z
  .string()
  .check(z.trim(), z.regex(/^\d{0,30}$/, 'Use só os números da identificação que a Meta mostra'))
const secretSchema = z.string().check(z.trim(), z.maxLength(1_024))

export const oficialInputSchema = z.object({
  /** 'Identificação do número de telefone' on Meta's page. Empty: not filled in yet. */
  telefoneId: metaIdSchema,
  /** 'Identificação da conta do WhatsApp Business'. */
  contaWhatsappId: metaIdSchema,
  /** Masked in answers. A masked value in a request keeps the stored token; an empty one deletes it. */
  token: secretSchema,
  /** App secret that signs the webhook requests. Masked like `token`. */
  segredo: secretSchema,
})
export type OficialInput = z.infer<typeof oficialInputSchema>

export const oficialSchema = z.extend(oficialInputSchema, {
  webhook: z.optional(z.object({ url: z.string(), verificacao: z.string() })),
})
export type Oficial = z.infer<typeof oficialSchema>

/** A message template approved by Meta. After 24 hours without a customer's message, only a template may be sent. */
export const modeloOficialSchema = z.object({
  nome: z.string(),
  idioma: z.string(),
  categoria: z.enum(['utilidade', 'marketing', 'autenticacao', 'outra']),
  /** With the placeholders as Meta writes them: `{{1}}`, `{{nome}}`. */
  texto: z.string(),
  /** Placeholders without repetition, in order of appearance. */
  lacunas: z.array(z.string()),
})
export type ModeloOficial = z.infer<typeof modeloOficialSchema>
