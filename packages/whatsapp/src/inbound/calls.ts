import { type BinaryNode, jidNormalizedUser, type WASocket } from 'baileys'
import type { SessionHost, JournalEntry } from '@balcao/connector/port'
import { serialize } from '#socket/credentials.ts'
import { isPersonJid, type Self } from './message.ts'

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
  readonly onMissed: (arrival: JournalEntry) => void
  readonly ringMs?: number | undefined
}

interface Ringing {
  readonly value: string
  readonly timer: NodeJS.Timeout
}

export function createCalls({ keys, self, onMissed, ringMs = RING_MS }: CallsOptions): Calls {
  const toques = new Map<string, Ringing>()
  let queue: Promise<void> = Promise.resolve()

  const stop = (id: string): Ringing | undefined => {
    const tap = toques.get(id)
    clearTimeout(tap?.timer)
    toques.delete(id)
    return tap
  }
  const acabou = (id: string): void => {
    const tap = stop(id)
    if (tap !== undefined) onMissed({ id, valor: tap.value })
  }

  const tratar = async (stanza: BinaryNode): Promise<void> => {
    const signal = readCallSignal(stanza, self())
    if (signal === null || (signal.tipo === 'toca') === toques.has(signal.id)) return
    const { id } = signal
    if (signal.tipo === 'toca') {
      const { valor } = signal
      await keys.write([], [{ id, valor }])
      toques.set(id, { value: valor, timer: setTimeout(() => acabou(id), ringMs) })
    } else if (signal.tipo === 'atendida') {
      clearTimeout(toques.get(id)?.timer)
      // The call stays in `toques` until the journal entry is deleted, so a repeated stanza retries a failed
      // deletion.
      await keys.completeEntry(id)
      stop(id)
    } else acabou(id)
  }

  return {
    sawStanza: (stanza) => {
      const done = queue.then(() => tratar(stanza))
      queue = done.catch(() => undefined)
      return done
    },
    isRinging: (id) => toques.has(id),
    close: () => {
      for (const id of toques.keys()) stop(id)
    },
  }
}

/**
 * The library acknowledges a call when it handles the stanza. This wrapper passes the stanza on only after it is
 * stored.
 */
export function storeCallsFirst(ws: WASocket['ws'], store: (stanza: BinaryNode) => Promise<void>): void {
  const originals = ws.listeners(CALL_EVENT)
  const tratar = async (stanza: BinaryNode): Promise<void> => {
    await store(stanza)
    if (!ws.isOpen) return
    for (const original of originals) Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(CALL_EVENT)
  // A stanza that could not be stored stays unacknowledged, so the server repeats it on the next connection.
  ws.on(CALL_EVENT, (stanza: BinaryNode) => void tratar(stanza).catch(() => undefined))
}

type CallSignal =
  | { readonly tipo: 'toca'; readonly id: string; readonly valor: string }
  | { readonly tipo: 'atendida' | 'acabou'; readonly id: string }

function readCallSignal({ attrs, content }: BinaryNode, self: Self): CallSignal | null {
  const [said] = Array.isArray(content) ? content : []
  const link = said?.attrs['call-id'] ?? ''
  if (said === undefined || link === '') return null
  const id = `ligacao ${link}`
  switch (said.tag) {
    case 'offer':
    case 'offer_notice':
      return isFromCustomer(attrs, said, self)
        ? { tipo: 'toca', id, valor: serialize({ ligacao: storedCallOf(attrs, said) }) }
        : null
    case 'accept':
      return { tipo: 'atendida', id }
    case 'terminate':
      return { tipo: said.attrs.reason === 'accepted_elsewhere' ? 'atendida' : 'acabou', id }
    case 'reject':
      return { tipo: 'acabou', id }
    default:
      return null
  }
}

/** False for group calls and for calls that the owner makes. */
function isFromCustomer(attrs: BinaryNode['attrs'], { attrs: offer }: BinaryNode, { jid, lid }: Self): boolean {
  const mine = [jid, lid].filter((um) => um !== '').map((um) => jidNormalizedUser(um))
  const deGrupo = offer.type === 'group' || offer['group-jid'] !== undefined
  const minha = mine.includes(jidNormalizedUser(offer['call-creator'] ?? ''))
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
