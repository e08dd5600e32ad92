import { EventEmitter } from 'node:events'
import { currentRequest, runForRequest } from '#lib/context/current-request.ts'
import type { Bus } from '#ports/bus.ts'
import { Listener, type ListenerOptions } from './listener.ts'
import { Publisher, type PublisherOptions } from './publisher.ts'

export interface PostgresBus extends Bus {
  readonly sent: () => number
  /** When the last packets of another node arrived. Null: none since the line was opened. */
  readonly lastFrom: (node: string) => Date | null
  /** Reports a gap when a frame that another node sent before the last call has still not arrived. */
  readonly compare: (others: readonly { readonly id: string; readonly recado: number }[]) => void
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

export type PostgresBusOptions = Pick<ListenerOptions, 'connect' | 'node' | 'seal' | 'log' | 'clock' | 'metrics'> &
  Pick<PublisherOptions, 'crashPoint' | 'muted'>

const GAP = Symbol('gap')

/**
 * Packets between nodes by LISTEN and NOTIFY, over two connections: one publishes, one listens. Nothing is published
 * inside a transaction that writes, because its commit would wait for all others that publish.
 */
export function createPostgresBus(options: PostgresBusOptions): PostgresBus {
  const emitter = new EventEmitter<Record<string | symbol, [string]>>()
  emitter.setMaxListeners(0)
  const publisher = new Publisher(options)
  const listener = new Listener({
    ...options,
    received: ({ channel, data, request }) => void runForRequest(request, () => emitter.emit(channel, data)),
    gap: () => {
      options.metrics?.countGap()
      emitter.emit(GAP, '')
    },
  })
  const on = (event: string | symbol, handler: (data: string) => void): (() => void) => {
    emitter.on(event, handler)
    return () => void emitter.off(event, handler)
  }
  return {
    publish: (channel, data) => {
      setImmediate(() => emitter.emit(channel, data))
      publisher.add({ channel, data, request: currentRequest() })
    },
    subscribe: on,
    onGap: (handler) => on(GAP, handler),
    complete: () => listener.connected(),
    sent: () => publisher.position(),
    lastFrom: (node) => listener.lastFrom(node),
    compare: (others) => listener.compare(others),
    start: async () => {
      await Promise.all([publisher.connect(), listener.connect()])
    },
    close: async () => {
      await publisher.close()
      listener.close()
    },
  }
}
