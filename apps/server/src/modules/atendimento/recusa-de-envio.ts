import { AppError } from '#errors.ts'
import { janelaFechada } from './janela.ts'
import type { Travada } from './repository-envio.ts'

interface Quem {
  readonly operadorId: string
  readonly agora: Date
  readonly comModelo: boolean
}

/** Returns the stored mensagem if this operador repeats a send. The same key from another operador is not a repeat. */
export function jaEnviada({ repetida, repetida_de: autor }: Travada, operadorId: string): string | null {
  return autor === operadorId ? repetida : null
}

/**
 * Returns the reason why the operador may not send, or null. Null also for a waiting conversa, which the send takes
 * first. Does not check the daily limit.
 */
export function recusaDeEnvio(travada: Travada, { operadorId, agora, comModelo }: Quem): AppError | null {
  const { status, operador_id: dono, operador } = travada
  if (status === 'finalizada') return new AppError('conversaFinalizada')
  if (!comModelo && janelaFechada(travada, agora)) return new AppError('janelaFechada')
  const deOutro = status !== 'aguardando' && dono !== null && dono !== operadorId
  if (deOutro) return new AppError('conversaAssumida', { operadorId: dono, operador })
  // Another operador used this key. The client must use a new one.
  return travada.repetida === null ? null : new AppError('conflito')
}
