import { AppError } from '#errors.ts'
import { janelaFechada } from './janela.ts'
import type { Travada } from './repository-envio.ts'

interface Quem {
  readonly operadorId: string
  readonly agora: Date
  /** An approved message may be sent at any time. */
  readonly comModelo: boolean
}

/**
 * Why this operator may not write to this conversation; null when they may, if need be by taking it first. The daily limit is
 * another's to say.
 */
export function recusaDeEnvio(travada: Travada, { operadorId, agora, comModelo }: Quem): AppError | null {
  const { status, operador_id: dono, operador } = travada
  if (status === 'finalizada') return new AppError('conversaFinalizada')
  if (!comModelo && janelaFechada(travada, agora)) return new AppError('janelaFechada')
  if (status === 'aguardando' || dono === null || dono === operadorId) return null
  return new AppError('conversaAssumida', { operadorId: dono, operador })
}
