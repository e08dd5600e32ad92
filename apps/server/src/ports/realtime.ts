import type { EventosServidor } from '@balcao/contract/realtime'

/** Tells the browsers of one account. Only ever called after the commit. */
export interface Realtime {
  /** What is said of a conversation that is being opened waits until that is told, and keeps its order. */
  readonly publish: <E extends keyof EventosServidor>(contaId: string, evento: E, payload: EventosServidor[E]) => void
  /** A conversation is there for people: `contar` reads it and tells so. It must not fail. */
  readonly abrir: (conversaId: string, contar: () => Promise<void>) => void
  /** Closes sockets at once: a revoked token's, a user's, or a whole account's. */
  readonly disconnect: (
    quem: { tokenHash: string } | { usuarioId: string; exceto?: string } | { contaId: string },
  ) => void
  /** Sockets open on this node, for the metrics. */
  readonly sockets?: () => number
}
