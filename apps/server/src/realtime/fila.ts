import type { EventosServidor, NomeEvento } from '@balcao/contract/realtime'

/** Frequent events are published in ticks. At thousands of messages per second a browser receives only the newest. */
const TICK_MS = 50
/** Extra pause after a tick that dropped events. */
const DESCANSO_MS = 250
/** The panel keeps 100 entries per list. */
const MAXIMO_POR_LISTA = 100

/** An event as published. The payload is checked against the contract when it is sent. */
export interface Publicado {
  readonly evento: NomeEvento
  readonly dados: EventosServidor[NomeEvento]
}

type Emitir = (contaId: string, evento: Publicado) => void

interface Pendentes {
  /** The last event of a key replaces the earlier one and moves to the end, so the newest status is sent last. */
  readonly estados: Map<string, Publicado>
  /**
   * Per event name: the newest event of each id, in order of first arrival. `botConversaAtiva` is in order of last
   * arrival.
   */
  readonly listas: Map<string, Map<string, Publicado>>
  prontoEm: number
  cortou: boolean
}

export interface Fila {
  /** Queues a frequent event for the next tick. Returns false for other events. */
  readonly take: (contaId: string, evento: Publicado) => boolean
  readonly forget: (contaId: string) => void
  readonly close: () => void
}

/** Batches the frequent bot events per conta. Events of operadores are never batched or dropped. */
export function createFila(emitir: Emitir): Fila {
  const contas = new Map<string, Pendentes>()
  let timer: NodeJS.Timeout | null = null

  const arm = (): void => {
    timer ??= setTimeout(tick, TICK_MS)
  }

  const tick = (): void => {
    timer = null
    const agora = performance.now()
    for (const [contaId, pendentes] of contas) {
      if (pendentes.prontoEm > agora) continue
      const vazia = pendentes.estados.size === 0 && pendentes.listas.size === 0
      if (vazia) contas.delete(contaId)
      else flush(contaId, pendentes, agora)
    }
    if (contas.size > 0) arm()
  }

  const flush = (contaId: string, pendentes: Pendentes, agora: number): void => {
    const eventos = [...pendentes.estados.values(), ...[...pendentes.listas.values()].flatMap((m) => [...m.values()])]
    pendentes.estados.clear()
    pendentes.listas.clear()
    pendentes.prontoEm = agora + (pendentes.cortou ? DESCANSO_MS : 0)
    pendentes.cortou = false
    for (const evento of eventos) emitir(contaId, evento)
  }

  const pendentesDe = (contaId: string): Pendentes => {
    const atuais = contas.get(contaId)
    if (atuais !== undefined) return atuais
    const novos: Pendentes = { estados: new Map(), listas: new Map(), prontoEm: 0, cortou: false }
    contas.set(contaId, novos)
    return novos
  }

  return {
    take: (contaId, evento) => {
      const chave = chaveDe(evento)
      if (chave === null) return false
      const pendentes = pendentesDe(contaId)
      if (chave.tipo === 'estado') {
        pendentes.estados.delete(chave.id)
        pendentes.estados.set(chave.id, evento)
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

function pushToList(pendentes: Pendentes, id: string, evento: Publicado): void {
  const lista = pendentes.listas.get(evento.evento) ?? new Map<string, Publicado>()
  pendentes.listas.set(evento.evento, lista)
  // A changed message keeps its position; a contato who writes again moves to the end.
  if (evento.evento === 'botConversaAtiva') lista.delete(id)
  lista.set(id, evento)
  if (lista.size <= MAXIMO_POR_LISTA) return
  const [primeira] = lista.keys()
  if (primeira !== undefined) lista.delete(primeira)
  pendentes.cortou = true
}

function chaveDe({ evento, dados }: Publicado): { tipo: 'estado' | 'lista'; id: string } | null {
  switch (evento) {
    case 'botStatus':
    case 'botQrCode':
      return { tipo: 'estado', id: evento }
    case 'botStatusChange':
      // Each status shows its own notice in the panel, so different statuses are all sent.
      return { tipo: 'estado', id: `${evento}:${'status' in dados ? dados.status : ''}` }
    case 'botLog':
    case 'botMensagem':
    case 'botConversaAtiva':
      return { tipo: 'lista', id: 'id' in dados ? dados.id : '' }
    case 'novaConversaHumana':
    case 'mensagemConversaHumana':
    case 'conversaAssumida':
    case 'conversaFinalizada':
    case 'conversaTransferida':
    case 'clienteDigitando':
    case 'operadorStatusChange':
      return null
    default:
      return evento satisfies never
  }
}
