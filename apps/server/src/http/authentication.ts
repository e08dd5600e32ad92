import type { FastifyRequest } from 'fastify'
import type { Componente, Plano } from '@balcao/contract/constants'

/** Who is asking. Read from the database on each request (kept for at most a second). */
export interface Sessao {
  readonly tokenHash: string
  readonly usuarioId: string
  /** The tenant: from the token and from nowhere else. */
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly plano: Plano
  readonly empresa: string
  readonly componentes: Readonly<Record<Componente, boolean>>
}

/** A session with where this very request came from: who acted, for the trail (modules/auditoria). */
export interface Pedinte extends Sessao {
  readonly ip: string
}

/** The session of a token, or null when it is missing, unknown, expired, revoked, or its user is not active. */
export type Authenticate = (token: string) => Promise<Sessao | null>

export function bearerToken(request: FastifyRequest): string | null {
  return /^bearer ([\w-]{20,128})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}
