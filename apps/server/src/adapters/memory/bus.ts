import { EventEmitter } from 'node:events'
import type { Bus } from '#ports/bus.ts'

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
