import type { Cardapio } from '@balcao/contract/entities/cardapio'
import { create } from '#chat/dom.ts'
import { type Order, type OrderForm, moneyText } from './order.ts'
import { choices, field } from './parts.ts'

type Forma = Cardapio['pagamentos'][number]

const FORMAS: Readonly<Record<Forma, string>> = { pix: 'PIX', dinheiro: 'Dinheiro', cartao: 'Cartão' }

/** Nothing when the shop offers only one of both. */
export function placeFields(order: Order): Node[] {
  const { entrega, retirada, minimoCentavos } = order.cardapio
  if (!entrega.ativa || !retirada) {
    return [create('p', { class: 'fraco' }, entrega.ativa ? 'A loja entrega no seu endereço.' : 'Você retira na loja.')]
  }
  const least = minimoCentavos === 0 ? '' : ` (a partir de ${moneyText(minimoCentavos)})`
  return [
    choices({
      ...{ legend: 'Como prefere receber?', name: 'tipo', value: order.form.tipo },
      options: [
        ['entrega', `Entrega${least}`],
        ['retirada', 'Retirar na loja'],
      ],
      onChoose: (value) => order.change({ tipo: value === 'entrega' ? 'entrega' : 'retirada' }),
    }),
  ]
}

export function addressFields(order: Order): HTMLElement {
  const { form, cardapio } = order
  const change = (name: keyof OrderForm) => (value: string) => order.change({ [name]: value })
  const names = create('datalist', { id: 'bairros' })
  names.append(...cardapio.entrega.bairros.map((bairro) => create('option', { value: bairro })))
  return create(
    'div',
    { class: 'endereco' },
    field({
      ...{ label: 'Endereço, com número', name: 'endereco', value: form.endereco, onInput: change('endereco') },
      props: { autocomplete: 'street-address', maxlength: '300' },
    }),
    field({
      ...{ label: 'Bairro', name: 'bairro', value: form.bairro, onInput: change('bairro') },
      props: { autocomplete: 'address-level3', maxlength: '80', list: 'bairros' },
    }),
    field({
      ...{ label: 'CEP', name: 'cep', value: form.cep, onInput: change('cep') },
      props: { autocomplete: 'postal-code', inputmode: 'numeric', maxlength: '9' },
    }),
    names,
  )
}

export function paymentFields(order: Order): { readonly element: HTMLElement; readonly update: () => void } {
  const { form, cardapio } = order
  const formas = cardapio.pagamentos
  const [only] = formas
  const options = formas.map((forma) => [forma, FORMAS[forma]] as const)
  const choose = (value: string): void => order.change({ forma: formas.find((forma) => forma === value) ?? '' })
  const change = field({
    ...{ label: 'Troco para quanto? (deixe em branco se não precisa)', name: 'troco', value: form.troco },
    props: { inputmode: 'decimal', maxlength: '10', autocomplete: 'off' },
    onInput: (troco) => order.change({ troco }),
  })
  const ways =
    options.length === 1 && only !== undefined
      ? create('p', { class: 'fraco' }, `Pagamento: ${FORMAS[only]}.`)
      : choices({ legend: 'Como prefere pagar?', name: 'forma', options, value: form.forma, onChoose: choose })
  return {
    element: create('div', { class: 'endereco' }, ways, change),
    update: () => (change.hidden = order.form.forma !== 'dinheiro'),
  }
}

/** Names the first field that is missing before the order can be sent. Empty: none. */
export function problemOf(order: Order): string {
  const { form, cardapio, subtotal } = order
  if (form.tipo === '') return 'Escolha entrega ou retirada.'
  if (form.tipo === 'entrega') {
    if (form.endereco.trim().length < 5) return 'Escreva o endereço, com rua e número.'
    if (form.bairro.trim() === '' && form.cep.trim() === '') return 'Escreva o bairro ou o CEP.'
    if (subtotal < cardapio.minimoCentavos) return `A loja entrega a partir de ${moneyText(cardapio.minimoCentavos)}.`
  }
  return form.forma === '' ? 'Escolha como prefere pagar.' : ''
}
