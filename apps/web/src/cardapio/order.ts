import type { Cardapio, CarrinhoInput, ProdutoCardapio } from '@balcao/contract/entities/cardapio'
import type { ChangedItem } from '@balcao/contract/errors'
import { priceItem, subtotalOf } from '@balcao/engine/pedidos/totals'
import { formatReais } from '@balcao/engine/rules/loja'

export interface Line {
  readonly produtoId: string
  readonly quantidade: number
  readonly opcoes: readonly string[]
  readonly observacao: string
}

/** The fields of the form as typed. */
export interface OrderForm {
  readonly tipo: 'entrega' | 'retirada' | ''
  readonly endereco: string
  readonly bairro: string
  readonly cep: string
  readonly forma: Cardapio['pagamentos'][number] | ''
  readonly troco: string
  readonly cupom: string
  readonly observacao: string
}

interface PricedLine extends Line {
  readonly nome: string
  readonly detalhes: string
  readonly precoCentavos: number
  /** Why it cannot be sold so, or what is new. Empty: nothing. */
  readonly problema: string
}

const EMPTY_FORM: OrderForm = {
  ...{ tipo: '', endereco: '', bairro: '', cep: '', forma: '', troco: '', cupom: '', observacao: '' },
}
const MAX = 99

/** The sign and the number stay on one line. */
export const moneyText = (centavos: number): string => formatReais(centavos / 100).replace(' ', '\u00A0')

const isSame = (a: Line, b: Line): boolean =>
  a.produtoId === b.produtoId && a.observacao === b.observacao && a.opcoes.join() === b.opcoes.join()

/** The menu, and the order that this device keeps until it is sent. */
export class Order {
  #cardapio: Cardapio
  #lines: readonly Line[] = []
  #form: OrderForm = EMPTY_FORM
  #changed: ReadonlyMap<string, { readonly left: number | null; readonly hasNewPrice: boolean }> = new Map()
  #sent: { readonly content: string; readonly id: string } | null = null
  readonly #listeners = new Set<() => void>()
  readonly #place: string

  constructor(cardapio: Cardapio, place: string) {
    this.#cardapio = cardapio
    this.#place = place
    this.#restore()
  }

  get cardapio(): Cardapio {
    return this.#cardapio
  }

  /** With choices that the shop does not leave open. */
  get form(): OrderForm {
    const { entrega, retirada, pagamentos } = this.#cardapio
    const { tipo, forma } = this.#form
    const only = entrega.ativa === retirada ? tipo : entrega.ativa ? 'entrega' : 'retirada'
    const [first = ''] = pagamentos
    const known = forma !== '' && pagamentos.includes(forma) ? forma : ''
    return { ...this.#form, tipo: only, forma: pagamentos.length === 1 ? first : known }
  }

  get count(): number {
    return this.#lines.reduce((sum, { quantidade }) => sum + quantidade, 0)
  }

  get lines(): readonly PricedLine[] {
    return this.#lines.map((line) => this.#price(line))
  }

  get subtotal(): number {
    return subtotalOf(this.lines)
  }

  produto(id: string): ProdutoCardapio | undefined {
    return this.#cardapio.categorias.flatMap(({ produtos }) => produtos).find((produto) => produto.id === id)
  }

  countOf(produtoId: string): number {
    return this.#lines.reduce((sum, line) => sum + (line.produtoId === produtoId ? line.quantidade : 0), 0)
  }

  /** Returns how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(line: Line): void {
    const known = this.#lines.find((one) => isSame(one, line))
    this.#lines =
      known === undefined
        ? [...this.#lines, line]
        : this.#lines.map((one) =>
            one === known ? { ...one, quantidade: Math.min(MAX, one.quantidade + line.quantidade) } : one,
          )
    this.#stored()
  }

  /** 0 takes the line out. */
  setQuantity(index: number, quantidade: number): void {
    this.#lines = this.#lines.flatMap((line, at) => {
      if (at !== index) return [line]
      return quantidade <= 0 ? [] : [{ ...line, quantidade: Math.min(MAX, quantidade) }]
    })
    this.#stored()
  }

  /** Takes one unit of a produto out, of the line added last. */
  removeOne(produtoId: string): void {
    const index = this.#lines.findLastIndex((line) => line.produtoId === produtoId)
    const line = this.#lines[index]
    if (line !== undefined) this.setQuantity(index, line.quantidade - 1)
  }

  change(fields: Partial<OrderForm>): void {
    this.#form = { ...this.#form, ...fields }
    this.#stored()
  }

  /** Shows at the items what changed in the shop since the page was loaded. */
  refresh(cardapio: Cardapio, changed: readonly ChangedItem[]): void {
    const before = this.lines
    this.#cardapio = cardapio
    this.#changed = new Map(
      changed.map(({ produtoId, precoCentavos, disponivel: left }) => {
        const line = before.find((one) => one.produtoId === produtoId)
        return [produtoId, { left, hasNewPrice: line?.precoCentavos !== precoCentavos }]
      }),
    )
    this.#stored()
  }

  clear(): void {
    this.#lines = []
    this.#changed = new Map()
    this.#sent = null
    this.change({ cupom: '', observacao: '', troco: '' })
  }

  /** The same order keeps its id, so that a repeated send makes no second one. */
  toInput(): Omit<CarrinhoInput, 't'> {
    const { tipo, endereco, bairro, cep, forma, troco, cupom, observacao } = this.form
    const isDelivery = tipo === 'entrega'
    const place = isDelivery ? { endereco, bairro, cep } : { endereco: '', bairro: '', cep: '' }
    const cart = {
      itens: this.lines.map(({ nome: _, detalhes: __, problema: ___, opcoes, ...line }) => ({
        ...line,
        opcoes: [...opcoes],
      })),
      entrega: { tipo: isDelivery ? 'entrega' : 'retirada', ...place } as const,
      pagamento: {
        forma: forma === '' ? 'dinheiro' : forma,
        ...(forma === 'dinheiro' ? { trocoParaCentavos: centavosIn(troco) } : {}),
      } as const,
      ...(cupom.trim() === '' ? {} : { cupom: cupom.trim() }),
      ...(observacao.trim() === '' ? {} : { observacao: observacao.trim() }),
    }
    const content = JSON.stringify(cart)
    if (this.#sent?.content !== content) this.#sent = { content, id: randomId() }
    return { id: this.#sent.id, ...cart }
  }

  #price(line: Line): PricedLine {
    const produto = this.produto(line.produtoId)
    const gone = { ...line, nome: produto?.nome ?? 'Produto', detalhes: '', precoCentavos: 0 }
    if (produto === undefined) return { ...gone, problema: 'Este produto saiu do cardápio. Tire-o do pedido.' }
    const priced = priceItem({ ...produto, preco: produto.precoCentavos / 100 }, { ...line, opcoes: [...line.opcoes] })
    if (priced.tipo !== 'item') return { ...gone, problema: 'As opções mudaram. Tire este item e escolha de novo.' }
    const { nome, precoCentavos, opcoes } = priced.item
    const detalhes = [...opcoes.map((opcao) => opcao.nome), line.observacao].filter((text) => text !== '').join(', ')
    return { ...line, nome, detalhes, precoCentavos, problema: this.#problemOf(produto, precoCentavos) }
  }

  #problemOf({ id, disponivel }: ProdutoCardapio, precoCentavos: number): string {
    const { left = null, hasNewPrice = false } = this.#changed.get(id) ?? {}
    if (!disponivel || left === 0) return 'Acabou. Tire este item do pedido.'
    if (left !== null && left < this.countOf(id)) return `Só temos ${left}. Diminua a quantidade.`
    return hasNewPrice ? `O preço mudou para ${moneyText(precoCentavos)}.` : ''
  }

  #stored(): void {
    try {
      localStorage.setItem(this.#place, JSON.stringify({ lines: this.#lines, form: this.#form }))
    } catch {
      // A private window may refuse. The order then ends with the page.
    }
    for (const listener of this.#listeners) listener()
  }

  #restore(): void {
    try {
      const stored = JSON.parse(localStorage.getItem(this.#place) ?? '{}')
      const lines: readonly Line[] = Array.isArray(stored.lines) ? stored.lines : []
      this.#lines = lines.filter(({ produtoId }) => this.produto(produtoId) !== undefined)
      this.#form = { ...EMPTY_FORM, ...stored.form }
    } catch {
      // Unreadable: the customer starts again.
    }
  }
}

/** '50' and '50,00' are fifty reais. 0 for any other text: no change is needed. */
function centavosIn(text: string): number {
  const value = Number(text.replaceAll(/[^\d,]/g, '').replace(',', '.'))
  return Number.isFinite(value) ? Math.round(value * 100) : 0
}

/** A UUID. `crypto.randomUUID` is missing in pages without https. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
