import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Tx } from '#db/transaction.ts'
import { DueWork } from './due-work.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const nothing = (): Promise<void> => Promise.resolve()
const handlers = {
  ...{ no: nothing, saiu: nothing, resposta: nothing, fila: nothing, despedida: nothing, respondeu: nothing },
  ...{ agendada: nothing, silencio: nothing, lembrete: nothing, resumo: nothing },
  ...{ carrinho: nothing, impressao: nothing, transcricao: nothing, fonte: nothing },
}

/** Starts the nodes at different moments of a second and returns the times of their looks in 30 s, in ms. */
async function looksOf(size: number, dead: readonly string[] = []): Promise<number[]> {
  const looks: number[] = []
  const clock = { now: () => new Date(), elapsed: () => Date.now() }
  const tx: Tx = {
    send: () => Promise.resolve({ rows: [], count: looks.push(Date.now()) }),
    query: () => Promise.reject(new Error('not a statement')),
    commitBehind: () => undefined,
    afterCommit: () => undefined,
  }
  const ids = Array.from({ length: size }, (_, n) => `node-${n}`)
  const running = ids.map((self) => {
    const fleet = { self, others: () => ids.filter((id) => id !== self) }
    const log = { error: () => undefined, warn: () => undefined }
    return { self, work: new DueWork({ clock, log, fleet, db: { transaction: (_, run) => run(tx) } }, handlers) }
  })
  for (const { self, work } of running) {
    if (!dead.includes(self)) work.start()
    await vi.advanceTimersByTimeAsync(137)
  }
  looks.length = 0
  await vi.advanceTimersByTimeAsync(30_000)
  await Promise.all(running.map(({ work }) => work.stop()))
  return looks
}

const longestGap = (looks: readonly number[]): number =>
  Math.max(...looks.slice(1).map((at, index) => at - (looks[index] ?? at)))

it.each([1, 2, 20])('looks once each second with %i nodes', async (size) => {
  const looks = await looksOf(size)
  // 30 s may touch 31 seconds of the clock.
  expect(looks.length).toBeGreaterThanOrEqual(30)
  expect(looks.length).toBeLessThanOrEqual(31)
  expect(longestGap(looks)).toBeLessThan(2_000)
})

it('looks within 3 s while a dead node has its second', async () => {
  expect(longestGap(await looksOf(4, ['node-2']))).toBeLessThan(3_000)
})
