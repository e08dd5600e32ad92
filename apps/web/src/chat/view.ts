import type { ChatConfig } from '@balcao/contract/entities/webchat'
import { textColorOn } from '#shared/ui/contrast.ts'
import { create, icon } from './dom.ts'
import { MessageList } from './messages.ts'

const ICONS = {
  chat: 'M4 5h16v11H9l-5 4z',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M4 12h14M12 5l7 7-7 7',
  file: 'M8 12l6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l7-7',
} as const

export interface ViewActions {
  readonly send: (texto: string, nome: string) => void
  readonly sendFile: (file: File) => void
  readonly typed: (texto: string) => void
  readonly erase: () => Promise<void>
  readonly toggled: (open: boolean) => void
  readonly retry: () => void
}

interface ViewOptions {
  readonly config: ChatConfig
  readonly draft: string
  readonly nome: string
  readonly actions: ViewActions
}

const iconButton = (label: string, path: string, kind = 'icon'): HTMLButtonElement =>
  create('button', { type: 'button', class: kind, 'aria-label': label, title: label }, icon(path))

/** The frame: a round button, and the dialog that it opens. */
export class View {
  readonly messages = new MessageList()
  readonly #launcher = iconButton('Abrir o chat', ICONS.chat, 'launcher')
  readonly #panel = create('section', { class: 'panel', role: 'dialog', hidden: true })
  readonly #text = create('textarea', {
    rows: '1',
    maxlength: '4096',
    'aria-label': 'Mensagem',
    placeholder: 'Escreva sua mensagem',
  })
  readonly #name = create('input', { type: 'text', maxlength: '120', autocomplete: 'name', required: true, id: 'nome' })
  readonly #nameField = create('div', { class: 'name' }, create('label', { for: 'nome' }, 'Seu nome'), this.#name)
  readonly #status = create('p', { class: 'status', role: 'status' })
  readonly #badge = create('span', { class: 'badge', hidden: true })
  readonly #actions: ViewActions
  #unread = 0

  constructor({ config, draft, nome, actions }: ViewOptions) {
    this.#actions = actions
    const { style } = document.documentElement
    style.setProperty('--cor', config.cor)
    style.setProperty('--texto-da-cor', textColorOn(config.cor))
    this.#text.value = draft
    this.messages.greet(config.saudacao)
    this.#build(config, config.pedirNome && nome === '')
    this.#launcher.append(this.#badge)
    document.body.append(this.#panel, this.#launcher)
  }

  get open(): boolean {
    return !this.#panel.hidden
  }

  setOpen(open: boolean): void {
    this.#panel.hidden = !open
    document.body.classList.toggle('open', open)
    this.#launcher.hidden = open
    this.#launcher.setAttribute('aria-expanded', String(open))
    if (open) this.setUnread(0)
    this.#actions.toggled(open)
  }

  countUnread(): void {
    this.setUnread(this.#unread + 1)
  }

  setUnread(count: number): void {
    this.#unread = count
    this.#badge.hidden = count === 0
    this.#badge.textContent = String(count)
    const label =
      count === 0 ? 'Abrir o chat' : `Abrir o chat: ${count} ${count === 1 ? 'mensagem nova' : 'mensagens novas'}`
    this.#launcher.setAttribute('aria-label', label)
  }

  say(text: string): void {
    if (this.#status.textContent !== text) this.#status.textContent = text
  }

  #build(config: ChatConfig, asksName: boolean): void {
    const title = create('h1', { id: 'titulo' }, config.nome)
    const hours = create('p', {}, config.aberto ? 'Aberto agora' : 'Fechado agora. Responderemos quando abrir.')
    const close = iconButton('Fechar o chat', ICONS.close)
    const header = create('header', {}, create('div', {}, title, hours), close)
    this.#panel.setAttribute('aria-labelledby', 'titulo')
    this.#panel.append(header, this.messages.element, this.#status, this.#form(asksName), this.#footer())
    const toggle = (open: boolean): void => {
      this.setOpen(open)
      ;(open ? this.#text : this.#launcher).focus()
    }
    close.addEventListener('click', () => toggle(false))
    this.#launcher.addEventListener('click', () => toggle(true))
    this.#panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') toggle(false)
    })
  }

  #form(asksName: boolean): HTMLFormElement {
    const file = create('input', { type: 'file', class: 'hidden', tabindex: '-1', 'aria-hidden': 'true' })
    const attach = iconButton('Enviar um arquivo', ICONS.file)
    const send = create(
      'button',
      { type: 'submit', class: 'icon send', 'aria-label': 'Enviar', title: 'Enviar' },
      icon(ICONS.send),
    )
    const row = create('div', { class: 'row' }, attach, file, this.#text, send)
    const form = create('form', {}, ...(asksName ? [this.#nameField] : []), row)
    attach.addEventListener('click', () => file.click())
    file.addEventListener('change', () => {
      const [chosen] = file.files ?? []
      if (chosen !== undefined) this.#actions.sendFile(chosen)
      file.value = ''
    })
    this.#text.addEventListener('input', () => this.#actions.typed(this.#text.value))
    this.#text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      form.requestSubmit()
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#submit()
    })
    return form
  }

  #submit(): void {
    const texto = this.#text.value.trim()
    if (texto === '') return this.#text.focus()
    this.#actions.send(texto, this.#name.value.trim())
    this.#nameField.remove()
    this.#text.value = ''
    this.#actions.typed('')
    this.#text.focus()
  }

  #footer(): HTMLElement {
    const erase = create('button', { type: 'button', class: 'link' }, 'Apagar minha conversa')
    const confirm = create('button', { type: 'button', class: 'link' }, 'Apagar tudo')
    const cancel = create('button', { type: 'button', class: 'link' }, 'Cancelar')
    const ask = create('p', { hidden: true }, 'As mensagens serão apagadas aqui e na loja. ', confirm, ' ', cancel)
    const show = (asking: boolean): void => {
      ask.hidden = !asking
      erase.hidden = asking
      ;(asking ? cancel : erase).focus()
    }
    erase.addEventListener('click', () => show(true))
    cancel.addEventListener('click', () => show(false))
    confirm.addEventListener('click', () => {
      void this.#actions.erase().then(() => show(false))
    })
    return create('footer', {}, erase, ask)
  }
}
