import { AppError } from '#errors.ts'
import { janelaFechada } from './janela.ts'
import type { Travada } from './repository-envio.ts'

interface Quem {
  readonly operadorId: string
  readonly agora: Date
  /** An approved message may be sent at any time. */
  readonly comModelo: boolean
}

/** The message that this operator sends again; one of the same name by somebody else is another message. */
export function jaEnviada({ repetida, repetida_de: autor }: Travada, operadorId: string): string | null {
  return autor === operadorId ? repetida : null
}

/**
 * Why this operator may not write to this conversation; null when they may, if need be by taking it first. The daily limit is
 * another's to say.
 */
export function recusaDeEnvio(travada: Travada, { operadorId, agora, comModelo }: Quem): AppError | null {
  const { status, operador_id: dono, operador } = travada
  if (status === 'finalizada') return new AppError('conversaFinalizada')
  if (!comModelo && janelaFechada(travada, agora)) return new AppError('janelaFechada')
  const deOutro = status !== 'aguardando' && dono !== null && dono !== operadorId
  if (deOutro) return new AppError('conversaAssumida', { operadorId: dono, operador })
  // The name is taken: better asked again under another than told as sent what was not.
  return travada.repetida === null ? null : new AppError('conflito')
}
