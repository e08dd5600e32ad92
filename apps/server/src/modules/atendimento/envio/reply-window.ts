import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LockedConversa } from './send-repository.ts'

/** Meta allows free-form replies for 24 hours after the customer's last message. */
export function isJanelaClosed({ janela_ate: until, teste }: LockedConversa, now: Date): boolean {
  return until !== null && !teste && until <= now
}

export function requireJanela({ clock }: Pick<Deps, 'clock'>, locked: LockedConversa): void {
  if (isJanelaClosed(locked, clock.now())) throw new AppError('janelaFechada')
}
