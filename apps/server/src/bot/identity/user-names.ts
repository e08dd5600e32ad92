import type { Tx } from '#db/transaction.ts'
import { setUserName } from '#modules/conversas/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { Decision } from '#bot/turn/types.ts'

/** The user name of a message that differs from the stored one, or ''. */
export function newUserName({ contato, turn }: Decision): string {
  const userName = turn.tipo === 'mensagem' ? (turn.message.nomeUsuario ?? '') : ''
  return userName === contato.nomeUsuario ? '' : userName
}

/** The turns of other contas wait for the names of a batch. */
const LOCK_MS = 500

/**
 * Stores the new user names. Uses separate transactions, because a name may move between two contatos. They take the
 * shared turn, because the batch also holds messages of other contas. Never rejects, and leaves out the rest of a conta
 * after an error: the next message contains the name again.
 */
export async function storeUserNames(
  { db, log }: Pick<BotDeps, 'db' | 'log'>,
  decisions: readonly Decision[],
): Promise<void> {
  const byConta = Map.groupBy(decisions, ({ contaId }) => contaId)
  const storeOf = async (contaId: string, ofConta: readonly Decision[]): Promise<void> => {
    for (const decision of ofConta) {
      const store = (tx: Tx): Promise<void> =>
        setUserName(tx, { contaId, contatoId: decision.contato.id, userName: newUserName(decision) })
      await db.transaction([contaId], store, { lockMs: LOCK_MS })
    }
  }
  const stored = [...byConta].map(([contaId, ofConta]) =>
    storeOf(contaId, ofConta).catch((error: unknown) =>
      log.warn({ err: error, contaId }, 'user name not stored, the next message repeats it'),
    ),
  )
  await Promise.all(stored)
}
