import type { Bus } from '#ports/bus.ts'
import { createMemoryBus } from './memory/bus.ts'
import { createPostgresBus, type PostgresBusOptions } from './postgres/bus.ts'

/** A bus that is opened before the bots and closed after them. */
export interface OpenableBus extends Bus {
  readonly sent: () => number
  /** When the last packets of another node arrived. Null: none since the line was opened. */
  readonly lastFrom: (node: string) => Date | null
  /** Compares what other nodes say that they sent with what arrived. Call it once in a round. */
  readonly compare: (others: readonly { readonly id: string; readonly recado: number }[]) => void
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

interface BusOptions extends Omit<PostgresBusOptions, 'connect'> {
  /** Absent: no other process uses the database. */
  readonly connect: PostgresBusOptions['connect'] | undefined
}

export function createBus({ connect, ...options }: BusOptions): OpenableBus {
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
