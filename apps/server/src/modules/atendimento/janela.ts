import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LockedConversa } from './repository-envio.ts'

/** Meta allows free-form replies for 24 hours after the customer's last message. */
export function isJanelaClosed({ janela_ate: ate, teste }: LockedConversa, now: Date): boolean {
  return ate !== null && !teste && ate <= now
}

export function requireJanela({ clock }: Pick<Deps, 'clock'>, locked: LockedConversa): void {
  if (isJanelaClosed(locked, clock.now())) throw new AppError('janelaFechada')
}
