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

/** WhatsApp's notice that this number may not start chats for a while. Chats that customers started stay open. */
export interface ChatLockNotice {
  readonly isActive?: boolean
  readonly timeEnforcementEnds?: Date | undefined
}

export interface ChatLock {
  readonly noticed: (notice: ChatLockNotice) => void
  readonly refused: (address: string) => void
  /**
   * Rejects with `SendRefused` if the number is locked and this message would start a chat, because each attempt
   * extends the lock. `known` returns whether a chat exists.
   */
  readonly check: (address: string, known: () => Promise<boolean>) => Promise<void>
}

/** Duration of a lock whose notice has no end. */
const OPEN_ENDED_MS = 60_000

const dateFormat = new Intl.DateTimeFormat('pt-BR', {
  ...{ dateStyle: 'short', timeStyle: 'short' },
  timeZone: 'America/Sao_Paulo',
})

export function createChatLock(now: () => number = Date.now): ChatLock {
  const refused = new Set<string>()
  let until = 0
  let announcedEnd: Date | undefined
  return {
    noticed: ({ isActive, timeEnforcementEnds }) => {
      announcedEnd = timeEnforcementEnds
      until = isActive === true ? (timeEnforcementEnds?.getTime() ?? now() + OPEN_ENDED_MS) : 0
      if (until <= now()) refused.clear()
    },
    refused: (address) => void refused.add(address),
    check: async (address, known) => {
      if (until <= now()) return
      if (!refused.has(address) && (await known())) return
      const end =
        announcedEnd === undefined ? 'por enquanto' : `até ${dateFormat.format(announcedEnd)} (horário de Brasília)`
      throw new SendRefused(`o WhatsApp não deixa este número começar conversas ${end}`)
    },
  }
}
