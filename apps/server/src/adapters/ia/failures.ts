import { FATOS_PROVEDOR, type ProvedorIa } from '@balcao/contract/presets/provedores-ia'
import type { AiCallRecord } from '#ports/ai.ts'

/**
 * Reasons a question may fail, as the owner reads them in the log. The provider's own text is not used because it
 * may contain secrets. `{o}` is the provider with its article, `{ao}`, `{pelo}`, `{do}` and `{no}` its contractions.
 */
const MOTIVO_TEXTS = {
  tempo: '{o} demorou demais',
  rede: 'não foi possível conectar {ao}',
  provedor: '{o} está com problemas',
  cota: 'o limite de uso da API Key {no} foi atingido',
  chave: 'a API Key foi recusada {pelo}, confira-a na aba IA',
  modelo: '{o} não conhece o modelo escolhido',
  pedido: '{o} não aceitou a pergunta',
  endereco: 'o endereço {do} não está entre os permitidos pelo administrador',
  redirecionou: 'o endereço {do} respondeu com um desvio, que não é seguido',
  grande: 'a resposta {do} passou do tamanho permitido',
  confusa: '{o} respondeu algo que não se entende',
  recusou: '{o} se recusou a responder a esta pergunta',
  vazia: '{o} respondeu vazio',
  disjuntor: '{o} falhou várias vezes seguidas, uma nova tentativa será feita em instantes',
  fila: 'havia perguntas demais ao mesmo tempo e a vez desta não chegou',
  ritmo: 'este cliente fez perguntas demais em um minuto',
  cancelada: 'a pergunta foi substituída por outra',
} as const
export type AiMotivo = keyof typeof MOTIVO_TEXTS

const CONTRACTIONS: Readonly<Record<string, string>> = { o: '', ao: 'a', pelo: 'pel', do: 'd', no: 'n' }

/** The reason as a part of a sentence, in Portuguese. */
export function motivoText(motivo: AiMotivo, provedor: ProvedorIa): string {
  const { nome, artigo } = FATOS_PROVEDOR[provedor]
  return MOTIVO_TEXTS[motivo].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const contracted = name === 'ao' && artigo === 'a' ? 'à' : `${CONTRACTIONS[name] ?? ''}${artigo}`
    return `${contracted} ${nome}`
  })
}

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

/** Texts in the answers of one vendor that say more than its status. */
export interface OwnErrors {
  readonly chave?: RegExp
  readonly cota?: RegExp
  readonly modelo?: RegExp
}

export function motivoForStatus(status: number, body: string, own: OwnErrors): AiMotivo {
  const says = (text: RegExp | undefined): boolean => text?.test(body) === true
  if ([402, 429].includes(status) || says(own.cota)) return 'cota'
  if (status >= 500 || status === 408) return 'provedor'
  if ([401, 403].includes(status) || says(own.chave)) return 'chave'
  return status === 404 || says(own.modelo) ? 'modelo' : 'pedido'
}

const DETAIL_MAX = 200

export function failureSentence(error: unknown, provedor: ProvedorIa): string {
  const motivo = findAiFailure(error)?.motivo ?? 'confusa'
  if (motivo === 'chave') return 'API Key inválida'
  const texto = motivoText(motivo, provedor)
  return `${texto.charAt(0).toUpperCase()}${texto.slice(1)}.${motivo === 'endereco' ? '' : ' Tente novamente em instantes.'}`
}

export function redact(text: string, secret: string): string {
  const clean = secret === '' ? text : text.replaceAll(secret, '[chave]')
  return clean
    .replace(/(?:AIza|sk-)[\w-]{10,}/g, '[chave]')
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
