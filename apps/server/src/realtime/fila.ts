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

type Emit = (contaId: string, evento: PublishedEvent) => void

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
  readonly take: (contaId: string, evento: PublishedEvent) => boolean
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
    for (const [contaId, pendentes] of contas) {
      if (pendentes.readyAt > agora) continue
      const vazia = pendentes.states.size === 0 && pendentes.lists.size === 0
      if (vazia) contas.delete(contaId)
      else flush(contaId, pendentes, agora)
    }
    if (contas.size > 0) arm()
  }

  const flush = (contaId: string, pendentes: PendingEvents, agora: number): void => {
    const eventos = [...pendentes.states.values(), ...[...pendentes.lists.values()].flatMap((m) => [...m.values()])]
    pendentes.states.clear()
    pendentes.lists.clear()
    pendentes.readyAt = agora + (pendentes.dropped ? PAUSE_MS : 0)
    pendentes.dropped = false
    for (const evento of eventos) emit(contaId, evento)
  }

  const pendentesDe = (contaId: string): PendingEvents => {
    const atuais = contas.get(contaId)
    if (atuais !== undefined) return atuais
    const novos: PendingEvents = { states: new Map(), lists: new Map(), readyAt: 0, dropped: false }
    contas.set(contaId, novos)
    return novos
  }

  return {
    take: (contaId, evento) => {
      const chave = throttleKey(evento)
      if (chave === null) return false
      const pendentes = pendentesDe(contaId)
      if (chave.tipo === 'estado') {
        pendentes.states.delete(chave.id)
        pendentes.states.set(chave.id, evento)
      } else {
        pushToList(pendentes, chave.id, evento)
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

function pushToList(pendentes: PendingEvents, id: string, evento: PublishedEvent): void {
  const lista = pendentes.lists.get(evento.name) ?? new Map<string, PublishedEvent>()
  pendentes.lists.set(evento.name, lista)
  // A changed message keeps its position; a contato who writes again moves to the end.
  if (evento.name === 'botConversaAtiva') lista.delete(id)
  lista.set(id, evento)
  if (lista.size <= MAX_PER_LIST) return
  const [primeira] = lista.keys()
  if (primeira !== undefined) lista.delete(primeira)
  pendentes.dropped = true
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
