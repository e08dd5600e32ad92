import type { Realtime } from '#ports/realtime.ts'

/** For programs without sockets. */
export const NO_REALTIME: Realtime = {
  publish: () => {},
  publishConversa: () => {},
  hasRestricted: () => false,
  openConversa: (_, count) => void count(),
  disconnect: () => {},
}
