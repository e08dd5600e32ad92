import { create } from '#chat/dom.ts'

type Props = Parameters<typeof create>[1]

export function button(label: string, props: Props, onClick: () => void, ...children: (Node | string)[]) {
  const element = create('button', { type: 'button', ...props }, ...(children.length === 0 ? [label] : children))
  if (children.length > 0) element.setAttribute('aria-label', label)
  element.addEventListener('click', onClick)
  return element
}

/** Replaces the content and keeps the focus on the control with the same `data-foco`. */
export function redraw(container: HTMLElement, ...nodes: (Node | string)[]): void {
  const active = document.activeElement
  const name = active instanceof HTMLElement && container.contains(active) ? active.dataset['foco'] : undefined
  container.replaceChildren(...nodes)
  if (name === undefined) return
  const controls = [...container.querySelectorAll<HTMLElement>('[data-foco]')]
  const same = controls.find(({ dataset }) => dataset['foco'] === name)
  const [first] = controls
  ;(same ?? first)?.focus()
}

const MINUS = '−'
const PLUS = '+'
const CLOSE = '×'

interface StepperOptions {
  readonly nome: string
  readonly quantidade: number
  /** Unique among the controls that are drawn together. */
  readonly foco: string
  readonly onMinus: () => void
  readonly onPlus: () => void
}

export function stepper({ nome, quantidade, foco, onMinus, onPlus }: StepperOptions): HTMLElement {
  return create(
    'span',
    { class: 'passos', role: 'group', 'aria-label': `Quantidade de ${nome}` },
    button(`Tirar um: ${nome}`, { class: 'redondo', 'data-foco': `${foco} menos` }, onMinus, MINUS),
    create('output', {}, String(quantidade)),
    button(`Mais um: ${nome}`, { class: 'redondo', 'data-foco': `${foco} mais` }, onPlus, PLUS),
  )
}

/** A modal dialog over the page. It is removed when it closes. */
export function openDialog(title: string, onClose: () => void, ...children: Node[]): HTMLDialogElement {
  const heading = create('h2', { id: 'titulo-do-dialogo' }, title)
  const dialog = create('dialog', { 'aria-labelledby': 'titulo-do-dialogo' })
  dialog.append(
    create(
      'div',
      { class: 'topo' },
      heading,
      button('Fechar', { class: 'redondo' }, () => dialog.close(), CLOSE),
    ),
    ...children,
  )
  dialog.addEventListener('close', () => {
    dialog.remove()
    onClose()
  })
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

interface ChoiceOptions {
  readonly legend: string
  readonly name: string
  readonly options: readonly (readonly [string, string])[]
  readonly value: string
  readonly onChoose: (value: string) => void
}

/** Radio buttons. */
export function choices({ legend, name, options, value, onChoose }: ChoiceOptions): HTMLFieldSetElement {
  return create(
    'fieldset',
    {},
    create('legend', {}, legend),
    ...options.map(([id, label]) => {
      const input = create('input', { type: 'radio', name, value: id, checked: id === value })
      input.addEventListener('change', () => onChoose(id))
      return create('label', { class: 'opcao' }, input, label)
    }),
  )
}

interface InputOptions {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly props?: Props
  readonly onInput: (value: string) => void
}

export function field({ label, name, value, props = {}, onInput }: InputOptions): HTMLLabelElement {
  const input = create('input', { name, value, ...props })
  input.addEventListener('input', () => onInput(input.value))
  return create('label', { class: 'campo' }, label, input)
}
