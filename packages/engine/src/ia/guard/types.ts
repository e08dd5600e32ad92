import type { Trecho } from '@balcao/contract/entities/fonte'
import type { Afirmacao } from '@balcao/contract/entities/resposta-ia'
import type { BotContext } from '#context.ts'

export interface GuardVerdict {
  /** The answer must not be sent: a statement has no support. */
  readonly retida: boolean
  readonly afirmacoes: readonly Afirmacao[]
}

/** Everything that the shop itself said. */
export interface Evidence {
  readonly contexto: Pick<BotContext, 'empresa' | 'produtos' | 'config'>
  /** Instant of the question, in ms. */
  readonly agora: number
  /** Pieces of sources that were found for the question. */
  readonly trechos: readonly Trecho[]
  /** Results of tools that the model used for this answer. */
  readonly ferramentas: readonly { readonly nome: string; readonly resultado: string }[]
  /** Names the subject of a short answer. Its numbers support nothing. */
  readonly pergunta?: string
}
