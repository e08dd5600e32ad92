import * as z from 'zod/mini'
import { instantSchema, nomeSchema, requiredTextSchema } from './common.ts'
import { estadoMensagemSchema, midiaSchema } from './mensagem.ts'

/** The chat on the site of the shop: settings of its line, and the view of a visitor. */

export const ORIGENS_MAXIMO = 10

/** `http` only on the own machine, where a site is tried. Other characters could end a directive of a policy. */
const ORIGIN = /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/

/** As a browser sends it: without the default port and without a slash at the end. */
const origemSchema = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(300)),
  z.pipe(
    z.transform((text: string) => text.replace(/\/$/, '').replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2')),
    z.string().check(z.regex(ORIGIN, 'Escreva o endereço do site, como https://www.sualoja.com.br')),
  ),
)

export const webchatInputSchema = z.partial(
  z.object({
    origens: z
      .array(origemSchema)
      .check(z.maxLength(ORIGENS_MAXIMO, `O chat aceita no máximo ${ORIGENS_MAXIMO} sites`)),
    cor: z.string().check(z.trim(), z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, 'Escolha uma cor, como #1f7a4d')),
    saudacao: z.string().check(z.trim(), z.maxLength(300, 'A saudação deve ter no máximo 300 caracteres')),
    pedirNome: z.boolean(),
  }),
)
export type WebchatInput = z.infer<typeof webchatInputSchema>

export const webchatSchema = z.object({
  /** Public: part of the address of the chat. */
  chave: z.string(),
  origens: z.array(z.string()),
  cor: z.string(),
  saudacao: z.string(),
  pedirNome: z.boolean(),
  /** The line of HTML that the owner pastes into the site. */
  codigo: z.string(),
})
export type Webchat = z.infer<typeof webchatSchema>

export const WEBCHAT_PADRAO = {
  origens: [],
  cor: '#1f7a4d',
  saudacao: 'Olá! Como podemos ajudar?',
  pedirNome: false,
} satisfies Required<WebchatInput>

export const chatConfigSchema = z.object({
  nome: z.string(),
  cor: z.string(),
  saudacao: z.string(),
  aberto: z.boolean(),
  pedirNome: z.boolean(),
})
export type ChatConfig = z.infer<typeof chatConfigSchema>

/** All of it is claimed by the visitor, except an `id` with the right `assinatura`. */
export const visitanteInputSchema = z.object({
  nome: z.optional(nomeSchema),
  identidade: z.optional(
    z.object({
      /** Id of the customer in the shop's own system. */
      id: z.string().check(z.minLength(1), z.maxLength(300)),
      /** HMAC-SHA256 of `id` with the secret of the line, in hexadecimal. */
      assinatura: z.string().check(z.maxLength(300)),
      nome: z.optional(nomeSchema),
    }),
  ),
  /** Address of the page. Its query and fragment are not stored. */
  pagina: z.optional(z.string().check(z.maxLength(2_000))),
})
export type VisitanteInput = z.infer<typeof visitanteInputSchema>

export const visitanteSchema = z.object({ token: z.string(), expiraEm: instantSchema })
export type Visitante = z.infer<typeof visitanteSchema>

/** Idempotency key of a message. Visitors choose their own, so it is unique per visitor only. */
export const chatIdSchema = z.uuid('Informe um id no formato UUID')

export const chatInputSchema = z.object({ id: chatIdSchema, texto: requiredTextSchema })

export const chatMensagemSchema = z.object({
  /** Of a message of the visitor: the id that the visitor chose. */
  id: z.string(),
  de: z.enum(['visitante', 'loja']),
  autor: z.string(),
  texto: z.string(),
  em: instantSchema,
  midia: z.optional(midiaSchema),
  /** Own messages: `entregue`, and `lida` after a person of the shop answered. */
  estado: estadoMensagemSchema,
})
export type ChatMensagem = z.infer<typeof chatMensagemSchema>

/** Events of the stream `/eventos` and their data, as JSON. */
export const chatEstadoSchema = z.pick(chatMensagemSchema, { id: true, estado: true })
export type ChatEstado = z.infer<typeof chatEstadoSchema>
