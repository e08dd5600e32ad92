import type { LojaConfig } from '#entities/loja.ts'
import type { Grupo, ProdutoInput } from '#entities/produto.ts'
import { foldAccents } from '#text/fold-accents.ts'

/** Sample shops: a menu that takes orders as it is. The panel loads them when a person asks for them. */

export type ExemploProduto = Pick<ProdutoInput, 'nome' | 'descricao' | 'preco' | 'categoria' | 'sinonimos' | 'grupos'>

export interface ExemploLoja {
  readonly id: string
  readonly nome: string
  /** Its menu in one sentence. */
  readonly resumo: string
  readonly produtos: readonly ExemploProduto[]
  readonly entrega: LojaConfig['entrega']
}

/** Name and what it adds, in cents. */
type Choice = string | readonly [nome: string, acrescimoCentavos: number]

const idOf = (...names: readonly string[]): string =>
  foldAccents(names.join(' '))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)

/** Names are unique in a produto, so its ids are. */
export function grupo(
  nome: string,
  { minimo, maximo, preco = 'soma' }: Pick<Grupo, 'minimo' | 'maximo'> & Partial<Pick<Grupo, 'preco'>>,
  choices: readonly Choice[],
): Grupo {
  const opcoes = choices.map((choice) => {
    const [label, acrescimoCentavos] = typeof choice === 'string' ? [choice, 0] : choice
    return { id: idOf(nome, label), nome: label, acrescimoCentavos, ativa: true }
  })
  return { id: idOf(nome), nome, minimo, maximo, preco, opcoes }
}

interface ProdutoExtras {
  readonly sinonimos?: string[]
  readonly grupos?: Grupo[]
}

export function produto(
  categoria: string,
  nome: string,
  preco: number,
  descricao: string,
  { sinonimos = [], grupos = [] }: ProdutoExtras = {},
): ExemploProduto {
  return { nome, descricao, preco, categoria, sinonimos, grupos }
}

/** Fees by neighbourhood, in cents. */
export function entregaEm(
  taxas: readonly (readonly [bairro: string, centavos: number])[],
  rest: Pick<LojaConfig['entrega'], 'minimoCentavos' | 'gratisAcimaCentavos'>,
): LojaConfig['entrega'] {
  return { ativa: true, taxas: taxas.map(([bairro, centavos]) => ({ bairro, centavos })), ...rest }
}
