import type { ProdutoCardapio } from '@balcao/contract/entities/cardapio'
import type { Grupo } from '@balcao/contract/entities/produto'
import { priceItem } from '@balcao/engine/pedidos/totals'
import { create } from '#chat/dom.ts'
import { type Order, moneyText } from './order.ts'
import { button, field, openDialog, redraw, stepper } from './parts.ts'

/** Asks for the options of a produto and adds it to the order. */
export function openOptions(order: Order, produto: ProdutoCardapio): void {
  const { id: produtoId, nome, descricao, imagemUrl, grupos } = produto
  const chosen = new Map<string, readonly string[]>()
  let quantidade = 1
  let observacao = ''
  const problem = create('p', { class: 'erro', role: 'alert' })
  const amount = create('div', {})
  const submit = button('', { class: 'forte' }, () => add())
  const opcoes = (): string[] => [...chosen.values()].flat()
  const priced = () =>
    priceItem({ ...produto, preco: produto.precoCentavos / 100 }, { produtoId, quantidade, opcoes: opcoes() })
  const draw = (): void => {
    const { tipo, ...result } = priced()
    const price = tipo === 'item' && 'item' in result ? ` · ${moneyText(result.item.precoCentavos * quantidade)}` : ''
    submit.textContent = `Adicionar${price}`
    const change = (next: number) => (): void => {
      quantidade = Math.min(99, Math.max(1, next))
      draw()
    }
    redraw(
      amount,
      stepper({ nome, quantidade, foco: 'unidades', onMinus: change(quantidade - 1), onPlus: change(quantidade + 1) }),
    )
  }
  const add = (): void => {
    const result = priced()
    if (result.tipo !== 'item') {
      problem.textContent =
        result.tipo === 'grupo' ? `${result.grupo.nome}: ${rangeText(result.grupo)}.` : 'Escolha de novo.'
      return
    }
    order.add({ produtoId, quantidade, opcoes: opcoes(), observacao: observacao.trim() })
    dialog.close()
  }
  const choose = (grupo: Grupo, ids: readonly string[]): void => {
    chosen.set(grupo.id, ids)
    problem.textContent = ''
    draw()
  }
  draw()
  const dialog = openDialog(
    nome,
    () => undefined,
    ...(imagemUrl === null ? [] : [create('img', { src: imagemUrl, alt: '', class: 'foto' })]),
    create('p', { class: 'fraco' }, descricao),
    ...grupos.map((grupo) => groupField(grupo, (ids) => choose(grupo, ids))),
    field({
      ...{ label: 'Observação (opcional)', name: 'observacao-do-item', value: '' },
      props: { maxlength: '300', autocomplete: 'off' },
      onInput: (text) => (observacao = text),
    }),
    create('div', { class: 'rodape' }, problem, amount, submit),
  )
}

function groupField(grupo: Grupo, onChange: (ids: readonly string[]) => void): HTMLElement {
  const single = grupo.maximo === 1
  const inputs = grupo.opcoes.map(({ id }) =>
    create('input', { type: single ? 'radio' : 'checkbox', name: `g-${grupo.id}`, value: id }),
  )
  const none = create('input', { type: 'radio', name: `g-${grupo.id}`, value: '', checked: true })
  const changed = (): void => {
    const ids = inputs.filter(({ checked }) => checked).map(({ value }) => value)
    // More than the greatest number cannot be chosen.
    if (!single) for (const input of inputs) input.disabled = !input.checked && ids.length >= grupo.maximo
    onChange(ids)
  }
  for (const input of [...inputs, none]) input.addEventListener('change', changed)
  const rows = grupo.opcoes.map(({ nome, acrescimoCentavos }, index) =>
    create(
      'label',
      { class: 'opcao' },
      ...inputs.slice(index, index + 1),
      create('span', {}, nome),
      ...(acrescimoCentavos === 0 ? [] : [create('span', { class: 'fraco' }, `+ ${moneyText(acrescimoCentavos)}`)]),
    ),
  )
  const without = single && grupo.minimo === 0 ? [create('label', { class: 'opcao' }, none, 'Sem')] : []
  return create('fieldset', {}, create('legend', {}, `${grupo.nome} (${rangeText(grupo)})`), ...without, ...rows)
}

function rangeText({ minimo, maximo }: Grupo): string {
  if (minimo === maximo) return `escolha ${minimo}`
  return minimo === 0 ? `até ${maximo}, se quiser` : `escolha de ${minimo} a ${maximo}`
}
