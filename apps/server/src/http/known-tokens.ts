import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    knownTokens: KnownTokens
  }
}

/** The tokens that somebody was given, or was let in with, and that were good the last time. */
interface KnownTokens {
  readonly has: (token: string) => boolean
  readonly add: (token: string) => void
  readonly delete: (token: string) => void
}

const MAXIMO = 20_000

/**
 * Whoever was let in counts for themselves; a token that nobody knows counts for the address it comes from. Otherwise a new
 * random token with every request would be a caller of its own each time, without a limit and with a look into the database.
 */
export function installKnownTokens(app: FastifyInstance): void {
  const tokens = new Set<string>()
  app.decorate('knownTokens', {
    has: (token) => tokens.has(token),
    add: (token) => {
      // Beyond so many everybody is let in anew: once each, and nobody notices.
      if (tokens.size >= MAXIMO) tokens.clear()
      tokens.add(token)
    },
    delete: (token) => void tokens.delete(token),
  })
}
