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

export type ClaimKind = 'dinheiro' | 'percentual' | 'hora' | 'data' | 'prazo' | 'numero' | 'link' | 'email' | 'palavra'

/** A part of a text that only the shop can know. */
export interface Claim {
  readonly kind: ClaimKind
  readonly start: number
  readonly end: number
  /** Meanings that it may have: 'às 6' is 06:00 or 18:00. At least one must be supported. */
  readonly keys: readonly string[]
  /** Cents of a sum of money, minutes of a time, the percentage. Else NaN. */
  readonly value: number
}

/** Tokens from `first` up to `last` that make one claim. */
export interface FoundClaim {
  readonly kind: ClaimKind
  readonly first: number
  readonly last: number
  readonly keys: readonly string[]
  readonly value: number
}
