import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { type Pedido, pedidoSchema } from '@balcao/contract/entities/pedido'
import { type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, customerSays } from '#test/builders.ts'

/** A shop that takes orders in the chat, for tests of many orders. */

type Owner = Pick<TestUser, 'request'>

export const FEE = 700
export const FREE_FROM = 6_000

export const withOrders = (config: Config): object => ({
  ...config,
  loja: {
    ...{ pedidos: true, pagamentos: ['pix'], retirada: true },
    pix: { chave: '11222333000181', nome: 'Padaria Aurora', cidade: 'São Paulo' },
    entrega: {
      ...{ ativa: true, minimoCentavos: 0, gratisAcimaCentavos: FREE_FROM },
      taxas: [{ bairro: 'Centro', centavos: FEE }],
    },
  },
})

const produtoAnswer = z.object({ produto: z.object({ id: z.string() }) })

export async function addProduto({ request }: Owner, nome: string, fields: object = {}): Promise<string> {
  const { body } = await request('POST', '/produtos', { nome, descricao: nome, preco: 5, ...fields })
  return produtoAnswer.parse(body).produto.id
}

export async function allPedidos({ request }: Owner, query = 'limite=100'): Promise<readonly Pedido[]> {
  const { body } = await request('GET', `/pedidos?${query}`)
  return z.object({ pedidos: z.array(pedidoSchema) }).parse(body).pedidos
}

/** The texts of the bot after the last message of the customer. Waits for the first one. */
export function lastAnswer(owner: Owner, telefone: string): Promise<string> {
  return waitUntil(async () => {
    const chat = await chatOf(owner, telefone)
    const from = chat.findLastIndex(({ de }) => de === 'cliente') + 1
    const answer = chat.slice(from).map(({ texto }) => texto)
    return answer.length === 0 ? null : answer.join('\n')
  })
}

/** The total of a summary in cents. Null: the bot asks something else. */
export function totalIn(text: string): number | null {
  const [, reais, cents] = /\*Total: R\$\s([\d.]+),(\d\d)\*/.exec(text) ?? []
  return reais === undefined ? null : Number(reais.replaceAll('.', '')) * 100 + Number(cents)
}

/** Goes from a cart to its summary. Null: the cart is empty. */
export async function walkToSummary(owner: Owner, telefone: string, delivery: boolean): Promise<number | null> {
  let next = 'fechar'
  for (let asked = 0; asked < 6; asked += 1) {
    await customerSays(owner, telefone, next)
    const told = await lastAnswer(owner, telefone)
    const total = totalIn(told)
    if (total !== null) return total
    if (told.includes('Como prefere receber?')) next = delivery ? '1' : '2'
    else if (told.includes('endereço da entrega')) next = 'Rua A, 10, Centro'
    else return null
  }
  throw new Error('no summary after six questions')
}
