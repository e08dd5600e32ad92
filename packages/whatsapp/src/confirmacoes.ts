import type { BinaryNode } from 'baileys'
import { Falhou, Recusada } from './anfitriao.ts'

/**
 * Waits for the server's ack of each sent message. The library reports only that a message was written to the
 * socket.
 */
export interface Confirmacoes {
  /** Resolves with the server's ack. Rejects on a refusal, after `prazoMs` or when the connection closes. */
  readonly esperar: (id: string) => Promise<void>
  /** Returns false if no sender waits for this ack. */
  readonly recebeu: (ack: BinaryNode) => boolean
  /** Rejects all waiting sends. Unconfirmed messages may or may not have reached the server. */
  readonly desistir: () => void
}

export const PRAZO_MS = 20_000
/** Final refusal: WhatsApp restricts the account from writing to this person. */
export const RESTRITA = '463'

export function createConfirmacoes(prazoMs = PRAZO_MS): Confirmacoes {
  const esperando = new Map<string, Set<(erro?: Error) => void>>()
  return {
    esperar: (id) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => concluir(new Falhou('o WhatsApp não confirmou a mensagem')), prazoMs)
        const todos = esperando.get(id) ?? new Set()
        const concluir = (erro?: Error): void => {
          clearTimeout(timer)
          todos.delete(concluir)
          if (todos.size === 0) esperando.delete(id)
          if (erro === undefined) resolve()
          else reject(erro)
        }
        esperando.set(id, todos.add(concluir))
      }),
    recebeu: ({ attrs }) => {
      const todos = [...(esperando.get(attrs.id ?? '') ?? [])]
      for (const concluir of todos) concluir(erroDe(attrs.error))
      return todos.length > 0
    },
    desistir: () => {
      for (const concluir of [...esperando.values()].flatMap((todos) => [...todos])) {
        concluir(new Falhou('a conexão caiu antes da confirmação'))
      }
    },
  }
}

function erroDe(codigo: string | undefined): Error | undefined {
  if (codigo === undefined) return undefined
  return codigo === RESTRITA
    ? new Recusada('o WhatsApp não deixa esta conta escrever a este contato')
    : new Falhou(`o WhatsApp recusou a mensagem (${codigo})`)
}
