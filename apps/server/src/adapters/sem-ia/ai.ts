import type { Ai } from '#ports/ai.ts'

/** The assistant while no provider is connected: every question fails honestly, and the customer hears `naoEntendi`. */
export const semIa: Ai = {
  answer: () => Promise.resolve({ tipo: 'falha', motivo: 'a assistente de IA ainda não está disponível nesta versão' }),
}
