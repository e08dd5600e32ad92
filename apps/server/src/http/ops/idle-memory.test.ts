import { describe, expect, it } from 'vitest'
import { IdleCollector } from './idle-memory.ts'

const MB = 2 ** 20

function createHeap() {
  const state = { reserved: 30 * MB, busy: 0, collections: 0, left: 60 * MB }
  const collector = new IdleCollector({
    reserved: () => state.reserved,
    busy: () => state.busy,
    collect: () => {
      state.collections += 1
      state.reserved = state.left
    },
  })
  return { state, collector }
}

describe('IdleCollector', () => {
  it('collects once after a burst, when the event loop is idle', () => {
    const { state, collector } = createHeap()
    Object.assign(state, { reserved: 160 * MB, busy: 0.6 })
    collector.round()
    expect(state.collections).toBe(0)
    state.busy = 0.01
    for (let round = 0; round < 3; round += 1) collector.round()
    expect(state.collections).toBe(1)
  })

  it('collects after the next burst when V8 has shrunk the heap', () => {
    const { state, collector } = createHeap()
    state.reserved = 160 * MB
    collector.round()
    state.reserved = 30 * MB
    collector.round()
    state.reserved = 80 * MB
    collector.round()
    expect(state.collections).toBe(2)
  })

  it('collects the garbage of the start once', () => {
    const { state, collector } = createHeap()
    state.reserved = 70 * MB
    for (let round = 0; round < 3; round += 1) collector.round()
    expect(state.collections).toBe(1)
  })

  it('ignores a small growth', () => {
    const { state, collector } = createHeap()
    state.reserved = 160 * MB
    collector.round()
    state.reserved = 85 * MB
    collector.round()
    expect(state.collections).toBe(1)
  })
})
