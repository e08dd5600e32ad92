import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { ContaEventName, ConversaEventName, PersonEventName, ServerEventPayloads } from '@balcao/contract/realtime'

/** Receivers of an event besides the usuarios of all setores, by `mayReadConversa`. */
export interface ConversaAudience {
  /** The setor of the conversa; after a transfer also the one before. Null means Geral. */
  readonly setores: readonly (string | null)[]
  readonly linhaId: string
  /** The operador who serves it, or served it until this event. */
  readonly operadorId: string | null
}

/** The login sessions of a token, a usuario or a conta. `exceto`: the hash of a token that stays. */
export type RevokedSessions =
  | { readonly tokenHash: string }
  | { readonly usuarioId: string; readonly exceto?: string | undefined }
  | { readonly contaId: string }

export interface PersonWindows {
  readonly contaId: string
  readonly usuarioId: string
  readonly here?: true
}

/** Publishes events to the browsers of one conta, on every node. Call it only after the commit. */
export interface Realtime {
  readonly publish: <E extends ContaEventName>(contaId: string, event: E, payload: ServerEventPayloads[E]) => void
  /** Publishes an event to the usuarios who may read its conversa. */
  readonly publishConversa: <E extends ConversaEventName>(
    contaId: string,
    event: E,
    payload: ServerEventPayloads[E],
    audience: ConversaAudience,
  ) => void
  /** Publishes an event to the windows of one person. `here`: only to those of this node. */
  readonly publishPerson: <E extends PersonEventName>(
    person: PersonWindows,
    event: E,
    payload: ServerEventPayloads[E],
  ) => void
  /** The people of the conta who serve in a window of this node. */
  readonly peopleHere: (contaId: string) => readonly ConversaReader[]
  /**
   * True while a browser of the conta is connected. Reads that only serve events are left out otherwise: a browser
   * fetches its lists after it connected.
   */
  readonly watched: (contaId: string) => boolean
  /** True while a usuario of the conta with a list of setores is connected. */
  readonly hasRestricted: (contaId: string) => boolean
  /** Closes the sockets of this node at once. Resolves when the other nodes did it too, or after 500 ms. */
  readonly disconnect: (target: RevokedSessions) => Promise<void>
  readonly sockets?: () => number
  /** Packets that the browsers have not read yet. */
  readonly unread?: () => number
}
