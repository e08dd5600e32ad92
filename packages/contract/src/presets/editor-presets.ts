export const NOVA_OPCAO = {
  titulo: 'Nova Opção',
  tipo: 'mensagem',
  resposta: 'Escreva aqui a resposta desta opção.',
} as const

export const EMOJIS = [
  '👋',
  '😊',
  '💚',
  '🛍️',
  '🕗',
  '📍',
  '🤖',
  '👤',
  '⭐',
  '✅',
  '❌',
  '📦',
  '💬',
  '🙏',
  '🎉',
  '📞',
  '💳',
  '🚚',
  '📋',
  '🔔',
] as const

export interface ModeloIa {
  readonly id: string
  readonly nome: string
  readonly recomendado?: true
}

/**
 * Shown until the list of the provider has been read. The first entry keeps the label 'Gemini 1.5 Flash' that
 * existing users know.
 */
export const MODELOS_IA: readonly ModeloIa[] = [
  { id: 'gemini-2.5-flash', nome: 'Gemini 1.5 Flash', recomendado: true },
  { id: 'gemini-1.5-pro', nome: 'Gemini 1.5 Pro' },
  { id: 'gemini-pro', nome: 'Gemini Pro' },
]

export const MODELO_ATUAL = 'gemini-flash-latest'

/** Returns the model name to send to the provider. Retired names are replaced by the current model. */
export function resolveModelo(id: string): string {
  return id === 'gemini-pro' || id.startsWith('gemini-1.5-') ? MODELO_ATUAL : id
}
