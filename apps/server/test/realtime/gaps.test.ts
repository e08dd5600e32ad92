import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMemoryBus } from '#adapters/bus.ts'
import { createRefetch, createSocketConnections } from '#realtime/connections.ts'
import { Windows } from '#realtime/windows.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('closes the sockets again for a gap within ten seconds of the last round', () => {
  let rounds = 0
  const refetch = createRefetch({
    all: () => {
      rounds += 1
      return []
    },
  })
  refetch()
  vi.advanceTimersByTime(5_000)
  expect(rounds).toBe(1)
  refetch()
  refetch()
  vi.advanceTimersByTime(4_000)
  expect(rounds).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(rounds).toBe(2)
})

it('ignores the windows that a node announces after it was found dead', () => {
  const bus = createMemoryBus()
  const left: ((node: string) => void)[] = []
  const onLeft = (listener: (node: string) => void): (() => void) => {
    left.push(listener)
    return () => undefined
  }
  const windows = new Windows({
    ...{ connections: createSocketConnections(), bus },
    ...{ presenceChanged: () => undefined, peopleHere: () => undefined },
    fleet: { self: 'a', others: () => [], onLeft },
  })
  const announce = (): void => {
    const contas = [['loja', { restritos: false, pessoas: [] }]]
    bus.publish('janelas', JSON.stringify({ tipo: 'todas', no: 'b', contas }))
    vi.runAllTimers()
  }
  announce()
  expect(windows.watchedElsewhere('loja')).toBe(true)
  for (const listener of left) listener('b')
  announce()
  expect(windows.watchedElsewhere('loja')).toBe(false)
  windows.close()
})
