import type { AiCallRecord } from '#ports/ai.ts'

/**
 * Reasons a question may fail, as the owner reads them in the log. The provider's own text is not used because it
 * may contain secrets.
 */
export const MOTIVO_TEXTS = {
  tempo: 'o Gemini demorou demais',
  rede: 'não foi possível conectar ao Gemini',
  provedor: 'o Gemini está com problemas',
  cota: 'o limite de uso da API Key no Gemini foi atingido',
  chave: 'a API Key foi recusada pelo Gemini, confira-a na aba IA',
  modelo: 'o Gemini não conhece o modelo escolhido',
  pedido: 'o Gemini não aceitou a pergunta',
  redirecionou: 'o endereço do Gemini respondeu com um desvio, que não é seguido',
  grande: 'a resposta do Gemini passou do tamanho permitido',
  confusa: 'o Gemini respondeu algo que não se entende',
  recusou: 'o Gemini se recusou a responder a esta pergunta',
  vazia: 'o Gemini respondeu vazio',
  disjuntor: 'o Gemini falhou várias vezes seguidas, uma nova tentativa será feita em instantes',
  fila: 'havia perguntas demais ao mesmo tempo e a vez desta não chegou',
  ritmo: 'este cliente fez perguntas demais em um minuto',
  cancelada: 'a pergunta foi substituída por outra',
} as const
export type AiMotivo = keyof typeof MOTIVO_TEXTS

const PROVIDER_MOTIVOS: ReadonlySet<AiMotivo> = new Set<AiMotivo>([
  ...(['tempo', 'rede', 'provedor', 'cota', 'chave', 'modelo', 'redirecionou', 'grande', 'confusa'] as const),
])

export class AiFailure extends Error {
  readonly motivo: AiMotivo

  /** `detail` goes to the server log only and must be redacted. */
  constructor(motivo: AiMotivo, detail = '') {
    super(detail === '' ? motivo : `${motivo}: ${detail}`)
    this.name = 'AiFailure'
    this.motivo = motivo
  }

  get fromProvider(): boolean {
    return PROVIDER_MOTIVOS.has(this.motivo)
  }
}

export type AiCost = Omit<AiCallRecord, 'duracaoMs'>

export class ExchangeFailed extends AiFailure {
  readonly cost: AiCost
  readonly openedCircuit: boolean

  constructor(failure: AiFailure, spent: AiCost, openedCircuit = false) {
    super(failure.motivo)
    this.message = failure.message
    this.cost = spent
    this.openedCircuit = openedCircuit
  }
}

export function motivoForStatus(status: number, body: string): AiMotivo {
  if (status === 429) return 'cota'
  if (status >= 500 || status === 408) return 'provedor'
  if (status === 401 || status === 403 || /API_KEY_INVALID|API key (not valid|expired)/i.test(body)) return 'chave'
  return status === 404 ? 'modelo' : 'pedido'
}

const DETAIL_MAX = 200

export function failureSentence(error: unknown): string {
  const motivo = findAiFailure(error)?.motivo ?? 'confusa'
  if (motivo === 'chave') return 'API Key inválida'
  const texto = MOTIVO_TEXTS[motivo]
  return `${texto.charAt(0).toUpperCase()}${texto.slice(1)}. Tente novamente em instantes.`
}

export function redact(text: string, secret: string): string {
  const clean = secret === '' ? text : text.replaceAll(secret, '[chave]')
  return clean
    .replace(/AIza[\w-]{10,}/g, '[chave]')
    .replace(/\s+/g, ' ')
    .slice(0, DETAIL_MAX)
}

export function findAiFailure(error: unknown): AiFailure | null {
  let current = error
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current instanceof AiFailure) return current
    current = current.cause
  }
  return null
}

export function abortFailure(signal: AbortSignal): AiFailure {
  const reason: unknown = signal.reason
  return reason instanceof AiFailure ? reason : new AiFailure('tempo')
}
