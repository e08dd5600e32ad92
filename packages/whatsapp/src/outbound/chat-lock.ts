import { SendRefused } from '@balcao/connector/errors'

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
