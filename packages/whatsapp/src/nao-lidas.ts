import type { WAMessageKey } from 'baileys'

const MAX_CHATS = 2_000
const MAX_PER_CHAT = 50

export interface UnreadMessages {
  readonly arrived: (endereco: string, key: WAMessageKey) => void
  readonly takeAnswered: (endereco: string) => WAMessageKey[]
}

export function createUnreadMessages(): UnreadMessages {
  const conversas = new Map<string, WAMessageKey[]>()
  return {
    arrived: (endereco, key) => {
      const antes = conversas.get(endereco) ?? []
      conversas.delete(endereco)
      conversas.set(endereco, [...antes.slice(1 - MAX_PER_CHAT), key])
      if (conversas.size > MAX_CHATS) conversas.delete(conversas.keys().next().value ?? '')
    },
    takeAnswered: (endereco) => {
      const keys = conversas.get(endereco) ?? []
      conversas.delete(endereco)
      return keys
    },
  }
}
