import { SendRefused } from './anfitriao.ts'

/** WhatsApp's notice that this number may not start chats for a while. Chats that customers started stay open. */
export interface ChatLockNotice {
  readonly isActive?: boolean
  readonly timeEnforcementEnds?: Date | undefined
}

export interface ChatLock {
  readonly noticed: (aviso: ChatLockNotice) => void
  readonly refused: (endereco: string) => void
  /**
   * Rejects with `Recusada` if the number is locked and this message would start a chat, because each attempt
   * extends the lock. `conhecido` returns whether a chat exists.
   */
  readonly check: (endereco: string, conhecido: () => Promise<boolean>) => Promise<void>
}

/** Duration of a lock whose notice has no end. */
const OPEN_ENDED_MS = 60_000

const dateFormat = new Intl.DateTimeFormat('pt-BR', {
  ...{ dateStyle: 'short', timeStyle: 'short' },
  timeZone: 'America/Sao_Paulo',
})

export function createChatLock(now: () => number = Date.now): ChatLock {
  const recusados = new Set<string>()
  let ate = 0
  let dito: Date | undefined
  return {
    noticed: ({ isActive, timeEnforcementEnds }) => {
      dito = timeEnforcementEnds
      ate = isActive === true ? (timeEnforcementEnds?.getTime() ?? now() + OPEN_ENDED_MS) : 0
      if (ate <= now()) recusados.clear()
    },
    refused: (endereco) => void recusados.add(endereco),
    check: async (endereco, conhecido) => {
      if (ate <= now()) return
      if (!recusados.has(endereco) && (await conhecido())) return
      const quando = dito === undefined ? 'por enquanto' : `até ${dateFormat.format(dito)} (horário de Brasília)`
      throw new SendRefused(`o WhatsApp não deixa este número começar conversas ${quando}`)
    },
  }
}
