import * as z from 'zod/mini'

/** Products of the shop. Prices are in reais with two decimals. */

const OBRIGATORIO = 'Preencha todos os campos obrigatórios'

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
})
export type Produto = z.infer<typeof produtoSchema>

const preco = z.number(OBRIGATORIO).check(
  z.gte(0, 'O preço mínimo é 0'),
  z.lte(99_999_999.99, 'Preço alto demais'),
  z.refine(
    (valor) => Math.abs(valor * 100 - Math.round(valor * 100)) < 1e-4,
    'O preço tem no máximo duas casas decimais',
  ),
)

const linkCheckout = z.string().check(
  z.trim(),
  z.maxLength(2000),
  z.refine((valor) => valor === '' || /^https?:\/\/\S+$/i.test(valor), 'Informe um link válido'),
)

/** A new product, read from JSON or from `lerProdutoForm`. */
export const produtoEntradaSchema = z.object({
  nome: z.string(OBRIGATORIO).check(z.trim(), z.minLength(1, OBRIGATORIO), z.maxLength(120)),
  descricao: z.string(OBRIGATORIO).check(z.trim(), z.minLength(1, OBRIGATORIO), z.maxLength(4096)),
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
})
export type ProdutoEntrada = z.infer<typeof produtoEntradaSchema>

/** Any subset of the fields, such as `{ativo}` alone. */
export const produtoEdicaoSchema = z.partial(z.extend(produtoEntradaSchema, { linkCheckout, ativo: z.boolean() }))
export type ProdutoEdicao = z.infer<typeof produtoEdicaoSchema>

function lerNumero(valor: string): number | string {
  const numero = Number(valor.trim().replace(',', '.'))
  return valor.trim() === '' || Number.isNaN(numero) ? valor : numero
}

function lerBooleano(valor: string): boolean | string {
  if (valor === 'true' || valor === '1' || valor === 'on') return true
  if (valor === 'false' || valor === '0') return false
  return valor
}

/**
 * Converts the text fields of a multipart form to the JSON shape of `produtoEntradaSchema`. A text that cannot be
 * converted is returned unchanged, for the schema to refuse.
 */
export function lerProdutoForm(campos: Readonly<Record<string, string>>): Record<string, unknown> {
  const lidos: Record<string, unknown> = { ...campos }
  if (campos.preco !== undefined) lidos.preco = lerNumero(campos.preco)
  if (campos.ordem !== undefined) lidos.ordem = lerNumero(campos.ordem)
  if (campos.ativo !== undefined) lidos.ativo = lerBooleano(campos.ativo)
  return lidos
}
