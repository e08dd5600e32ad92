import { EventEmitter } from 'node:events'
import type { Bus } from '#ports/bus.ts'
import { createPostgresBus, type PostgresBus, type PostgresBusOptions } from './postgres/bus.ts'

interface BusOptions extends Omit<PostgresBusOptions, 'connect'> {
  /** Absent: no other process uses the database. */
  readonly connect: PostgresBusOptions['connect'] | undefined
}

export function createBus({ connect, ...options }: BusOptions): PostgresBus {
  if (connect !== undefined) return createPostgresBus({ ...options, connect })
  return {
    ...createMemoryBus(),
    sent: () => 0,
    lastFrom: () => null,
    compare: () => undefined,
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** In-process bus for a single node. Listeners run after the current task, as they would on other nodes. */
export function createMemoryBus(): Bus {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    publish: (channel, data) => void setImmediate(() => emitter.emit(channel, data)),
    subscribe: (channel, listener) => {
      emitter.on(channel, listener)
      return () => void emitter.off(channel, listener)
    },
    onGap: () => () => undefined,
    complete: () => true,
  }
}
