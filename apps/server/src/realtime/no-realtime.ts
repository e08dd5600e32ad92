import type { Realtime } from '#ports/realtime.ts'

/** For programs without sockets. */
export const NO_REALTIME: Realtime = {
  publish: () => {},
  publishConversa: () => {},
  watched: () => false,
  hasRestricted: () => false,
  openConversa: (_, count) => void count(),
  disconnect: () => Promise.resolve(),
}
