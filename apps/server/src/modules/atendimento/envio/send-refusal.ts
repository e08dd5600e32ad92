import { AppError } from '#errors.ts'
import { isJanelaClosed } from './reply-window.ts'
import type { LockedConversa } from './send-repository.ts'

interface Sender {
  readonly operadorId: string
  readonly now: Date
  readonly withModelo: boolean
}

/** Returns the stored mensagem if this operador repeats a send. The same key from another operador is not a repeat. */
export function alreadySent({ repetida, repetida_de: autor }: LockedConversa, operadorId: string): string | null {
  return autor === operadorId ? repetida : null
}

/**
 * Returns the reason why the operador may not send, or null. Null also for a waiting conversa, which the send takes
 * first. Does not check the daily limit.
 */
export function sendRefusal(locked: LockedConversa, { operadorId, now, withModelo }: Sender): AppError | null {
  const { status, operador_id: dono, operador } = locked
  if (status === 'finalizada') return new AppError('conversaFinalizada')
  if (!withModelo && isJanelaClosed(locked, now)) return new AppError('janelaFechada')
  const deOutro = status !== 'aguardando' && dono !== null && dono !== operadorId
  if (deOutro) return new AppError('conversaAssumida', { operadorId: dono, operador })
  // Another operador used this key. The client must use a new one.
  return locked.repetida === null ? null : new AppError('conflito')
}
