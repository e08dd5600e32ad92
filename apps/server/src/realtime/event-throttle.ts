import type { ServerEventPayloads, ServerEventName } from '@balcao/contract/realtime'

/** Frequent events are published in ticks. At thousands of messages per second a browser receives only the newest. */
const TICK_MS = 50
/** Extra pause after a tick that dropped events. */
const PAUSE_MS = 250
/** The panel keeps 100 entries per list. */
const MAX_PER_LIST = 100

/** An event as published. The payload is checked against the contract when it is sent. */
export interface PublishedEvent {
  readonly name: ServerEventName
  readonly payload: ServerEventPayloads[ServerEventName]
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

/** Batches the frequent bot events per conta. Events of operadores are never batched or dropped. */
export function createEventThrottle(emit: Emit): EventThrottle {
  const contas = new Map<string, PendingEvents>()
  let timer: NodeJS.Timeout | null = null

  const arm = (): void => {
    timer ??= setTimeout(tick, TICK_MS)
  }

  const tick = (): void => {
    timer = null
    const agora = performance.now()
    for (const [contaId, pending] of contas) {
      if (pending.readyAt > agora) continue
      const empty = pending.states.size === 0 && pending.lists.size === 0
      if (empty) contas.delete(contaId)
      else flush(contaId, pending, agora)
    }
    if (contas.size > 0) arm()
  }

  const flush = (contaId: string, pending: PendingEvents, agora: number): void => {
    const eventos = [...pending.states.values(), ...[...pending.lists.values()].flatMap((m) => [...m.values()])]
    pending.states.clear()
    pending.lists.clear()
    pending.readyAt = agora + (pending.dropped ? PAUSE_MS : 0)
    pending.dropped = false
    for (const event of eventos) emit(contaId, event)
  }

  const pendentesDe = (contaId: string): PendingEvents => {
    const current = contas.get(contaId)
    if (current !== undefined) return current
    const fresh: PendingEvents = { states: new Map(), lists: new Map(), readyAt: 0, dropped: false }
    contas.set(contaId, fresh)
    return fresh
  }

  return {
    take: (contaId, event) => {
      const key = throttleKey(event)
      if (key === null) return false
      const pending = pendentesDe(contaId)
      if (key.tipo === 'estado') {
        pending.states.delete(key.id)
        pending.states.set(key.id, event)
      } else {
        pushToList(pending, key.id, event)
      }
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

function pushToList(pending: PendingEvents, id: string, event: PublishedEvent): void {
  const lista = pending.lists.get(event.name) ?? new Map<string, PublishedEvent>()
  pending.lists.set(event.name, lista)
  // A changed message keeps its position; a contato who writes again moves to the end.
  if (event.name === 'botConversaAtiva') lista.delete(id)
  lista.set(id, event)
  if (lista.size <= MAX_PER_LIST) return
  const [first] = lista.keys()
  if (first !== undefined) lista.delete(first)
  pending.dropped = true
}

function throttleKey({ name, payload }: PublishedEvent): { tipo: 'estado' | 'lista'; id: string } | null {
  switch (name) {
    case 'botStatus':
    case 'botQrCode':
      return { tipo: 'estado', id: name }
    case 'botStatusChange':
      // Each status shows its own notice in the panel, so different statuses are all sent.
      return { tipo: 'estado', id: `${name}:${'status' in payload ? payload.status : ''}` }
    case 'botLog':
    case 'botMensagem':
    case 'botConversaAtiva':
      return { tipo: 'lista', id: 'id' in payload ? payload.id : '' }
    case 'novaConversaHumana':
    case 'mensagemConversaHumana':
    case 'conversaAssumida':
    case 'conversaFinalizada':
    case 'conversaTransferida':
    case 'clienteDigitando':
    case 'operadorStatusChange':
      return null
    default:
      return name satisfies never
  }
}
