import * as z from 'zod/mini'

/** Costs of the official API. Balcão estimates them from the statuses that Meta sends. */

/** A month as `AAAA-MM`. */
export const mesSchema = z.string().check(z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'Use o mês no formato AAAA-MM'))

/** Senders of charged messages. `modelo`: a template. `outros`: reactions, and programs besides Balcão. */
export const ORIGENS_DE_CUSTO = ['bot', 'ia', 'operador', 'agendada', 'modelo', 'outros'] as const
export const origemDeCustoSchema = z.enum(ORIGENS_DE_CUSTO)
export type OrigemDeCusto = z.infer<typeof origemDeCustoSchema>

const custoSchema = z.object({ mensagens: z.int(), valorCentavos: z.int() })

export const custosOficiaisSchema = z.object({
  /** `anuncio`: free, because the conversa began at an advertisement. */
  mensagens: z.object({ cobradas: z.int(), gratuitas: z.int(), anuncio: z.int() }),
  valorCentavos: z.int(),
  moeda: z.string(),
  estimativa: z.literal(true),
  /** Equals `valorCentavos` outside the current month. */
  previsaoCentavos: z.int(),
  /** Local days with messages, oldest first. */
  porDia: z.array(z.extend(custoSchema, { dia: z.string() })),
  /** Most messages first. */
  porOrigem: z.array(z.extend(custoSchema, { origem: origemDeCustoSchema })),
})
export type CustosOficiais = z.infer<typeof custosOficiaisSchema>

export const precoOficialSchema = z.object({
  /** Of the currency, for one message. Null: the installation has no price for Brazil today. */
  milionesimos: z.nullable(z.int()),
  moeda: z.string(),
})
export type PrecoOficial = z.infer<typeof precoOficialSchema>

/** Most expensive message: 10,000 units of the currency. */
const MILIONESIMOS_MAX = 10_000_000_000
const TARIFAS_MAX = 1_000

/** Country of a tariff for all countries that have none. */
export const PAIS_OUTROS = '*'

export const tarifaSchema = z.object({
  /** First local day of this price. It holds until the next one of the same category and country. */
  vigenteDesde: z.iso.date('Use a data no formato AAAA-MM-DD'),
  /** Meta's word: `marketing`, `utility`, `authentication`, `service` and so on. */
  categoria: z.string().check(z.regex(/^[a-z][a-z_]{0,39}$/, 'Use a palavra da Meta, como service ou marketing')),
  /** ISO 3166 code, or `*` for all other countries. */
  pais: z.string().check(z.regex(/^([A-Z]{2}|\*)$/, 'Use as duas letras do país, como BR, ou *')),
  /** Price of one message in millionths of the currency. */
  milionesimos: z.int('Use um número inteiro').check(z.gte(0), z.lte(MILIONESIMOS_MAX)),
  /** ISO 4217 code. */
  moeda: z.string().check(z.regex(/^[A-Z]{3}$/, 'Use as três letras da moeda, como BRL')),
})
export type Tarifa = z.infer<typeof tarifaSchema>

const keyOf = ({ vigenteDesde, categoria, pais }: Tarifa): string => [vigenteDesde, categoria, pais].join(' ')

export const tarifasSchema = z.array(tarifaSchema).check(
  z.maxLength(TARIFAS_MAX),
  z.refine(
    (tarifas) => new Set(tarifas.map(keyOf)).size === tarifas.length,
    'Há duas tarifas para a mesma data, categoria e país',
  ),
)
