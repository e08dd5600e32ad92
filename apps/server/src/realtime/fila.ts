import type { EventosServidor, NomeEvento } from '@balcao/contract/realtime'

/** A burst is told in ticks: at thousands of messages a second a browser gets the newest ones, not all of them. */
const TICK_MS = 50
/** After a tick that had to drop, the account rests a little longer. */
const DESCANSO_MS = 250
/** As many as the panel keeps (spec §9). */
const MAXIMO_POR_LISTA = 100

/** An event as it was published: its payload is matched to its name when it leaves. */
export interface Publicado {
  readonly evento: NomeEvento
  readonly dados: EventosServidor[NomeEvento]
}

type Emitir = (contaId: string, evento: Publicado) => void

interface Pendentes {
  /** Last one of a key wins and goes to the end: the newest status is the last word. */
  readonly estados: Map<string, Publicado>
  /** Per event: the newest of each id, in the order they first came; customers in the order they wrote last. */
  readonly listas: Map<string, Map<string, Publicado>>
  prontoEm: number
  cortou: boolean
}

export interface Fila {
  /** Takes a high-rate event to tell it with the next tick; false when the event is not of that kind. */
  readonly take: (contaId: string, evento: Publicado) => boolean
  readonly forget: (contaId: string) => void
  readonly close: () => void
}

/** Joins the bot's frequent events per account. Human events never pass here: each of them matters. */
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
  // A message keeps its place when it changes; a customer who writes again comes to the front of the panel's list.
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
      // Each status has its own notice on the screen, so different ones are all told.
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
