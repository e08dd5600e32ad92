import type { Tx } from '#db/transaction.ts'
import { countTaken } from '#modules/bot/index.ts'
import type { FencedWrite, LeaseKey } from '#ports/bots.ts'
import type { BotDeps } from './deps.ts'

interface RefusedWrite {
  readonly kind: FencedWrite
  readonly leases: readonly LeaseKey[]
}

/** Counts the leases that lost their bot. A bot that was only stopped, or a deleted row, refuses the write too. */
export async function countRefused(
  tx: Tx,
  { metrics }: Pick<BotDeps, 'metrics'>,
  { kind, leases }: RefusedWrite,
): Promise<void> {
  const taken = await countTaken(tx, { i: leases })
  if (taken > 0) tx.afterCommit(() => metrics.countFenced(kind, taken))
}
