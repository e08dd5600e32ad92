import type { Conversa } from '#entities/conversa.ts'
import type { ServerEvent } from '#realtime.ts'
import { applyToConversas, holdsConversa } from '#sync/conversas.ts'
import { EndedConversas } from '#sync/ended-conversas.ts'

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

/** A panel: reads the list once, follows the events, and fetches a conversa that it does not hold. */
export class TestPanel {
  readonly #ended = new EndedConversas()
  readonly #contaId: string
  #conversas: readonly Conversa[]

  constructor(contaId: string, conversas: readonly Conversa[]) {
    this.#contaId = contaId
    this.#conversas = conversas
  }

  /** `fetch` reads the list of the server. */
  receive(event: ServerEvent, fetch: () => readonly Conversa[]): void {
    if (this.#ended.isOutdated(event)) return
    if (!holdsConversa(this.#conversas, event) && 'conversaId' in event.dados) {
      const { conversaId } = event.dados
      const conversa = fetch().find(({ id }) => id === conversaId)
      if (conversa === undefined) return
      return this.#apply({ evento: 'novaConversaHumana', dados: { userId: this.#contaId, conversa } })
    }
    this.#apply(event)
  }

  list(): readonly Conversa[] {
    return this.#conversas
  }

  #apply(event: ServerEvent): void {
    this.#conversas = applyToConversas(this.#conversas, event, this.#contaId)
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
