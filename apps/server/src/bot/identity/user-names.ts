import { setUserName } from '#modules/conversas/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { Decision } from '#bot/turn/types.ts'

/** The user name of a message that differs from the stored one, or ''. */
export function newUserName({ contato, turn }: Decision): string {
  const userName = turn.tipo === 'mensagem' ? (turn.message.nomeUsuario ?? '') : ''
  return userName === contato.nomeUsuario ? '' : userName
}

/**
 * Stores the new user names. Uses separate transactions, because a name may move between two contatos. They take the
 * shared turn, because the batch also holds messages of other contas. Never rejects: the next message contains the
 * name again.
 */
export async function storeUserNames(
  { db, log }: Pick<BotDeps, 'db' | 'log'>,
  decisions: readonly Decision[],
): Promise<void> {
  for (const decision of decisions) {
    const { contaId, contato } = decision
    const userName = newUserName(decision)
    if (userName === '') continue
    try {
      await db.transaction([contaId], (tx) => setUserName(tx, contaId, contato.id, userName))
    } catch (error) {
      log.warn({ err: error, contaId }, 'user name not stored, the next message repeats it')
    }
  }
}
