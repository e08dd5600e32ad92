import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Products of the shop. Prices are in reais with two decimals. */

const REQUIRED_MESSAGE = 'Preencha todos os campos obrigatórios'

/** The greatest sum of money in one field: R$ 999.999,99. */
export const CENTAVOS_MAXIMO = 99_999_999

export const centavosSchema = z
  .int('Informe um valor em centavos')
  .check(z.gte(0, 'O valor mínimo é 0'), z.lte(CENTAVOS_MAXIMO, 'Valor alto demais'))

const opcaoGrupoSchema = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(40)),
  nome: z.string().check(z.trim(), z.minLength(1, 'Dê um nome à opção'), z.maxLength(80)),
  acrescimoCentavos: centavosSchema,
  ativa: z.boolean(),
})
export type OpcaoGrupo = z.infer<typeof opcaoGrupoSchema>

/** Choices of a produto, such as size, flavours or extras. Half-and-half has `maximo` 2 and the price `maior`. */
export const grupoSchema = z
  .object({
    id: z.string().check(z.minLength(1), z.maxLength(40)),
    nome: z.string().check(z.trim(), z.minLength(1, 'Dê um nome ao grupo'), z.maxLength(80)),
    minimo: z.int().check(z.gte(0), z.lte(30)),
    maximo: z.int().check(z.gte(1), z.lte(30)),
    /** How the additions of the chosen options become one. */
    preco: z.enum(['soma', 'maior', 'media']),
    opcoes: z.array(opcaoGrupoSchema).check(z.minLength(1, 'Um grupo precisa de opções'), z.maxLength(30)),
  })
  .check(
    z.refine(({ minimo, maximo }) => minimo <= maximo, { error: 'O mínimo passa do máximo', path: ['minimo'] }),
    z.refine(({ minimo, opcoes }) => minimo <= opcoes.filter(({ ativa }) => ativa).length, {
      error: 'Há menos opções ativas do que o mínimo',
      path: ['minimo'],
    }),
  )
export type Grupo = z.infer<typeof grupoSchema>

export const gruposSchema = z
  .array(grupoSchema)
  .check(z.maxLength(10, 'No máximo 10 grupos'), z.refine(hasUniqueIds, 'Dois grupos ou opções têm o mesmo id'))

function hasUniqueIds(grupos: readonly Grupo[]): boolean {
  const ids = grupos.flatMap(({ id, opcoes }) => [id, ...opcoes.map((opcao) => opcao.id)])
  return new Set(ids).size === ids.length
}

export const produtoSchema = z.object({
  id: z.string(),
  nome: z.string(),
  descricao: z.string(),
  preco: z.number(),
  linkCheckout: z.string(),
  ativo: z.boolean(),
  /** Counts from 0; the panel shows `ordem + 1`. */
  ordem: z.int(),
  imagemUrl: z.nullable(z.string()),
  /** Units left. Null: not counted. */
  estoque: z.nullable(z.int()),
  /** Other names by which customers ask for it. */
  sinonimos: z.array(z.string()),
  /** Until then it is shown as unavailable and cannot be ordered. */
  pausadoAte: z.optional(instantSchema),
  /** Empty: none. */
  categoria: z.string(),
  grupos: z.array(grupoSchema),
})
export type Produto = z.infer<typeof produtoSchema>

const preco = z.number(REQUIRED_MESSAGE).check(
  z.gte(0, 'O preço mínimo é 0'),
  z.lte(99_999_999.99, 'Preço alto demais'),
  z.refine(
    (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-4,
    'O preço tem no máximo duas casas decimais',
  ),
)

/** Exists in Node and in browsers, whose types this package does not load. */
declare class URL {
  static canParse(text: string): boolean
  constructor(text: string)
  readonly username: string
  readonly password: string
}

/** True for a web address. One with a user or password is refused: its real host is easily misread. */
export function isCheckoutLink(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const linkCheckout = z.string().check(
  z.trim(),
  z.maxLength(2000),
  z.refine((value) => value === '' || isCheckoutLink(value), 'Informe um link válido'),
)

const estoque = z.nullable(
  z.int('O estoque é um número inteiro').check(z.gte(0, 'O estoque mínimo é 0'), z.lte(1_000_000)),
)
const sinonimos = z
  .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(60, 'Um outro nome tem no máximo 60 letras')))
  .check(z.maxLength(30, 'No máximo 30 outros nomes'))
const pausadoAte = z.nullable(instantSchema)
const categoria = z.string().check(z.trim(), z.maxLength(60))

/** A new product, read from JSON or from `parseProdutoForm`. */
export const produtoInputSchema = z.object({
  nome: z.string(REQUIRED_MESSAGE).check(z.trim(), z.minLength(1, REQUIRED_MESSAGE), z.maxLength(120)),
  descricao: z.string(REQUIRED_MESSAGE).check(z.trim(), z.minLength(1, REQUIRED_MESSAGE), z.maxLength(4096)),
  preco,
  linkCheckout: z._default(linkCheckout, ''),
  ativo: z._default(z.boolean(), true),
  /** Absent: placed last. */
  ordem: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
  /**
   * Used when the form has no file in `imagem`: an address returned by `POST /upload`. Null or empty removes the
   * picture.
   */
  imagemUrl: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  estoque: z._default(estoque, null),
  sinonimos: z._default(sinonimos, []),
  /** Null or absent: sold now. */
  pausadoAte: z.optional(pausadoAte),
  categoria: z._default(categoria, ''),
  grupos: z._default(gruposSchema, []),
})
export type ProdutoInput = z.infer<typeof produtoInputSchema>

/** Any subset of the fields, such as `{ativo}` alone. */
export const produtoPatchSchema = z.partial(
  z.extend(produtoInputSchema, {
    ...{ linkCheckout, ativo: z.boolean(), estoque, sinonimos, categoria, grupos: gruposSchema },
  }),
)
export type ProdutoPatch = z.infer<typeof produtoPatchSchema>

function numberFromForm(value: string): number | string {
  const numero = Number(value.trim().replace(',', '.'))
  return value.trim() === '' || Number.isNaN(numero) ? value : numero
}

function booleanFromForm(value: string): boolean | string {
  if (value === 'true' || value === '1' || value === 'on') return true
  if (value === 'false' || value === '0') return false
  return value
}

/** Lists travel as JSON in a field of a form. */
function jsonFromForm(value: string): unknown {
  if (value.trim() === '') return []
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/**
 * Converts the text fields of a multipart form to the JSON shape of `produtoInputSchema`. A text that cannot be
 * converted is returned unchanged, for the schema to refuse.
 */
export function parseProdutoForm(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  const parsed: Record<string, unknown> = { ...fields }
  if (fields.preco !== undefined) parsed.preco = numberFromForm(fields.preco)
  if (fields.ordem !== undefined) parsed.ordem = numberFromForm(fields.ordem)
  if (fields.ativo !== undefined) parsed.ativo = booleanFromForm(fields.ativo)
  if (fields.estoque !== undefined)
    parsed.estoque = fields.estoque.trim() === '' ? null : numberFromForm(fields.estoque)
  if (fields.pausadoAte === '') parsed.pausadoAte = null
  for (const name of ['sinonimos', 'grupos']) {
    const text = fields[name]
    if (text !== undefined) parsed[name] = jsonFromForm(text)
  }
  return parsed
}
