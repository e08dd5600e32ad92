import { EventEmitter } from 'node:events'
import type { Bus } from '#ports/bus.ts'

/** In-process bus for a single node. Listeners run after the current task, as they would on other nodes. */
export function createMemoryBus(): Bus {
  const emissor = new EventEmitter()
  emissor.setMaxListeners(0)
  return {
    publish: (canal, dados) => void setImmediate(() => emissor.emit(canal, dados)),
    subscribe: (canal, ouvinte) => {
      emissor.on(canal, ouvinte)
      return () => void emissor.off(canal, ouvinte)
    },
  }
}
