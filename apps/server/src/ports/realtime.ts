import type { ServerEventPayloads } from '@balcao/contract/realtime'

/** Publishes events to the browsers of one conta. Call it only after the commit. */
export interface Realtime {
  /** Events of a conversa that is being opened wait for its opening event and keep their order. */
  readonly publish: <E extends keyof ServerEventPayloads>(
    contaId: string,
    event: E,
    payload: ServerEventPayloads[E],
  ) => void
  /** Announces a new conversa. `contar` reads and publishes it and must not reject. */
  readonly openConversa: (conversaId: string, count: () => Promise<void>) => void
  /** Closes the sockets of a token, a usuario or a conta immediately. */
  readonly disconnect: (
    quem: { tokenHash: string } | { usuarioId: string; exceto?: string } | { contaId: string },
  ) => void
  readonly sockets?: () => number
  /** Packets that the browsers have not read yet. */
  readonly unread?: () => number
}
