import { REABRIR_DIAS } from '@balcao/contract/constants'
import type { MotivoAgendada } from '@balcao/contract/entities/agendada'

/** Facts about a scheduled message at its time. Instants are in ms. */
export interface ScheduledFacts {
  readonly cancelOnAnswer: boolean
  readonly answered: boolean
  readonly askedToStop: boolean
  readonly authorActive: boolean
  readonly authorMayRead: boolean
  /** The customer may be written to freely. */
  readonly windowOpen: boolean
  /** Null: people serve the conversa or it waits for them. */
  readonly finishedAt: number | null
  readonly otherOpen: boolean
}

export type ScheduledStep =
  | { readonly tipo: 'send'; readonly reopen: boolean }
  | { readonly tipo: 'end'; readonly estado: 'cancelada' | 'falhou'; readonly motivo: MotivoAgendada }

/** How long after its end a conversa may be reopened. */
export const REOPEN_MS = REABRIR_DIAS * 86_400_000

const end = (estado: 'cancelada' | 'falhou', motivo: MotivoAgendada): ScheduledStep => ({ tipo: 'end', estado, motivo })

/** Decides what becomes of a scheduled message at its time. A reason to cancel goes before a reason to fail. */
export function stepScheduled(facts: ScheduledFacts, now: number): ScheduledStep {
  const { finishedAt } = facts
  if (facts.askedToStop) return end('cancelada', 'pediuParada')
  if (facts.cancelOnAnswer && facts.answered) return end('cancelada', 'clienteRespondeu')
  if (!facts.authorActive) return end('falhou', 'autorInativo')
  if (!facts.authorMayRead) return end('falhou', 'autorSemAcesso')
  if (!facts.windowOpen) return end('falhou', 'janelaFechada')
  if (finishedAt === null) return { tipo: 'send', reopen: false }
  if (facts.otherOpen) return end('falhou', 'conversaAberta')
  return now - finishedAt > REOPEN_MS ? end('falhou', 'conversaAntiga') : { tipo: 'send', reopen: true }
}
