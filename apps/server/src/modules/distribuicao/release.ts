import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { publishReturned } from '#modules/atendimento/index.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { lockContatosOf, releaseUnanswered } from '#modules/conversas/index.ts'
import {
  deleteTimers,
  listDueTimers,
  lockDueTimers,
  OFFLINE_MS,
  recordPasses,
  signalQueues,
} from '#modules/prazos/index.ts'
import type { DistributionDeps } from './distribute.ts'
import { listServedBy, takeOffline } from './queue.ts'

type ReleaseDeps = Pick<DistributionDeps, 'db' | 'clock' | 'realtime' | 'vault' | 'crashPoint'>

export async function releaseSilentPeople(deps: ReleaseDeps, contaId: string): Promise<void> {
  const { db, clock, crashPoint } = deps
  await db.transaction(contaId, async (tx) => {
    const due = { tipo: 'resposta', now: clock.now() } as const
    const ids = (await listDueTimers(tx, { contaId, ...due })).map(({ conversaId }) => conversaId)
    await lockContatosOf(tx, { contaId, ids })
    const timers = await lockDueTimers(tx, { contaId, ...due, conversaIds: ids })
    // First, so that a crash comes before the other callbacks publish.
    tx.afterCommit(() => crashPoint('prazo.apos-commit'))
    const { config } = await loadConfig(tx, deps, contaId)
    const active = config.atendimento.distribuicao.modo === 'automatica'
    const people = Map.groupBy(active ? timers : [], ({ operadorId }) => operadorId)
    for (const [operadorId, rows] of people) {
      const conversaIds = rows.map(({ conversaId }) => conversaId)
      if (operadorId !== null) await release(tx, deps, { contaId, operadorId, conversaIds })
    }
    const handled = timers.map(({ conversaId }) => conversaId)
    await deleteTimers(tx, { contaId, tipo: 'resposta', conversaIds: handled })
    crashPoint('prazo.antes-commit')
  })
}

export async function releaseOfflinePeople(deps: ReleaseDeps, contaId: string): Promise<void> {
  const { db, clock } = deps
  await db.transaction(contaId, async (tx) => {
    const { config } = await loadConfig(tx, deps, contaId)
    const people = await takeOffline(tx, contaId, new Date(clock.now().getTime() - OFFLINE_MS))
    if (config.atendimento.distribuicao.modo === 'automatica' && people.length > 0) {
      const conversaIds = (await listServedBy(tx, { contaId, people })).map(({ id }) => id)
      await lockContatosOf(tx, { contaId, ids: conversaIds })
      for (const operadorId of people) await release(tx, deps, { contaId, operadorId, conversaIds })
    }
    await signalQueues(tx, { contas: [contaId] })
  })
}

async function release(
  tx: Tx,
  { clock, realtime }: Pick<Deps, 'clock' | 'realtime'>,
  { contaId, operadorId, conversaIds }: Parameters<typeof releaseUnanswered>[1],
): Promise<void> {
  const released = await releaseUnanswered(tx, { contaId, operadorId, conversaIds })
  const ids = released.map(({ id }) => id)
  await recordPasses(tx, { contaId, operadorId, now: clock.now(), conversaIds: ids })
  await deleteTimers(tx, { contaId, tipo: 'resposta', conversaIds: ids })
  tx.afterCommit(() => publishReturned(realtime, { contaId, operadorId }, released))
}
