import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { type ClearedConversa, deleteFinishedConversas } from '#modules/conversas/index.ts'
import { requireNoLegalHold } from '#modules/lgpd/index.ts'
import { insertLog } from '#modules/logs/index.ts'

/** Batch size. A customer message waits for one transaction at most. */
const BATCH_SIZE = 200

type ClearDeps = Pick<Deps, 'db' | 'files' | 'log' | 'realtime' | 'ids' | 'clock'>

/** Deletes finished and bot-only conversas with their files, never open human ones. Returns how many it deleted. */
export async function clearConversas(
  deps: ClearDeps,
  { contaId, nome }: Pick<LoginSession, 'contaId' | 'nome'>,
): Promise<number> {
  await deps.db.read(contaId, (tx) => requireNoLegalHold(tx, contaId))
  let total = 0
  for (;;) {
    const clean = await clearSome(deps, contaId)
    total += clean.length
    if (clean.length === 0) break
  }
  if (total > 0) {
    await sweepArquivos(deps, contaId).catch((error: unknown) => {
      deps.log.error({ err: error, contaId }, 'files of deleted conversas left to sweep')
    })
    const count = total === 1 ? '1 conversa encerrada ou só com o bot' : `${total} conversas encerradas ou só com o bot`
    const mensagem = `${nome} apagou ${count}. As que esperam ou falam com uma pessoa continuam.`
    await deps.db.transaction(contaId, (tx) => insertLog(tx, deps, contaId, { tipo: 'user', mensagem }))
  }
  return total
}

function clearSome(deps: ClearDeps, contaId: string): Promise<ClearedConversa[]> {
  return deps.db.transaction(contaId, async (tx) => {
    const clean = await deleteFinishedConversas(tx, contaId, BATCH_SIZE)
    tx.afterCommit(() => {
      for (const { contatoId, telefone, nome, withBot } of clean) {
        if (!withBot) continue
        const data = { id: contatoId, telefone, nome, ativa: false, userId: contaId }
        deps.realtime.publish(contaId, 'botConversaAtiva', data)
      }
    })
    return clean
  })
}
