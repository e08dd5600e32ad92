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
  /** One conditional update. False when somebody else changed the conversation meanwhile. */
  readonly gravar: (tx: Tx) => Promise<boolean>
  /** After the commit, behind what the bot said. */
  readonly publicar: () => void
}

/**
 * An operator's act: the bot hears of it, which locks the contact, and only then the row changes; so a customer's message
 * and two operators never wait for each other in a circle. Who comes second leaves nothing behind.
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

/** The same, and the conversation as it is then. */
export async function mudarConversa(tx: Tx, deps: MudarDeps, alvo: Alvo, mudanca: Mudanca): Promise<Conversa> {
  await mudar(tx, deps, alvo, mudanca)
  const conversa = await findConversaHumana(tx, alvo.contaId, alvo.id)
  if (conversa === null) throw new AppError('naoEncontrado')
  return conversa
}

/** Unknown, another account's and the bot's are one 404; a finished one is read-only. */
export async function exigirAberta(tx: Tx, contaId: string, id: string): Promise<Atendida> {
  const atendida = await findAtendida(tx, contaId, id)
  if (atendida === null) throw new AppError('naoEncontrado')
  if (atendida.status === 'finalizada') throw new AppError('conversaFinalizada')
  return atendida
}

/** Throws `conversaAssumida`, naming who has it. */
export function exigirMinha({ operador_id: operadorId, operador }: Atendida, meuId: string): void {
  if (operadorId !== null && operadorId !== meuId) throw new AppError('conversaAssumida', { operadorId, operador })
}
