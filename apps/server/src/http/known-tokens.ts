import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    knownTokens: KnownTokens
  }
}

interface KnownTokens {
  readonly has: (token: string) => boolean
  readonly add: (token: string) => void
  readonly delete: (token: string) => void
}

const TOKENS_MAX = 20_000

/**
 * A known token has its own rate limit; unknown tokens share the limit of their IP address. Otherwise random tokens
 * would have no limit, and each would cost a database read.
 */
export function installKnownTokens(app: FastifyInstance): void {
  const tokens = new Set<string>()
  app.decorate('knownTokens', {
    has: (token) => tokens.has(token),
    add: (token) => {
      // Clearing costs each caller one request that counts for its IP address.
      if (tokens.size >= TOKENS_MAX) tokens.clear()
      tokens.add(token)
    },
    delete: (token) => void tokens.delete(token),
  })
}
