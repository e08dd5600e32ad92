import type { ContaEventName, ServerEventPayloads } from '@balcao/contract/realtime'

/** Frequent events are published in ticks. At thousands of messages per second a browser receives only the newest. */
const TICK_MS = 50
/** Extra pause after a tick that dropped events. */
const PAUSE_MS = 250
/** The panel keeps 100 entries per list. */
const MAX_PER_LIST = 100

/** An event as published. The payload is checked against the contract when it is sent. */
export interface PublishedEvent {
  readonly name: ContaEventName
  readonly payload: ServerEventPayloads[ContaEventName]
}

type Emit = (contaId: string, event: PublishedEvent) => void

interface PendingEvents {
  /** The last event of a key replaces the earlier one and moves to the end, so the newest status is sent last. */
  readonly states: Map<string, PublishedEvent>
  /**
   * Per event name: the newest event of each id, in order of first arrival. `botConversaAtiva` is in order of last
   * arrival.
   */
  readonly lists: Map<string, Map<string, PublishedEvent>>
  readyAt: number
  dropped: boolean
}

export interface EventThrottle {
  /** Queues a frequent event for the next tick. Returns false for other events. */
  readonly take: (contaId: string, event: PublishedEvent) => boolean
  readonly forget: (contaId: string) => void
  readonly close: () => void
}

/** Batches the frequent bot events per conta. Events of conversas do not pass here: none is batched or dropped. */
export function createEventThrottle(emit: Emit): EventThrottle {
  const contas = new Map<string, PendingEvents>()
  let timer: NodeJS.Timeout | null = null

  const arm = (): void => {
    timer ??= setTimeout(tick, TICK_MS)
  }

  const tick = (): void => {
    timer = null
    const now = performance.now()
    for (const [contaId, pending] of contas) {
      if (pending.readyAt > now) continue
      const empty = pending.states.size === 0 && pending.lists.size === 0
      if (empty) contas.delete(contaId)
      else flush(contaId, pending, now)
    }
    if (contas.size > 0) arm()
  }

  const flush = (contaId: string, pending: PendingEvents, now: number): void => {
    const events = [...pending.states.values(), ...[...pending.lists.values()].flatMap((m) => [...m.values()])]
    pending.states.clear()
    pending.lists.clear()
    pending.readyAt = now + (pending.dropped ? PAUSE_MS : 0)
    pending.dropped = false
    for (const event of events) emit(contaId, event)
  }

  const pendingOf = (contaId: string): PendingEvents => {
    const current = contas.get(contaId)
    if (current !== undefined) return current
    const fresh: PendingEvents = { states: new Map(), lists: new Map(), readyAt: 0, dropped: false }
    contas.set(contaId, fresh)
    return fresh
  }

  return {
    take: (contaId, event) => {
      const kind = THROTTLING[event.name]
      if (kind === 'none') return false
      const pending = pendingOf(contaId)
      if (kind === 'list') pushToList(pending, event)
      else replaceLast(pending, event)
      arm()
      return true
    },
    forget: (contaId) => void contas.delete(contaId),
    close: () => {
      if (timer !== null) clearTimeout(timer)
      contas.clear()
    },
  }
}

function replaceLast({ states }: PendingEvents, event: PublishedEvent): void {
  const key = lastKey(event)
  states.delete(key)
  states.set(key, event)
}

function pushToList(pending: PendingEvents, event: PublishedEvent): void {
  const id = 'id' in event.payload ? event.payload.id : ''
  const list = pending.lists.get(event.name) ?? new Map<string, PublishedEvent>()
  pending.lists.set(event.name, list)
  // A changed message keeps its position; a contato who writes again moves to the end.
  if (event.name === 'botConversaAtiva') list.delete(id)
  list.set(id, event)
  if (list.size <= MAX_PER_LIST) return
  const [first] = list.keys()
  if (first !== undefined) list.delete(first)
  pending.dropped = true
}

/** `last`: only the newest event of a name is sent. `list`: the newest of each id. `none`: not throttled. */
const THROTTLING: Readonly<Record<ContaEventName, 'last' | 'list' | 'none'>> = {
  botStatus: 'last',
  botQrCode: 'last',
  botStatusChange: 'last',
  linhaMudou: 'last',
  linhaQrCode: 'last',
  botLog: 'list',
  botMensagem: 'list',
  botConversaAtiva: 'list',
  operadorStatusChange: 'none',
  contatoMudou: 'none',
  pedidoNovo: 'none',
  pedidoMudou: 'none',
  fonteMudou: 'none',
}

function lastKey({ name, payload }: PublishedEvent): string {
  if ('linha' in payload) return `${name}:${payload.linha.id}`
  if ('linhaId' in payload) return `${name}:${payload.linhaId}`
  // Each status shows its own notice in the panel, so different statuses are all sent.
  return name === 'botStatusChange' && 'status' in payload ? `${name}:${payload.status}` : name
}
