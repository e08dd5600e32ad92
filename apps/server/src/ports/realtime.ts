import type { EventosServidor } from '@balcao/contract/realtime'

/** Tells the browsers of one account. Only ever called after the commit. */
export interface Realtime {
  readonly publish: <E extends keyof EventosServidor>(contaId: string, evento: E, payload: EventosServidor[E]) => void
  /** Closes sockets at once: a revoked token's, a user's, or a whole account's. */
  readonly disconnect: (
    quem: { tokenHash: string } | { usuarioId: string; exceto?: string } | { contaId: string },
  ) => void
  /** Sockets open on this node, for the metrics. */
  readonly sockets?: () => number
}
