import { setTimeout as sleep } from 'node:timers/promises'
import { Batcher } from '#lib/queue/batcher.ts'
import type { Deps } from '#deps.ts'
import type { LineKey } from '#ports/bots.ts'
import type { OficialPrice } from '#ports/oficial.ts'
import { type LinePrice, recordCosts } from './record-costs.ts'

const PRICES_MAX = 500
/** A batch waits this many times as long as the last one took, so counting leaves the database to the turns. */
const REST_FACTOR = 9
const REST_MAX_MS = 100

interface QueuedPrice extends LinePrice {
  readonly key: string
  readonly counted: () => void
  readonly failed: (error: unknown) => void
}

/** Resolves when the prices of a webhook are stored. */
export type CountPrices = (line: LineKey, prices: readonly OficialPrice[]) => Promise<void>

/**
 * Counts the prices of many webhooks in one transaction, one transaction at a time. A single webhook does not wait. An
 * error of a batch reaches the webhooks of its conta alone.
 */
export function createPriceCounter(deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime'>): CountPrices {
  const { db } = deps
  const count = (prices: readonly LinePrice[]): Promise<void> =>
    db.transaction([...new Set(prices.map(({ contaId }) => contaId))].toSorted(), (tx) => recordCosts(tx, deps, prices))
  const settle = async (prices: readonly QueuedPrice[]): Promise<boolean> => {
    try {
      await count(prices)
      for (const { counted } of prices) counted()
      return true
    } catch (error) {
      const contas = Map.groupBy(prices, ({ contaId }) => contaId)
      if (contas.size > 1) return false
      for (const { failed } of prices) failed(error)
      return true
    }
  }
  const handleBatch = async (batch: readonly QueuedPrice[]): Promise<readonly []> => {
    const start = performance.now()
    if (!(await settle(batch))) {
      for (const prices of Map.groupBy(batch, ({ contaId }) => contaId).values()) await settle(prices)
    }
    await sleep(Math.min(REST_MAX_MS, REST_FACTOR * (performance.now() - start)))
    return []
  }
  const batcher = new Batcher<QueuedPrice>({
    ...{ max: PRICES_MAX, slots: 1, groupOf: ({ contaId }) => contaId, handleBatch },
  })
  let added = 0
  return async (line, prices) => {
    await Promise.all(
      prices.map((price) => {
        added += 1
        const { promise, resolve: counted, reject: failed } = Promise.withResolvers<void>()
        batcher.add({ key: String(added), ...line, price, counted, failed })
        return promise
      }),
    )
  }
}
