import { create } from '#chat/dom.ts'
import { type MenuApi, MenuRefusal } from './api.ts'
import { createFee, type Fee } from './fee.ts'
import { addressFields, paymentFields, placeFields, problemOf } from './order-form.ts'
import { type Order, moneyText } from './order.ts'
import { button, field, openDialog, redraw, stepper } from './parts.ts'
import { sentView } from './sent-view.ts'

/** The order with delivery, payment and sums, up to its code. */
export function openOrder(order: Order, api: MenuApi): void {
  const [list, sums, note] = [
    create('ul', { class: 'itens' }),
    create('dl', {}),
    create('p', { class: 'erro', role: 'alert' }),
  ]
  const address = addressFields(order)
  const payment = paymentFields(order)
  const fee = createFee(order, api, () => draw())
  const submit = button('Enviar pedido', { class: 'forte' }, () => void send())
  const draw = (): void => {
    const { tipo } = order.form
    address.hidden = tipo !== 'entrega'
    payment.update()
    redraw(list, ...itemRows(order))
    redraw(sums, ...sumRows(order, fee))
    if (order.count === 0) dialog.close()
  }
  const send = async (): Promise<void> => {
    note.textContent = problemOf(order)
    if (note.textContent !== '' || submit.disabled) return
    submit.disabled = true
    submit.textContent = 'Enviando…'
    try {
      const accepted = await api.send(order.toInput())
      stop()
      order.clear()
      content.replaceChildren(...sentView(accepted))
      content.focus()
    } catch (error) {
      note.textContent =
        error instanceof MenuRefusal ? await explain(error, order, api) : 'O pedido não foi enviado. Tente de novo.'
    } finally {
      submit.disabled = false
      submit.textContent = 'Enviar pedido'
    }
  }
  const content = create(
    'div',
    { class: 'pedido', tabindex: '-1' },
    list,
    ...placeFields(order),
    address,
    payment.element,
    ...extraFields(order),
    sums,
    create('div', { class: 'rodape' }, note, submit),
  )
  const stop = order.onChange(() => {
    fee.update()
    draw()
  })
  const dialog = openDialog('Seu pedido', stop, content)
  fee.update()
  draw()
}

function extraFields(order: Order): Node[] {
  const { cupom, observacao } = order.form
  return [
    field({
      ...{ label: 'Cupom (opcional)', name: 'cupom', value: cupom },
      props: { maxlength: '20', autocomplete: 'off', autocapitalize: 'characters' },
      onInput: (text) => order.change({ cupom: text }),
    }),
    field({
      ...{ label: 'Observação (opcional)', name: 'observacao', value: observacao },
      props: { maxlength: '300', autocomplete: 'off' },
      onInput: (text) => order.change({ observacao: text }),
    }),
  ]
}

function itemRows(order: Order): Node[] {
  return order.lines.map(({ nome, detalhes, quantidade, precoCentavos, problema }, index) => {
    const change = (by: number) => (): void => order.setQuantity(index, quantidade + by)
    return create(
      'li',
      {},
      create(
        'div',
        { class: 'texto' },
        create('strong', {}, nome),
        ...(detalhes === '' ? [] : [create('p', { class: 'fraco' }, detalhes)]),
        create('p', {}, moneyText(precoCentavos * quantidade)),
        ...(problema === '' ? [] : [create('p', { class: 'erro' }, problema)]),
      ),
      stepper({ nome, quantidade, foco: String(index), onMinus: change(-1), onPlus: change(1) }),
    )
  })
}

function sumRows(order: Order, fee: Fee): Node[] {
  const { subtotal, form } = order
  const row = (label: string, text: string, props = {}): Node =>
    create('div', props, create('dt', {}, label), create('dd', {}, text))
  const delivery = form.tipo === 'entrega' ? [row('Entrega', fee.text())] : []
  const coupon = form.cupom.trim() === '' ? [] : [row('Cupom', 'o desconto aparece no resumo')]
  return [
    row('Subtotal', moneyText(subtotal)),
    ...delivery,
    ...coupon,
    row('Total', moneyText(subtotal + fee.centavos()), { class: 'total' }),
  ]
}

/** The sentence for the customer. A changed menu is loaded and shown at the items. */
async function explain({ body, message }: MenuRefusal, order: Order, api: MenuApi): Promise<string> {
  if (body.codigo === 'carrinhoMudou' || body.codigo === 'lojaFechada') {
    const fresh = await api.load().catch(() => order.cardapio)
    order.refresh(fresh, body.itens ?? [])
  }
  return message
}
