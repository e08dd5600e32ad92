import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { keyedQueue, manyKeyedQueue } from './keyed-queue.ts'

describe('keyedQueue', () => {
  it('runs the steps of one key in order and other keys in parallel', async () => {
    const inTurn = keyedQueue()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const seen: string[] = []
    const step = (name: string, first?: Promise<void>) => async (): Promise<string> => {
      await first
      seen.push(name)
      return name
    }
    const slow = inTurn('ana', step('ana 1', gate))
    const next = inTurn('ana', step('ana 2'))
    await expect(inTurn('bia', step('bia 1'))).resolves.toBe('bia 1')
    expect(seen).toEqual(['bia 1'])
    open()
    await expect(Promise.all([slow, next])).resolves.toEqual(['ana 1', 'ana 2'])
    expect(seen).toEqual(['bia 1', 'ana 1', 'ana 2'])
  })

  it('starts the first step before it returns', () => {
    let started = false
    void keyedQueue()('ana', async () => void (started = true))
    expect(started).toBe(true)
  })

  it('continues after a failed step', async () => {
    const inTurn = keyedQueue()
    const failed = inTurn('ana', () => Promise.reject(new Error('down')))
    const next = inTurn('ana', async () => 'stored')
    await expect(failed).rejects.toThrow('down')
    await expect(next).resolves.toBe('stored')
  })

  it('keeps the order for a step added while the queue becomes idle', async () => {
    const inTurn = keyedQueue()
    const seen: number[] = []
    let running = 0
    const step = (n: number) => async (): Promise<void> => {
      running += 1
      expect(running).toBe(1)
      await sleep(1)
      seen.push(n)
      running -= 1
    }
    for (let n = 0; n < 20; n += 1) {
      const done = inTurn('ana', step(n))
      if (n % 3 === 0) await done
    }
    await inTurn('ana', step(20))
    expect(seen).toEqual(Array.from({ length: 21 }, (_, n) => n))
  })
})

describe('manyKeyedQueue', () => {
  it('runs steps that share a key in order and other steps in parallel', async () => {
    const inTurn = manyKeyedQueue()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const seen: string[] = []
    const step = (name: string, first?: Promise<void>) => async (): Promise<void> => {
      await first
      seen.push(name)
    }
    const steps = [
      inTurn(['phone', 'id'], step('both', gate)),
      inTurn(['id'], step('id')),
      inTurn(['phone', 'phone'], step('phone')),
      inTurn(['id', 'new'], step('id and new')),
    ]
    await inTurn(['other'], step('other'))
    expect(seen).toEqual(['other'])
    open()
    await Promise.all(steps)
    expect(seen).toEqual(['other', 'both', 'id', 'phone', 'id and new'])
  })

  it('continues after a failed step', async () => {
    const inTurn = manyKeyedQueue()
    const failed = inTurn(['phone', 'id'], () => Promise.reject(new Error('down')))
    const next = inTurn(['id'], async () => 'stored')
    await expect(failed).rejects.toThrow('down')
    await expect(next).resolves.toBe('stored')
  })
})
