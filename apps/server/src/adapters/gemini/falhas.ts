import type { RegistroIa } from '#ports/ai.ts'

/**
 * Reasons a question may fail, as the owner reads them in the log. The provider's own text is not used because it
 * may contain secrets.
 */
export const MOTIVOS = {
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
export type MotivoIa = keyof typeof MOTIVOS

const DO_PROVEDOR: ReadonlySet<MotivoIa> = new Set<MotivoIa>([
  ...(['tempo', 'rede', 'provedor', 'cota', 'chave', 'modelo', 'redirecionou', 'grande', 'confusa'] as const),
])

export class FalhaIa extends Error {
  readonly motivo: MotivoIa

  /** `detalhe` goes to the server log only and must be redacted. */
  constructor(motivo: MotivoIa, detalhe = '') {
    super(detalhe === '' ? motivo : `${motivo}: ${detalhe}`)
    this.name = 'FalhaIa'
    this.motivo = motivo
  }

  get doProvedor(): boolean {
    return DO_PROVEDOR.has(this.motivo)
  }
}

export type Gasto = Omit<RegistroIa, 'duracaoMs'>

/** A failure after the provider was called; it carries the tokens used until then. */
export class ConversaFalhou extends FalhaIa {
  readonly gasto: Gasto
  readonly abriu: boolean

  constructor(falha: FalhaIa, gasto: Gasto, abriu = false) {
    super(falha.motivo)
    this.message = falha.message
    this.gasto = gasto
    this.abriu = abriu
  }
}

export function motivoDoStatus(status: number, corpo: string): MotivoIa {
  if (status === 429) return 'cota'
  if (status >= 500 || status === 408) return 'provedor'
  if (status === 401 || status === 403 || /API_KEY_INVALID|API key (not valid|expired)/i.test(corpo)) return 'chave'
  return status === 404 ? 'modelo' : 'pedido'
}

const DETALHE_MAXIMO = 200

export function emFrase(error: unknown): string {
  const motivo = falhaEm(error)?.motivo ?? 'confusa'
  if (motivo === 'chave') return 'API Key inválida'
  const texto = MOTIVOS[motivo]
  return `${texto.charAt(0).toUpperCase()}${texto.slice(1)}. Tente novamente em instantes.`
}

/** Removes the key and truncates a text from outside. */
export function redigir(texto: string, segredo: string): string {
  const limpo = segredo === '' ? texto : texto.replaceAll(segredo, '[chave]')
  return limpo
    .replace(/AIza[\w-]{10,}/g, '[chave]')
    .replace(/\s+/g, ' ')
    .slice(0, DETALHE_MAXIMO)
}

export function falhaEm(error: unknown): FalhaIa | null {
  let atual = error
  for (let nivel = 0; nivel < 6 && atual instanceof Error; nivel += 1) {
    if (atual instanceof FalhaIa) return atual
    atual = atual.cause
  }
  return null
}

export function motivoDoFim(sinal: AbortSignal): FalhaIa {
  const motivo: unknown = sinal.reason
  return motivo instanceof FalhaIa ? motivo : new FalhaIa('tempo')
}
