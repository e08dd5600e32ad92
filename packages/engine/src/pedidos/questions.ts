import type { Grupo } from '@balcao/contract/entities/produto'
import * as z from 'zod/mini'
import type { ProdutoLoja } from '#context.ts'
import type { Escolha } from '@balcao/contract/entities/mensagem'
import { wordsOf } from '#rules/text.ts'
import { reais } from './cart.ts'
import { activeOpcoes } from './totals.ts'

/** Questions about an order. The open one is stored, and the next message may answer it. */

const pendingSchema = () =>
  z.object({
    ...{ produtoId: z.string(), quantidade: z.int(), opcoes: z.array(z.string()), observacao: z.string() },
    /** Groups that the customer has answered, or that the sentence named. */
    vistos: z.array(z.string()),
  })

export const createQuestionSchema = () =>
  z.discriminatedUnion('tipo', [
    /** Options of one group. `fila`: items that wait for their turn. */
    z.object({ tipo: z.literal('grupo'), grupoId: z.string(), item: pendingSchema(), fila: z.array(pendingSchema()) }),
    z.object({
      ...{ tipo: z.literal('produto'), candidatos: z.array(z.string()) },
      ...{ item: pendingSchema(), fila: z.array(pendingSchema()) },
    }),
    z.object({ tipo: z.enum(['entrega', 'endereco', 'bairro', 'pagamento', 'troco', 'resumo']) }),
  ])

export type Question = z.infer<ReturnType<typeof createQuestionSchema>>
export type PendingItem = z.infer<ReturnType<typeof pendingSchema>>

/** The first group that still needs an answer, in the order of the produto. */
export function openGroup({ grupos = [] }: Pick<ProdutoLoja, 'grupos'>, item: PendingItem): Grupo | null {
  return (
    grupos.find((grupo) => {
      if (item.vistos.includes(grupo.id)) return false
      const chosen = chosenOf(grupo, item.opcoes).length
      // An option in the sentence spares the question, unless it breaks the rule of the group.
      return chosen === 0 ? true : chosen < grupo.minimo || chosen > grupo.maximo
    }) ?? null
  )
}

export function chosenOf(grupo: Grupo, opcoes: readonly string[]): string[] {
  return activeOpcoes(grupo)
    .map(({ id }) => id)
    .filter((id) => opcoes.includes(id))
}

export interface Asked {
  readonly texto: string
  readonly escolhas: readonly Escolha[]
}

export function askGroup(produto: Pick<ProdutoLoja, 'nome'>, grupo: Grupo): Asked {
  const options = activeOpcoes(grupo)
  const lines = options.map(({ nome, acrescimoCentavos }, index) => {
    const price = acrescimoCentavos === 0 ? '' : ` · + ${reais(acrescimoCentavos)}`
    return `*${index + 1}* - ${nome}${price}`
  })
  const without = grupo.minimo === 0 ? '\nOu escreva *sem*.' : ''
  const single = grupo.maximo === 1
  return {
    texto: `*${produto.nome}*: ${grupo.nome}${rangeText(grupo)}\n${lines.join('\n')}${without}`,
    escolhas: single ? options.map(({ nome }, index) => ({ id: String(index + 1), titulo: nome })) : [],
  }
}

function rangeText({ minimo, maximo }: Grupo): string {
  if (maximo === 1) return minimo === 0 ? ' (se quiser)' : ''
  if (minimo === maximo) return ` (escolha ${minimo})`
  return minimo === 0 ? ` (até ${maximo})` : ` (de ${minimo} a ${maximo})`
}

export function askProduto(produtos: readonly ProdutoLoja[]): Asked {
  const lines = produtos.map(({ nome, preco }, index) => `*${index + 1}* - ${nome} · ${reais(Math.round(preco * 100))}`)
  const ask = produtos.length === 1 ? 'Seria este? Responda *sim* ou *não*.' : 'Qual deles?'
  return {
    texto: `${ask}\n${lines.join('\n')}`,
    escolhas: produtos.map(({ nome }, index) => ({ id: String(index + 1), titulo: nome })),
  }
}

/** Why an answer about a group counts as none. */
export function groupProblem(
  tipo: 'naoEntendi' | 'indisponivel' | 'demais' | 'poucas',
  { minimo, maximo }: Grupo,
): string {
  switch (tipo) {
    case 'demais':
      return `Escolha no máximo ${maximo}.`
    case 'poucas':
      return `Escolha pelo menos ${minimo}.`
    case 'indisponivel':
      return '😕 Esta opção acabou.'
    case 'naoEntendi':
      return '🤔 Não entendi uma das opções.'
  }
}

/** A bare number that may count the lines of a question. 0 leaves the shop. */
export const isPosition = (text: string): boolean => /^\s*[1-9]\d?\s*$/.test(text)

export type Choice =
  | { readonly tipo: 'produto'; readonly produtoId: string }
  | { readonly tipo: 'nenhum' }
  | { readonly tipo: 'foraDaLista' }
  /** No answer to the question. */
  | { readonly tipo: 'outraCoisa' }

const YES = new Set(['sim', 's', 'isso', 'esse', 'essa', 'este', 'esta', 'isso mesmo', 'esse mesmo', 'ok', 'pode ser'])
const NONE = new Set([
  'nao',
  'n',
  'nenhum',
  'nenhuma',
  'nenhum deles',
  'nenhuma delas',
  'nao quero',
  'deixa',
  'deixa pra la',
])

/** Reads the answer to the question which of the produtos is meant. */
export function readChoice(candidatos: readonly string[], text: string): Choice {
  const said = wordsOf(text).join(' ')
  if (NONE.has(said)) return { tipo: 'nenhum' }
  const isYes = candidatos.length === 1 && YES.has(said)
  if (!isYes && !isPosition(text)) return { tipo: 'outraCoisa' }
  const produtoId = candidatos[isYes ? 0 : Number(text) - 1]
  return produtoId === undefined ? { tipo: 'foraDaLista' } : { tipo: 'produto', produtoId }
}
