import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Travada } from './repository-envio.ts'

/** Meta allows free-form replies for 24 hours after the customer's last message. */
export function janelaFechada({ janela_ate: ate, teste }: Travada, agora: Date): boolean {
  return ate !== null && !teste && ate <= agora
}

export function exigirJanela({ clock }: Pick<Deps, 'clock'>, travada: Travada): void {
  if (janelaFechada(travada, clock.now())) throw new AppError('janelaFechada')
}
