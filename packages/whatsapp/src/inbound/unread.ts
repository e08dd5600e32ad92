import type { WAMessageKey } from 'baileys'

const MAX_CHATS = 2_000
const MAX_PER_CHAT = 50

export interface UnreadMessages {
  readonly arrived: (address: string, key: WAMessageKey) => void
  readonly takeAnswered: (address: string) => WAMessageKey[]
}

export function createUnreadMessages(): UnreadMessages {
  const conversas = new Map<string, WAMessageKey[]>()
  return {
    arrived: (address, key) => {
      const before = conversas.get(address) ?? []
      conversas.delete(address)
      conversas.set(address, [...before.slice(1 - MAX_PER_CHAT), key])
      if (conversas.size > MAX_CHATS) conversas.delete(conversas.keys().next().value ?? '')
    },
    takeAnswered: (address) => {
      const keys = conversas.get(address) ?? []
      conversas.delete(address)
      return keys
    },
  }
}
