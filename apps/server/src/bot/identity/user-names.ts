import { setUserName } from '#modules/conversas/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { Decision } from '#bot/turn/types.ts'

/**
 * Stores the user names that differ from the stored ones. Uses separate transactions, because a name may move
 * between two contatos. Never rejects: the next message contains the name again.
 */
export async function storeUserNames(
  { db, log }: Pick<BotDeps, 'db' | 'log'>,
  decisions: readonly Decision[],
): Promise<void> {
  for (const { contaId, contato, turn } of decisions) {
    const userName = turn.tipo === 'mensagem' ? (turn.message.nomeUsuario ?? '') : ''
    if (userName === '' || userName === contato.nomeUsuario) continue
    try {
      await db.transaction(contaId, (tx) => setUserName(tx, contaId, contato.id, userName))
    } catch (error) {
      log.warn({ err: error, contaId }, 'user name not stored, the next message repeats it')
    }
  }
}
