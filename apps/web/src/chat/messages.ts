import type { ChatMensagem } from '@balcao/contract/entities/webchat'
import { create, formatted } from './dom.ts'

const STATES: Readonly<Record<string, string>> = {
  pendente: 'Enviando…',
  enviada: 'Enviada',
  entregue: 'Entregue',
  lida: 'Lida',
}

const hour = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' })

/** The messages in their order, and behind them those that wait for the server. */
export class MessageList {
  readonly element = create('div', { class: 'messages', role: 'log', 'aria-label': 'Mensagens', tabindex: '0' })
  readonly #waiting = create('div', { class: 'waiting' })
  readonly #items = new Map<string, HTMLElement>()
  readonly #typing = create('p', { class: 'typing', hidden: true }, 'Digitando…')
  #typingEnd = 0

  constructor() {
    this.element.append(this.#waiting, this.#typing)
  }

  greet(text: string): void {
    if (text !== '')
      this.element.prepend(create('div', { class: 'item shop' }, create('p', { class: 'text' }, ...formatted(text))))
  }

  /** Returns false for a change of a message that was shown before. */
  show(mensagem: ChatMensagem): boolean {
    const { id, de, autor, texto, em, midia, estado } = mensagem
    const own = de === 'visitante'
    const body = [
      create('span', { class: own ? 'hidden' : 'author' }, own ? 'Você: ' : autor),
      ...(midia === undefined ? [] : [fileOf(midia)]),
      ...(texto === '' ? [] : [create('p', { class: 'text' }, ...formatted(texto))]),
      create(
        'span',
        { class: 'meta' },
        create('time', { datetime: em }, hour.format(new Date(em))),
        own ? stateOf(estado) : '',
      ),
    ]
    const item = create('div', { class: `item ${own ? 'own' : 'shop'}` }, ...body)
    const before = this.#items.get(id)
    if (before?.parentElement === this.element) before.replaceWith(item)
    else {
      before?.remove()
      this.#waiting.before(item)
    }
    this.#items.set(id, item)
    if (!own) this.#endTyping()
    this.#scroll()
    return before === undefined
  }

  showPending(id: string, texto: string): void {
    if (this.#items.has(id)) return
    const text = create('p', { class: 'text' }, ...formatted(texto))
    const item = create('div', { class: 'item own' }, text, create('span', { class: 'meta' }, stateOf('pendente')))
    this.#items.set(id, item)
    this.#waiting.append(item)
    this.#scroll()
  }

  showState(id: string, estado: string): void {
    this.#items.get(id)?.querySelector('.state')?.replaceWith(stateOf(estado))
  }

  showFailed(id: string, reason: string, discard: () => void): void {
    const button = create('button', { type: 'button', class: 'link' }, 'Descartar')
    button.addEventListener('click', discard)
    const item = this.#items.get(id)
    item
      ?.querySelector('.meta')
      ?.replaceWith(create('span', { class: 'meta error' }, `Não enviada. ${reason} `, button))
  }

  remove(id: string): void {
    this.#items.get(id)?.remove()
    this.#items.delete(id)
  }

  clear(): void {
    for (const id of this.#items.keys()) this.remove(id)
  }

  showTyping(): void {
    clearTimeout(this.#typingEnd)
    this.#typing.hidden = false
    this.#typingEnd = window.setTimeout(() => this.#endTyping(), 5_000)
    this.#scroll()
  }

  #endTyping(): void {
    this.#typing.hidden = true
  }

  /** Stays where the visitor reads older messages. */
  #scroll(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.element
    if (scrollHeight - scrollTop - clientHeight < 300) this.element.scrollTop = scrollHeight
  }
}

const stateOf = (estado: string): HTMLElement => create('span', { class: 'state' }, STATES[estado] ?? '')

function fileOf({ tipo, url, nomeArquivo = 'Arquivo' }: NonNullable<ChatMensagem['midia']>): HTMLElement {
  if (url === undefined) return create('p', { class: 'text' }, 'Arquivo não guardado')
  if (tipo === 'imagem') {
    const picture = create('img', {
      src: url,
      alt: nomeArquivo === 'Arquivo' ? 'Imagem' : nomeArquivo,
      loading: 'lazy',
    })
    return create('a', { href: url, target: '_blank', rel: 'noopener' }, picture)
  }
  if (tipo === 'audio') return create('audio', { src: url, controls: true, preload: 'none', 'aria-label': nomeArquivo })
  return create('a', { href: url, target: '_blank', rel: 'noopener', class: 'text' }, nomeArquivo)
}
