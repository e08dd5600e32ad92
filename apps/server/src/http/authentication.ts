import type { FastifyRequest } from 'fastify'
import type { Componente, Plano } from '@balcao/contract/constants'

export interface LoginSession {
  readonly tokenHash: string
  readonly usuarioId: string
  /** Tenant. Taken only from the token. */
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly plano: Plano
  readonly empresa: string
  readonly componentes: Readonly<Record<Componente, boolean>>
}

export interface RequestSession extends LoginSession {
  readonly ip: string
}

/** Returns the session of a token, or null if it is unknown, expired or revoked, or its usuario is not active. */
export type Authenticate = (token: string) => Promise<LoginSession | null>

export function bearerToken(request: FastifyRequest): string | null {
  return /^bearer ([\w-]{20,128})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}
