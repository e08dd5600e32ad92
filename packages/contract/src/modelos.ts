/** Ready-made pieces of the editors (spec §2 "Tab mensagens" and "Tab ia", §9). */

/** What 'Add option' inserts, but its number: the option count plus one (spec §5). */
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

/** The built-in list, used until the provider's own is known. The first label is the specification's. */
export const MODELOS_IA: readonly ModeloIa[] = [
  { id: 'gemini-2.5-flash', nome: 'Gemini 1.5 Flash', recomendado: true },
  { id: 'gemini-1.5-pro', nome: 'Gemini 1.5 Pro' },
  { id: 'gemini-pro', nome: 'Gemini Pro' },
]

/** What retired and unknown names lead to. */
export const MODELO_ATUAL = 'gemini-flash-latest'

/** The name to ask the provider for: retired names lead to the current one (decisions §2). */
export function modeloVigente(id: string): string {
  return id === 'gemini-pro' || id.startsWith('gemini-1.5-') ? MODELO_ATUAL : id
}

/** Whether a model sees pictures and hears recordings: every Gemini that is still offered does. */
export function modeloLeMidia(id: string): boolean {
  return modeloVigente(id).startsWith('gemini-')
}
