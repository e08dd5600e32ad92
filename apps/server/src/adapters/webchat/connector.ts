import type { Connector, ConnectorFactory, SessionHost } from '@balcao/connector/port'
import { SendFailed, SendRefused } from '@balcao/connector/errors'
import type { ChatOutbox, ChatRef } from '#ports/webchat/chat.ts'

const VISITOR = /^web:/

/**
 * The chat on the site. No service is outside: `send` makes the stored message readable for the visitor, who may be
 * absent, and the streams of all nodes learn of it.
 */
export function createWebchat(outbox: ChatOutbox): ConnectorFactory {
  return (host) => new WebchatConnector(host, outbox)
}

class WebchatConnector implements Connector {
  readonly #host: SessionHost
  readonly #outbox: ChatOutbox
  #open = false

  constructor(host: SessionHost, outbox: ChatOutbox) {
    this.#host = host
    this.#outbox = outbox
  }

  readonly silenceMs = (): number | null => (this.#open ? 0 : null)

  readonly start = async (): Promise<void> => {
    await this.#host.linkState({ tipo: 'conectando' })
    this.#open = true
    await this.#host.linkState({ tipo: 'conectado', como: 'Chat no site' })
  }

  readonly stop = async (): Promise<void> => {
    this.#open = false
  }

  readonly logout = (): Promise<void> => this.stop()

  readonly send: Connector['send'] = async (message) => {
    const { idExterno, endereco, reacao, edicao } = message
    if (!VISITOR.test(endereco)) throw new SendRefused('este cliente não está no chat do site')
    if (reacao !== undefined || edicao !== undefined) throw new SendRefused('o chat do site não permite isso')
    if (!this.#open || !this.#host.maySend()) throw new SendFailed('o chat do site está desligado')
    if (!(await this.#outbox.deliver(this.#chat(endereco), { idExterno }))) {
      throw new SendRefused('a mensagem não existe mais')
    }
  }

  readonly typing = (endereco: string): void => {
    if (this.#open && VISITOR.test(endereco)) this.#outbox.typing(this.#chat(endereco))
  }

  #chat(endereco: string): ChatRef {
    const { contaId, linhaId } = this.#host
    return { contaId, linhaId, endereco }
  }
}
