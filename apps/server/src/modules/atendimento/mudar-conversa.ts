import type { Conversa } from '@balcao/contract/entities/conversa'
import { findConversaHumana } from '#bot/conversa-humana.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type Atendida, findAtendida } from './repository.ts'

export type MudarDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'acontecerEm'>

export interface Alvo {
  readonly contaId: string
  readonly id: string
}

export interface Mudanca {
  readonly evento: Parameters<Deps['acontecerEm']>[3]
  /** A conditional update. Returns false if another operador changed the conversa meanwhile. */
  readonly gravar: (tx: Tx) => Promise<boolean>
  /** Runs after the commit, after the bot's messages are published. */
  readonly publicar: () => void
}

/**
 * Applies an action of an operador. The bot event locks the contato before the row of the conversa is updated;
 * customer messages use the same order, so there is no deadlock. If another operador was faster, it throws and the
 * transaction rolls back.
 */
export async function mudar(
  tx: Tx,
  deps: Pick<MudarDeps, 'acontecerEm'>,
  { contaId, id }: Alvo,
  { evento, gravar, publicar }: Mudanca,
): Promise<void> {
  const { contato_id: contatoId } = await exigirAberta(tx, contaId, id)
  await deps.acontecerEm(tx, contaId, contatoId, evento)
  if (!(await gravar(tx))) {
    const { operador_id: operadorId, operador } = await exigirAberta(tx, contaId, id)
    throw operadorId === null ? new AppError('conflito') : new AppError('conversaAssumida', { operadorId, operador })
  }
  tx.afterCommit(publicar)
}

export async function mudarConversa(tx: Tx, deps: MudarDeps, alvo: Alvo, mudanca: Mudanca): Promise<Conversa> {
  await mudar(tx, deps, alvo, mudanca)
  const conversa = await findConversaHumana(tx, alvo.contaId, alvo.id)
  if (conversa === null) throw new AppError('naoEncontrado')
  return conversa
}

/**
 * Throws `naoEncontrado` for an unknown conversa, one of another conta or one of the bot, and `conversaFinalizada`
 * for a finished one.
 */
export async function exigirAberta(tx: Tx, contaId: string, id: string): Promise<Atendida> {
  const atendida = await findAtendida(tx, contaId, id)
  if (atendida === null) throw new AppError('naoEncontrado')
  if (atendida.status === 'finalizada') throw new AppError('conversaFinalizada')
  return atendida
}

export function exigirMinha({ operador_id: operadorId, operador }: Atendida, meuId: string): void {
  if (operadorId !== null && operadorId !== meuId) throw new AppError('conversaAssumida', { operadorId, operador })
}
