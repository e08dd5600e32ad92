import { SendFailed, SendRefused } from '@balcao/connector/errors'
import type { BinaryNode } from 'baileys'

/**
 * Waits for the server's ack of each sent message. The library reports only that a message was written to the
 * socket.
 */
export interface Confirmations {
  /** Resolves with the server's ack. Rejects on a refusal, after `timeoutMs` or when the connection closes. */
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
  const waiting = new Map<string, Set<(error?: Error) => void>>()
  return {
    waitFor: (id) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => settle(new SendFailed('o WhatsApp não confirmou a mensagem')), timeoutMs)
        const sends = waiting.get(id) ?? new Set()
        const settle = (error?: Error): void => {
          clearTimeout(timer)
          sends.delete(settle)
          if (sends.size === 0) waiting.delete(id)
          if (error === undefined) resolve()
          else reject(error)
        }
        waiting.set(id, sends.add(settle))
      }),
    received: ({ attrs }) => {
      const sends = [...(waiting.get(attrs.id ?? '') ?? [])]
      for (const settle of sends) settle(errorOf(attrs.error))
      return sends.length > 0
    },
    rejectAll: () => {
      for (const settle of [...waiting.values()].flatMap((sends) => [...sends])) {
        settle(new SendFailed('a conexão caiu antes da confirmação'))
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
