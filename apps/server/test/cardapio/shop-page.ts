import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { Config } from '@balcao/contract/entities/config'
import { cardapioSchema, carrinhoAceitoSchema } from '@balcao/contract/entities/cardapio'
import type { TestApp, TestUser, WholeAnswer } from '#test/app.ts'
import { saveConfig } from '#test/builders.ts'

const ALWAYS = [{ inicio: '00:00', fim: '24:00' }]

/** Settings of a shop that is always open and sells over its page. */
export const withPage =
  (endereco: string, loja: Partial<Config['loja']> = {}) =>
  (config: Config): object => ({
    ...config,
    atendimento: {
      ...config.atendimento,
      horario: {
        ...config.atendimento.horario,
        excecoes: [],
        dias: { seg: ALWAYS, ter: ALWAYS, qua: ALWAYS, qui: ALWAYS, sex: ALWAYS, sab: ALWAYS, dom: ALWAYS },
      },
    },
    loja: {
      ...config.loja,
      ...{ pedidos: true, retirada: true, pagamentos: ['dinheiro', 'cartao'] },
      entrega: {
        ...{ ativa: true, minimoCentavos: 1_500, gratisAcimaCentavos: null },
        taxas: [{ bairro: 'Centro', centavos: 700 }],
      },
      pagina: { ativa: true, endereco, descricao: 'Pão quente', indexar: true },
      ...loja,
    },
  })

export const savePage = (dona: TestUser, endereco: string, loja: Partial<Config['loja']> = {}): Promise<void> =>
  saveConfig(dona, withPage(endereco, loja))

export async function givenProduto(dona: TestUser, fields: object = {}): Promise<string> {
  const input = { nome: 'Coxinha', descricao: 'De frango', preco: 5, ...fields }
  const { body } = await dona.request('POST', '/produtos', input)
  return z.object({ produto: z.object({ id: z.string() }) }).parse(body).produto.id
}

/** A customer at the page, with a network address. */
export class TestVisit {
  readonly #app: Pick<TestApp, 'send'>
  readonly #path: string
  readonly #ip: string

  constructor(app: Pick<TestApp, 'send'>, endereco: string, ip: string) {
    this.#app = app
    this.#path = `/publico/lojas/${endereco}`
    this.#ip = ip
  }

  open(): Promise<WholeAnswer> {
    return this.#app.send('GET', this.#path, { ip: this.#ip })
  }

  async menu(): Promise<z.infer<typeof cardapioSchema>> {
    return cardapioSchema.parse((await this.open()).body)
  }

  fee(place: object): Promise<WholeAnswer> {
    return this.#app.send('POST', `${this.#path}/entrega`, { ip: this.#ip, body: place })
  }

  order(produtoId: string, rest: object = {}, item: object = {}): Promise<WholeAnswer> {
    const body = {
      ...{ id: randomUUID(), itens: [{ produtoId, quantidade: 2, ...item }] },
      ...{ entrega: { tipo: 'retirada' }, pagamento: { forma: 'cartao' }, ...rest },
    }
    return this.#app.send('POST', `${this.#path}/carrinhos`, { ip: this.#ip, body })
  }

  async codeOf(produtoId: string, rest: object = {}): Promise<string> {
    const { status, body, text } = await this.order(produtoId, rest)
    if (status !== 201) throw new Error(text)
    return carrinhoAceitoSchema.parse(body).codigo
  }
}
