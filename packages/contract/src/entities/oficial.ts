import * as z from 'zod/mini'

/** The account's number at Meta: WhatsApp Business Cloud API (decisions §4, connector `oficial`). */

const idDaMeta = z
  .string()
  .check(z.trim(), z.regex(/^\d{0,30}$/, 'Use só os números da identificação que a Meta mostra'))
const chave = z.string().check(z.trim(), z.maxLength(1_024))

export const oficialEntradaSchema = z.object({
  /** 'Identificação do número de telefone' in Meta's page. Empty: not known yet. */
  telefoneId: idDaMeta,
  /** 'Identificação da conta do WhatsApp Business'. */
  contaWhatsappId: idDaMeta,
  /** Comes and goes masked; what comes back masked is kept, an empty one is erased. */
  token: chave,
  /** The app's secret: signs what the webhook brings. As `token`. */
  segredo: chave,
})
export type OficialEntrada = z.infer<typeof oficialEntradaSchema>

export const oficialSchema = z.extend(oficialEntradaSchema, {
  /** What to copy into Meta's page; absent until something was saved. */
  webhook: z.optional(z.object({ url: z.string(), verificacao: z.string() })),
})
export type Oficial = z.infer<typeof oficialSchema>

/** A message that Meta has approved: the only kind that may open a conversation again after 24 hours. */
export const modeloOficialSchema = z.object({
  nome: z.string(),
  idioma: z.string(),
  categoria: z.enum(['utilidade', 'marketing', 'autenticacao', 'outra']),
  /** With its gaps as Meta writes them: `{{1}}`, `{{nome}}`. */
  texto: z.string(),
  /** The gaps, each once, in the order in which they appear. */
  lacunas: z.array(z.string()),
})
export type ModeloOficial = z.infer<typeof modeloOficialSchema>
