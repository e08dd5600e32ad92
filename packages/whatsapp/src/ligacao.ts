import { type BinaryNode, jidNormalizedUser, type WASocket } from 'baileys'
import type { SessionHost, JournalEntry } from './anfitriao.ts'
import { serialize } from './credenciais.ts'
import { isPersonJid, type Self } from './mensagem.ts'

/** Missed calls. The product never answers a call; it reports a call that ended unanswered. */

/** Phones ring for a shorter time. A call without an end stanza counts as missed after this. */
const RING_MS = 60_000
const CALL_EVENT = 'CB:call'

export interface Calls {
  readonly sawStanza: (stanza: BinaryNode) => Promise<void>
  readonly isRinging: (idDaChegada: string) => boolean
  readonly close: () => void
}

export interface CallsOptions {
  readonly keys: Pick<SessionHost['keys'], 'write' | 'completeEntry'>
  readonly self: () => Self
  readonly onMissed: (chegada: JournalEntry) => void
  readonly ringMs?: number | undefined
}

interface Ringing {
  readonly value: string
  readonly timer: NodeJS.Timeout
}

export function createCalls({ keys, self, onMissed, ringMs = RING_MS }: CallsOptions): Calls {
  const toques = new Map<string, Ringing>()
  let fila: Promise<void> = Promise.resolve()

  const parar = (id: string): Ringing | undefined => {
    const toque = toques.get(id)
    clearTimeout(toque?.timer)
    toques.delete(id)
    return toque
  }
  const acabou = (id: string): void => {
    const toque = parar(id)
    if (toque !== undefined) onMissed({ id, valor: toque.value })
  }

  const tratar = async (stanza: BinaryNode): Promise<void> => {
    const sinal = readCallSignal(stanza, self())
    if (sinal === null || (sinal.tipo === 'toca') === toques.has(sinal.id)) return
    const { id } = sinal
    if (sinal.tipo === 'toca') {
      const { valor } = sinal
      await keys.write([], [{ id, valor }])
      toques.set(id, { value: valor, timer: setTimeout(() => acabou(id), ringMs) })
    } else if (sinal.tipo === 'atendida') {
      clearTimeout(toques.get(id)?.timer)
      // The call stays in `toques` until the journal entry is deleted, so a repeated stanza retries a failed
      // deletion.
      await keys.completeEntry(id)
      parar(id)
    } else acabou(id)
  }

  return {
    sawStanza: (stanza) => {
      const feito = fila.then(() => tratar(stanza))
      fila = feito.catch(() => undefined)
      return feito
    },
    isRinging: (id) => toques.has(id),
    close: () => {
      for (const id of toques.keys()) parar(id)
    },
  }
}

/**
 * The library acknowledges a call when it handles the stanza. This wrapper passes the stanza on only after it is
 * stored.
 */
export function storeCallsFirst(ws: WASocket['ws'], store: (stanza: BinaryNode) => Promise<void>): void {
  const originais = ws.listeners(CALL_EVENT)
  const tratar = async (stanza: BinaryNode): Promise<void> => {
    await store(stanza)
    if (!ws.isOpen) return
    for (const original of originais) Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(CALL_EVENT)
  // A stanza that could not be stored stays unacknowledged, so the server repeats it on the next connection.
  ws.on(CALL_EVENT, (stanza: BinaryNode) => void tratar(stanza).catch(() => undefined))
}

type CallSignal =
  | { readonly tipo: 'toca'; readonly id: string; readonly valor: string }
  | { readonly tipo: 'atendida' | 'acabou'; readonly id: string }

function readCallSignal({ attrs, content }: BinaryNode, self: Self): CallSignal | null {
  const [dito] = Array.isArray(content) ? content : []
  const ligacao = dito?.attrs['call-id'] ?? ''
  if (dito === undefined || ligacao === '') return null
  const id = `ligacao ${ligacao}`
  switch (dito.tag) {
    case 'offer':
    case 'offer_notice':
      return isFromCustomer(attrs, dito, self)
        ? { tipo: 'toca', id, valor: serialize({ ligacao: storedCallOf(attrs, dito) }) }
        : null
    case 'accept':
      return { tipo: 'atendida', id }
    case 'terminate':
      return { tipo: dito.attrs.reason === 'accepted_elsewhere' ? 'atendida' : 'acabou', id }
    case 'reject':
      return { tipo: 'acabou', id }
    default:
      return null
  }
}

/** False for group calls and for calls that the owner makes. */
function isFromCustomer(attrs: BinaryNode['attrs'], { attrs: offer }: BinaryNode, { jid, lid }: Self): boolean {
  const meus = [jid, lid].filter((um) => um !== '').map((um) => jidNormalizedUser(um))
  const deGrupo = offer.type === 'group' || offer['group-jid'] !== undefined
  const minha = meus.includes(jidNormalizedUser(offer['call-creator'] ?? ''))
  return isPersonJid(attrs.from ?? '') && !deGrupo && !minha
}

export interface StoredCall {
  readonly id: string
  readonly chat: string
  /** The phone number behind a LID, if WhatsApp sends it. */
  readonly numero: string
  readonly video: boolean
  /** Unix time in seconds. */
  readonly em: number
}

function storedCallOf(attrs: BinaryNode['attrs'], { attrs: offer, content }: BinaryNode): StoredCall {
  return {
    id: offer['call-id'] ?? '',
    chat: jidNormalizedUser(attrs.from ?? ''),
    numero: offer.caller_pn ?? '',
    video: Array.isArray(content) && content.some(({ tag }) => tag === 'video'),
    em: Number(attrs.t ?? 0),
  }
}
