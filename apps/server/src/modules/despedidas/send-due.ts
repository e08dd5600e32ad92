import type { Deps } from '#deps.ts'
import { lockContatosOf } from '#modules/conversas/index.ts'
import { runEach } from '#modules/prazos/index.ts'
import { listDueFarewells, takeDueFarewells } from './repository.ts'

type FarewellDeps = Pick<Deps, 'db' | 'clock' | 'sendEventIn' | 'crashPoint'>

/** Sends the due farewells of a conta, together or, after an error, each alone. Throws the first error at the end. */
export async function sendDueFarewells(deps: FarewellDeps, contaId: string): Promise<void> {
  const now = deps.clock.now()
  const due = await deps.db.read(contaId, (tx) => listDueFarewells(tx, { contaId, now }))
  const ids = due.map(({ conversaId }) => conversaId)
  try {
    await sendFarewells(deps, contaId, ids)
  } catch {
    await runEach(ids, (id) => sendFarewells(deps, contaId, [id]))
  }
}

/** The row and the messages have one COMMIT, so a farewell leaves once. */
async function sendFarewells(
  { db, clock, sendEventIn, crashPoint }: FarewellDeps,
  contaId: string,
  conversaIds: readonly string[],
): Promise<void> {
  if (conversaIds.length === 0) return
  await db.transaction(contaId, async (tx) => {
    await lockContatosOf(tx, { contaId, ids: conversaIds })
    // First, so that a crash comes before the other callbacks send and publish.
    tx.afterCommit(() => crashPoint('despedida.apos-commit'))
    for (const { contatoId, linhaId, semAvaliacao, ended } of await takeDueFarewells(tx, {
      contaId,
      now: clock.now(),
      conversaIds,
    })) {
      if (!ended) continue
      const { stored } = await sendEventIn(tx, { contaId, linhaId, contatoId }, (base) => ({
        tipo: 'atendenteFinalizou',
        ...(semAvaliacao ? { semAvaliacao } : {}),
        ...base,
      }))
      await stored
    }
    crashPoint('despedida.antes-commit')
  })
}
