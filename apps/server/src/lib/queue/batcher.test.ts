import { describe, expect, it, vi } from 'vitest'
import { Batcher } from './batcher.ts'

interface Item {
  readonly key: string
  readonly conta: string
}

const itemsOf = (conta: string, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ key: `${conta}${index}`, conta }))

/** Counts the items of each conta in a batch. */
function sizesOf(batch: readonly Item[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(batch, ({ conta }) => conta)].map(([conta, items]) => [conta, items.length]),
  )
}

/** Records all batches. `during` runs inside each of them. */
function recordBatches(max: number, slots: number, during: (batches: number) => void = () => undefined) {
  const batches: (readonly Item[])[] = []
  const queue = new Batcher<Item>({
    ...{ max, slots },
    groupOf: ({ conta }) => conta,
    handleBatch: async (batch) => {
      batches.push(batch)
      during(batches.length)
      return []
    },
  })
  return { queue, batches }
}

describe('Batcher', () => {
  it('puts a late item of another group into the next batch, ahead of 10,000 queued keys', async () => {
    const { queue, batches } = recordBatches(100, 4, (count) => {
      if (count === 4) queue.add({ key: 'b0', conta: 'b' })
    })
    for (const item of itemsOf('a', 10_000)) queue.add(item)
    await queue.idle()
    expect(batches.slice(0, 6).map(sizesOf)).toEqual([
      ...Array.from({ length: 4 }, () => ({ a: 100 })),
      { a: 99, b: 1 },
      { a: 100 },
    ])
    expect(batches.flat()).toHaveLength(10_001)
  })

  it('gives equal shares to the groups and the rest to the largest one', async () => {
    const { queue, batches } = recordBatches(10, 1)
    for (const item of [...itemsOf('a', 20), ...itemsOf('b', 4), ...itemsOf('c', 1)]) queue.add(item)
    await queue.idle()
    expect(batches.map(sizesOf)).toEqual([{ a: 5, b: 4, c: 1 }, { a: 10 }, { a: 5 }])
    expect(batches.flat().filter(({ conta }) => conta === 'a')).toEqual(itemsOf('a', 20))
  })

  it('lets more groups than fit into a batch take turns', async () => {
    const { queue, batches } = recordBatches(2, 1)
    for (const conta of ['a', 'b', 'c']) for (const item of itemsOf(conta, 2)) queue.add(item)
    await queue.idle()
    expect(batches.map((batch) => batch.map(({ key }) => key))).toEqual([
      ['a0', 'b0'],
      ['c0', 'a1'],
      ['b1', 'c1'],
    ])
  })

  it('starts an express batch for a group without a running batch while all slots are busy', async () => {
    const batches: string[][] = []
    const { promise: loose, resolve: release } = Promise.withResolvers<void>()
    const queue = new Batcher<Item>({
      ...{ max: 10, slots: 2, express: true },
      groupOf: ({ conta }) => conta,
      handleBatch: async (batch) => {
        batches.push(batch.map(({ key }) => key))
        if (batch.some(({ conta }) => conta === 'a')) await loose
        return []
      },
    })
    for (const item of itemsOf('a', 100)) queue.add(item)
    await vi.waitFor(() => expect(batches).toHaveLength(2))
    for (const item of itemsOf('b', 2)) queue.add(item)
    await vi.waitFor(() => expect(batches[2]).toEqual(['b0', 'b1']))
    release()
    await queue.idle()
    expect(batches.flat()).toHaveLength(102)
  })

  it('gives a separate group batches without others, one at a time', async () => {
    const running = new Set<string>()
    const batches: Record<string, number>[] = []
    const queue = new Batcher<Item>({
      ...{ max: 10, slots: 4, groupOf: ({ conta }) => conta, alone: (conta) => conta === 'a' },
      handleBatch: async (batch) => {
        const name = Object.keys(sizesOf(batch)).join()
        expect(running.has(name)).toBe(false)
        running.add(name)
        batches.push(sizesOf(batch))
        await vi.waitFor(() => undefined)
        running.delete(name)
        return []
      },
    })
    for (const item of [...itemsOf('a', 12), ...itemsOf('b', 2), ...itemsOf('c', 1)]) queue.add(item)
    await queue.idle()
    expect(batches).toEqual([{ a: 10 }, { b: 2, c: 1 }, { a: 2 }])
  })

  it('repeats an item after its wait, ahead of later items of its key', async () => {
    const handled: string[] = []
    let first = true
    const queue = new Batcher<Item & { readonly text: string }>({
      ...{ max: 10, slots: 1 },
      handleBatch: (batch) => {
        handled.push(...batch.map(({ text }) => text))
        const repeated = first ? batch.filter(({ key }) => key === 'x') : []
        first = false
        return Promise.resolve(repeated.map((item) => ({ item, waitMs: 20 })))
      },
    })
    for (const [key, text] of [
      ['x', 'x1'],
      ['x', 'x2'],
      ['y', 'y1'],
      ['y', 'y2'],
    ] as const)
      queue.add({ key, conta: key, text })
    await queue.idle()
    expect(handled).toEqual(['x1', 'y1', 'y2', 'x1', 'x2'])
  })
})
