import type { WAMessageKey } from 'baileys'

const CONVERSAS = 2_000
const POR_CONVERSA = 50

export interface NaoLidas {
  readonly chegou: (endereco: string, key: WAMessageKey) => void
  readonly respondida: (endereco: string) => WAMessageKey[]
}

export function createNaoLidas(): NaoLidas {
  const conversas = new Map<string, WAMessageKey[]>()
  return {
    chegou: (endereco, key) => {
      const antes = conversas.get(endereco) ?? []
      conversas.delete(endereco)
      conversas.set(endereco, [...antes.slice(1 - POR_CONVERSA), key])
      if (conversas.size > CONVERSAS) conversas.delete(conversas.keys().next().value ?? '')
    },
    respondida: (endereco) => {
      const keys = conversas.get(endereco) ?? []
      conversas.delete(endereco)
      return keys
    },
  }
}
