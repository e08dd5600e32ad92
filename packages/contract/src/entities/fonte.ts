import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Something that the shop gave its assistant to read. Its text is data for the model, never an instruction. */
export const fonteSchema = z.object({
  id: z.string(),
  tipo: z.enum(['texto', 'arquivo', 'site']),
  titulo: z.string(),
  url: z.optional(z.string()),
  estado: z.enum(['lendo', 'pronta', 'falhou']),
  /** Why it could not be read, in Portuguese. */
  motivo: z.optional(z.string()),
  trechos: z.int(),
  bytes: z.int(),
  lidaEm: z.nullable(instantSchema),
  /** After it the source is not used. */
  expiraEm: z.optional(instantSchema),
})
export type Fonte = z.infer<typeof fonteSchema>

/** A piece of a source that a search found. */
export const trechoSchema = z.object({
  fonteId: z.string(),
  /** Of the source. */
  titulo: z.string(),
  /** From 1, of a PDF. */
  pagina: z.optional(z.int()),
  trecho: z.string(),
  pontuacao: z.number(),
})
export type Trecho = z.infer<typeof trechoSchema>

/** A piece of a source as the assistant reads it. */
export const trechoLidoSchema = z.object({
  /** From 1. */
  ordem: z.int(),
  /** From 1, of a PDF. */
  pagina: z.optional(z.int()),
  /** The heading or the page of a site from which the piece was taken. Empty: none. */
  secao: z.string(),
  trecho: z.string(),
})
export type TrechoLido = z.infer<typeof trechoLidoSchema>

export const FONTES_MAXIMO = 100
/** Pieces of all sources of an account. */
export const TRECHOS_MAXIMO = 10_000
export const FONTE_MAXIMO_BYTES = 10_485_760
export const PAGINAS_SITE_MAXIMO = 200
/** Pieces that a search returns at most. */
export const TRECHOS_BUSCA = 8
const TEXTO_FONTE_MAXIMO = 100_000

const expiraEmSchema = z.optional(z.iso.datetime('Informe a data em que a fonte vence'))

const tituloSchema = z
  .string('Digite um título')
  .check(z.trim(), z.minLength(1, 'Digite um título'), z.maxLength(120, 'O título deve ter no máximo 120 caracteres'))

const textoInputSchema = z.object({
  tipo: z.literal('texto'),
  titulo: tituloSchema,
  texto: z
    .string('Digite o texto')
    .check(
      z.trim(),
      z.minLength(1, 'Digite o texto'),
      z.maxLength(TEXTO_FONTE_MAXIMO, 'O texto deve ter no máximo 100.000 caracteres'),
    ),
  expiraEm: expiraEmSchema,
})

const siteUrlSchema = z
  .string('Digite o endereço do site')
  .check(
    z.trim(),
    z.maxLength(2_000, 'O endereço é longo demais'),
    z.url({ protocol: /^https?$/, error: 'Digite o endereço do site, como https://loja.com.br' }),
  )

const siteInputSchema = z.object({
  tipo: z.literal('site'),
  url: siteUrlSchema,
  paginas: z._default(
    z
      .int('Informe quantas páginas ler')
      .check(z.gte(1, 'Leia pelo menos uma página'), z.lte(PAGINAS_SITE_MAXIMO, 'Leia no máximo 200 páginas')),
    PAGINAS_SITE_MAXIMO,
  ),
  titulo: z.optional(tituloSchema),
  expiraEm: expiraEmSchema,
})

/** A source that is not a file. */
export const fonteInputSchema = z.discriminatedUnion('tipo', [textoInputSchema, siteInputSchema], {
  error: 'Informe se a fonte é um texto ou um site',
})

/** Text fields beside the field `arquivo` of a form. Without a title the name of the file is used. */
export const arquivoFonteInputSchema = z.object({ titulo: z.optional(tituloSchema), expiraEm: expiraEmSchema })
