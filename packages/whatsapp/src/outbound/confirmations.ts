import type { BinaryNode } from 'baileys'
import { SendFailed, SendRefused } from '@balcao/connector/errors'

/**
 * Waits for the server's ack of each sent message. The library reports only that a message was written to the
 * socket.
 */
export interface Confirmations {
  /** Resolves with the server's ack. Rejects on a refusal, after `prazoMs` or when the connection closes. */
  readonly waitFor: (id: string) => Promise<void>
  /** Returns false if no sender waits for this ack. */
  readonly received: (ack: BinaryNode) => boolean
  /** Rejects all waiting sends. Unconfirmed messages may or may not have reached the server. */
  readonly rejectAll: () => void
}

export const ACK_TIMEOUT_MS = 20_000
/** Final refusal: WhatsApp restricts the account from writing to this person. */
export const RESTRICTED = '463'

export function createConfirmations(timeoutMs = ACK_TIMEOUT_MS): Confirmations {
  const waiting = new Map<string, Set<(erro?: Error) => void>>()
  return {
    waitFor: (id) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => concluir(new SendFailed('o WhatsApp não confirmou a mensagem')), timeoutMs)
        const todos = waiting.get(id) ?? new Set()
        const concluir = (erro?: Error): void => {
          clearTimeout(timer)
          todos.delete(concluir)
          if (todos.size === 0) waiting.delete(id)
          if (erro === undefined) resolve()
          else reject(erro)
        }
        waiting.set(id, todos.add(concluir))
      }),
    received: ({ attrs }) => {
      const todos = [...(waiting.get(attrs.id ?? '') ?? [])]
      for (const concluir of todos) concluir(errorOf(attrs.error))
      return todos.length > 0
    },
    rejectAll: () => {
      for (const concluir of [...waiting.values()].flatMap((todos) => [...todos])) {
        concluir(new SendFailed('a conexão caiu antes da confirmação'))
      }
    },
  }
}

function errorOf(code: string | undefined): Error | undefined {
  if (code === undefined) return undefined
  return code === RESTRICTED
    ? new SendRefused('o WhatsApp não deixa esta conta escrever a este contato')
    : new SendFailed(`o WhatsApp recusou a mensagem (${code})`)
}
