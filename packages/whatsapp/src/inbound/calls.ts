import { serialQueue } from '@balcao/connector/keyed-queue'
import type { JournalEntry, SessionHost } from '@balcao/connector/port'
import { type BinaryNode, jidNormalizedUser, type WASocket } from 'baileys'
import { serialize } from '#socket/credentials.ts'
import { isPersonJid, type Self, type StoredCall } from './message.ts'

/** Phones ring for a shorter time. A call without an end stanza counts as missed after this. */
const RING_MS = 60_000
const CALL_EVENT = 'CB:call'

export interface CallsOptions {
  readonly keys: Pick<SessionHost['keys'], 'write' | 'completeEntry'>
  readonly self: () => Self
  readonly onMissed: (entry: JournalEntry) => void
  readonly ended: AbortSignal
  readonly ringMs?: number | undefined
}

interface RingingCall {
  readonly entry: JournalEntry
  readonly timer: NodeJS.Timeout
}

/** Missed calls. The product never answers a call; it reports a call that ended unanswered. */
export class Calls {
  readonly #options: CallsOptions
  readonly #ringing = new Map<string, RingingCall>()
  readonly #inOrder = serialQueue()

  constructor(options: CallsOptions) {
    this.#options = options
    options.ended.addEventListener('abort', () => {
      for (const id of this.#ringing.keys()) this.#stop(id)
    })
  }

  /** Resolves once a ringing call is in the journal, or an answered one is deleted from it. */
  sawStanza(stanza: BinaryNode): Promise<void> {
    return this.#inOrder(() => this.#handle(stanza))
  }

  isRinging(entryId: string): boolean {
    return this.#ringing.has(entryId)
  }

  async #handle(stanza: BinaryNode): Promise<void> {
    const { keys, self, ringMs = RING_MS } = this.#options
    const signal = readCallSignal(stanza, self())
    if (signal === null || (signal.state === 'ringing') === this.#ringing.has(signal.id)) return
    const { id } = signal
    if (signal.state === 'ringing') {
      const entry = { id, valor: signal.stored }
      await keys.write([], [entry])
      this.#ringing.set(id, { entry, timer: setTimeout(() => this.#missed(id), ringMs) })
    } else if (signal.state === 'answered') {
      clearTimeout(this.#ringing.get(id)?.timer)
      // The call stays in `#ringing` until the journal entry is deleted, so a repeated stanza retries a failed
      // deletion.
      await keys.completeEntry(id)
      this.#stop(id)
    } else this.#missed(id)
  }

  #missed(id: string): void {
    const call = this.#stop(id)
    if (call !== undefined) this.#options.onMissed(call.entry)
  }

  #stop(id: string): RingingCall | undefined {
    const call = this.#ringing.get(id)
    clearTimeout(call?.timer)
    this.#ringing.delete(id)
    return call
  }
}

/**
 * The library acknowledges a call when it handles the stanza. This wrapper passes the stanza on only after it is
 * stored.
 */
export function storeCallsFirst(ws: WASocket['ws'], store: (stanza: BinaryNode) => Promise<void>): void {
  const originals = ws.listeners(CALL_EVENT)
  const handle = async (stanza: BinaryNode): Promise<void> => {
    await store(stanza)
    if (!ws.isOpen) return
    for (const original of originals) Reflect.apply(original, ws, [stanza])
  }
  ws.removeAllListeners(CALL_EVENT)
  // A stanza that could not be stored stays unacknowledged, so the server repeats it on the next connection.
  ws.on(CALL_EVENT, (stanza: BinaryNode) => void handle(stanza).catch(() => undefined))
}

type CallSignal =
  | { readonly state: 'ringing'; readonly id: string; readonly stored: string }
  | { readonly state: 'answered' | 'ended'; readonly id: string }

const STATES: ReadonlyMap<string | undefined, CallSignal['state']> = new Map<string, CallSignal['state']>([
  ['offer', 'ringing'],
  ['offer_notice', 'ringing'],
  ['accept', 'answered'],
  ['reject', 'ended'],
  ['terminate', 'ended'],
])

function readCallSignal({ attrs, content }: BinaryNode, self: Self): CallSignal | null {
  const [node] = Array.isArray(content) ? content : []
  const callId = node?.attrs['call-id'] ?? ''
  const state = STATES.get(node?.tag)
  if (node === undefined || callId === '' || state === undefined) return null
  const id = `ligacao ${callId}`
  if (state !== 'ringing') return { state: isAnsweredElsewhere(node) ? 'answered' : state, id }
  return isFromCustomer(attrs, node, self)
    ? { state, id, stored: serialize({ ligacao: storedCallOf(attrs, node) }) }
    : null
}

const isAnsweredElsewhere = ({ tag, attrs }: BinaryNode): boolean =>
  tag === 'terminate' && attrs.reason === 'accepted_elsewhere'

/** False for group calls and for calls that the owner makes. */
function isFromCustomer(attrs: BinaryNode['attrs'], { attrs: offer }: BinaryNode, { jid, lid }: Self): boolean {
  const own = [jid, lid].filter((address) => address !== '').map((address) => jidNormalizedUser(address))
  const fromGroup = offer.type === 'group' || offer['group-jid'] !== undefined
  const fromOwner = own.includes(jidNormalizedUser(offer['call-creator'] ?? ''))
  return isPersonJid(attrs.from ?? '') && !fromGroup && !fromOwner
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
