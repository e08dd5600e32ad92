import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { OperadorSend } from './send-mensagens.ts'
import { alreadySent, sendRefusal } from './send-refusal.ts'
import { lockConversa } from './send-repository.ts'

/**
 * Checks before an expensive preparation, such as storing a file, whether this operador may send. Throws the errors
 * of a send except the daily limit; the send itself checks again. Returns `repetido` if the mensagem is already
 * stored under this `idTemporario`.
 */
export async function checkSend(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  envio: Pick<OperadorSend, 'contaId' | 'conversaId' | 'idTemporario' | 'operador'>,
): Promise<'novo' | 'repetido'> {
  const { contaId, conversaId, idTemporario = null, operador } = envio
  const locked = await lockConversa(tx, contaId, conversaId, idTemporario)
  if (locked === null) throw new AppError('naoEncontrado')
  if (alreadySent(locked, operador.id) !== null) return 'repetido'
  const refusal = sendRefusal(locked, { operadorId: operador.id, now: deps.clock.now(), withModelo: false })
  if (refusal !== null) throw refusal
  return 'novo'
}
