import { expect, test } from 'vitest'
import { Collector } from './collector.ts'

/** Keeps each flush open until `end` is called with the number of the flush. */
function collecting(options: { readonly keyOf?: (item: string) => unknown; readonly retryMs?: number } = {}) {
  const flushes: (readonly string[])[] = []
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const errors: unknown[] = []
  const { retryMs: ms, ...rest } = options
  const collector = new Collector<string>({
    ...rest,
    ...(ms === undefined ? {} : { retry: { ms, failed: (error) => void errors.push(error) } }),
    flush: (items) => {
      flushes.push(items)
      return new Promise((resolve, reject) => ends.push({ resolve, reject }))
    },
  })
  const add = (...items: string[]): void => items.forEach((item) => collector.add(item))
  return { collector, flushes, ends, errors, add }
}

test('the items of one task are flushed together, and those of a flush by the next one', async () => {
  const { collector, flushes, ends, add } = collecting()
  add('a', 'b')
  await expect.poll(() => flushes).toEqual([['a', 'b']])
  add('c')
  add('d')
  expect(collector.waiting).toBe(2)
  ends[0]?.resolve()
  await expect
    .poll(() => flushes)
    .toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  ends[1]?.resolve()
  await collector.idle()
  expect(flushes).toHaveLength(2)
})

test('a newer item replaces the waiting one of its key', async () => {
  const { flushes, add } = collecting({ keyOf: (item) => item[0] })
  add('a1', 'b1', 'a2')
  await expect.poll(() => flushes).toEqual([['a2', 'b1']])
})

test('the items of a failed flush are repeated, unless newer ones replaced them', async () => {
  const { collector, flushes, ends, errors, add } = collecting({ keyOf: (item) => item[0], retryMs: 1 })
  add('a1', 'b1')
  await expect.poll(() => flushes).toHaveLength(1)
  add('c1', 'a2')
  ends[0]?.reject(new Error('down'))
  await expect.poll(() => flushes[1]).toEqual(['a2', 'b1', 'c1'])
  ends[1]?.resolve()
  await collector.idle()
  expect(errors).toEqual([new Error('down')])
})

test('a closed collector ends the running flush and starts no other', async () => {
  const { collector, flushes, ends, add } = collecting()
  add('a')
  await expect.poll(() => flushes).toEqual([['a']])
  add('b')
  collector.close()
  add('c')
  ends[0]?.resolve()
  await collector.idle()
  expect(flushes).toEqual([['a']])
})

test('cleared items are not flushed', async () => {
  const { collector, flushes, add } = collecting()
  add('a')
  collector.clear()
  await collector.idle()
  expect(flushes).toEqual([])
})
