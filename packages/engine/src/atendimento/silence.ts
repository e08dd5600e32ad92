import type { Inatividade } from '@balcao/contract/entities/config'

/** Facts about a conversa when its silence timer is due. Instants are in ms. */
export interface SilenceFacts {
  readonly served: boolean
  /** The last message of a person that the customer could read. Null: none. */
  readonly personAt: number | null
  /** The last message of the customer. Null: none. */
  readonly customerAt: number | null
  /** The customer's last message is after that of the person, by the order of the conversa. */
  readonly customerWaits: boolean
  readonly warnedAt: number | null
  /** A message to the customer is on its way, or the bot is not connected, so an answer could not arrive. */
  readonly unreachable: boolean
}

export type SilenceStep =
  | { readonly tipo: 'drop' }
  | { readonly tipo: 'wait'; readonly until: number; readonly warnedAt: number | null }
  | { readonly tipo: 'warn'; readonly until: number }
  | { readonly tipo: 'finish' }

const RETRY_MS = 60_000

/**
 * Decides what a due silence timer does: it ends, waits, warns the customer once, or finishes the conversa. A customer
 * who waits for an answer gets no warning and stays open. An answer of the customer after the warning restarts the timer.
 * A message of a person after the warning only delays the end.
 */
export function stepSilence(rules: Inatividade, facts: SilenceFacts, now: number): SilenceStep {
  const { served, personAt, customerAt, customerWaits, unreachable } = facts
  if (!rules.ativa || !served || personAt === null || customerWaits) return { tipo: 'drop' }
  const answered = facts.warnedAt !== null && customerAt !== null && customerAt >= facts.warnedAt
  const warnedAt = answered ? null : facts.warnedAt
  const dueAt =
    warnedAt === null
      ? personAt + rules.avisoMinutos * 60_000
      : Math.max(warnedAt, personAt) + rules.encerrarMinutos * 60_000
  if (now < dueAt) return { tipo: 'wait', until: dueAt, warnedAt }
  if (unreachable) return { tipo: 'wait', until: now + RETRY_MS, warnedAt }
  return warnedAt === null ? { tipo: 'warn', until: now + rules.encerrarMinutos * 60_000 } : { tipo: 'finish' }
}
