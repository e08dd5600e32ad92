import type { Conversa } from '#entities/conversa.ts'
import type { ServerEvent } from '#realtime.ts'
import { applyToConversas, concernsUnknown } from '#sync/conversas.ts'
import { type KnownConversas, NO_CONVERSAS, openConversas, putConversas } from '#sync/known-conversas.ts'

/** A number from 0 to `below` - 1. */
export type Chance = (below: number) => number

/** Repeats the same numbers for a seed (mulberry32). */
export function chanceFrom(seed: number): Chance {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** The conversas that a panel knows after it read this list. */
export function knownFrom(conversas: readonly Conversa[]): KnownConversas {
  return putConversas(NO_CONVERSAS, conversas)
}

export function applyToList(conversas: readonly Conversa[], event: ServerEvent, contaId: string): readonly Conversa[] {
  return openConversas(applyToConversas(knownFrom(conversas), event, contaId))
}

/** A panel: reads the list once, follows the events, and fetches a conversa that it does not know. */
export class TestPanel {
  readonly #contaId: string
  #known: KnownConversas

  constructor(contaId: string, conversas: readonly Conversa[]) {
    this.#contaId = contaId
    this.#known = knownFrom(conversas)
  }

  receive(event: ServerEvent, fetch: () => readonly Conversa[]): void {
    const unknown = concernsUnknown(this.#known, event)
    const conversa = unknown === null ? undefined : fetch().find(({ id }) => id === unknown)
    if (conversa !== undefined) this.#known = putConversas(this.#known, [conversa])
    this.#known = applyToConversas(this.#known, event, this.#contaId)
  }

  list(): readonly Conversa[] {
    return openConversas(this.#known)
  }
}

/** Merges lists at random. Each keeps its order. */
export function interleave(chance: Chance, nodes: readonly (readonly ServerEvent[])[]): ServerEvent[] {
  const left = nodes.map((events) => [...events])
  const received: ServerEvent[] = []
  for (;;) {
    const waiting = left.filter((events) => events.length > 0)
    const next = waiting[chance(Math.max(waiting.length, 1))]?.shift()
    if (next === undefined) return received
    received.push(next)
  }
}
