import * as z from 'zod/mini'

/** The shop's catalogue (spec §3 "Product"). Prices are in reais, two decimals. */

const OBRIGATORIO = 'Preencha todos os campos obrigatórios'

export const produtoSchema = z.object({
  id: z.string(),
  nome: z.string(),
  descricao: z.string(),
  preco: z.number(),
  /** Empty: no link. */
  linkCheckout: z.string(),
  ativo: z.boolean(),
  /** From 0; shown as `ordem + 1`. */
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

/** A product as the form gives it, already read from JSON or from `lerProdutoForm`. */
export const produtoEntradaSchema = z.object({
  nome: z.string(OBRIGATORIO).check(z.trim(), z.minLength(1, OBRIGATORIO), z.maxLength(120)),
  descricao: z.string(OBRIGATORIO).check(z.trim(), z.minLength(1, OBRIGATORIO), z.maxLength(4096)),
  preco,
  linkCheckout: z._default(linkCheckout, ''),
  ativo: z._default(z.boolean(), true),
  /** Absent: after the last one. */
  ordem: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
  /** Without a new file in `imagem`: an address that `POST /upload` gave; null or empty takes the picture away. */
  imagemUrl: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
})
export type ProdutoEntrada = z.infer<typeof produtoEntradaSchema>

/** An edit: any of the fields, `{ativo}` alone included (spec §7). */
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

/** Multipart fields (all text) → the JSON shape that the schemas above check; unknown fields fall away there. */
export function lerProdutoForm(campos: Readonly<Record<string, string>>): Record<string, unknown> {
  const lidos: Record<string, unknown> = { ...campos }
  if (campos.preco !== undefined) lidos.preco = lerNumero(campos.preco)
  if (campos.ordem !== undefined) lidos.ordem = lerNumero(campos.ordem)
  if (campos.ativo !== undefined) lidos.ativo = lerBooleano(campos.ativo)
  return lidos
}
