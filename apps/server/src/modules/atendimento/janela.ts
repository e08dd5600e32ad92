import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Travada } from './repository.ts'

/** Meta lets a business answer for a day after the customer's last message. Throws `janelaFechada`. */
export function exigirJanela({ clock }: Pick<Deps, 'clock'>, { janela_ate: ate, teste }: Travada): void {
  if (ate !== null && !teste && ate <= clock.now()) throw new AppError('janelaFechada')
}
