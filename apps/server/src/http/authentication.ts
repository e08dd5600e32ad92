import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Componente, CONFIRMACAO_MS, type Plano } from '@balcao/contract/constants'
import type { RoutePermission } from '@balcao/contract/define-route'
import type { MetodoConfirmacao } from '@balcao/contract/entities/segundo-fator'
import { AppError } from '#errors.ts'
import { createGate, type Gate } from '#lib/queue/gate.ts'
import { networkKey } from '#lib/ip-address.ts'

declare module 'fastify' {
  interface FastifyInstance {
    knownTokens: KnownTokens
    strangers: Gate
  }
}

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
  /** The setores whose conversas an operador may read. Empty: all. */
  readonly setores: readonly string[]
  /** The lines whose conversas an operador may read. Empty: all. */
  readonly linhas: readonly string[]
  readonly segundoFator: {
    readonly totp: boolean
    readonly passkey: boolean
    readonly exigido: boolean
  }
  /** The last proof of identity in this session. Null: before a login recorded it. */
  readonly confirmadaEm: Date | null
}

export interface RequestSession extends LoginSession {
  readonly ip: string
}

export type Authenticate = (token: string) => Promise<LoginSession | null>

export function bearerToken(request: FastifyRequest): string | null {
  return /^bearer ([\w-]{20,128})$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

interface KnownTokens {
  readonly has: (token: string) => boolean
  readonly add: (token: string) => void
  readonly delete: (token: string) => void
}

const KNOWN_TOKENS_MAX = 20_000

/** Requests without a known token hold at most 4 database connections together, and their networks take turns. */
const STRANGERS_GATE = { atOnce: 4, waiting: 2_000, waitingPerKey: 200, full: () => new AppError('servidorOcupado') }

/**
 * A known token has its own rate limit; unknown tokens share the limit of their IP address. Otherwise random tokens
 * would have no limit, and each would cost a database read.
 */
export function installKnownTokens(app: FastifyInstance): void {
  const tokens = new LRUCache<string, true>({ max: KNOWN_TOKENS_MAX })
  app.decorate('knownTokens', {
    has: (token) => tokens.has(token),
    add: (token) => void tokens.set(token, true),
    delete: (token) => void tokens.delete(token),
  })
  app.decorate('strangers', createGate(STRANGERS_GATE))
}

/** Runs a read for a request without a session: pictures, files, unknown addresses. Throws `servidorOcupado`. */
export function readForStranger<T>({ server, ip }: FastifyRequest, read: () => Promise<T>): Promise<T> {
  return server.strangers.run(read, networkKey(ip))
}

/** Returns the session of the request. Throws `semSessao`. */
export async function requireSession(request: FastifyRequest, authenticate: Authenticate): Promise<LoginSession> {
  const { knownTokens } = request.server
  const token = bearerToken(request)
  if (token === null) throw new AppError('semSessao')
  const session = knownTokens.has(token)
    ? await authenticate(token)
    : await readForStranger(request, () => authenticate(token))
  if (session === null) {
    knownTokens.delete(token)
    throw new AppError('semSessao')
  }
  knownTokens.add(token)
  return session
}

/** True if a second factor is demanded of the person and missing. Such a session reaches only its enrolment. */
export function lacksSecondFactor({ segundoFator }: Pick<LoginSession, 'segundoFator'>): boolean {
  return segundoFator.exigido && !segundoFator.totp && !segundoFator.passkey
}

/** Throws `segundoFatorObrigatorio`. Every way into the product calls it: requests and sockets. */
export function requireSecondFactor(session: LoginSession): void {
  if (lacksSecondFactor(session)) throw new AppError('segundoFatorObrigatorio')
}

/** True for a person of whom sensitive acts ask for a confirmation: with a second factor, or with the duty to have one. */
export function isAskedToConfirm({ segundoFator }: Pick<LoginSession, 'segundoFator'>): boolean {
  return segundoFator.totp || segundoFator.passkey || segundoFator.exigido
}

/** Throws `confirmacaoNecessaria` if the person must confirm a sensitive act and did not in the last 10 minutes. */
export function requireStepUp(session: LoginSession, now: Date): void {
  if (!isAskedToConfirm(session)) return
  const { confirmadaEm, segundoFator } = session
  if (confirmadaEm !== null && now.getTime() - confirmadaEm.getTime() < CONFIRMACAO_MS) return
  const metodos: MetodoConfirmacao[] = ['senha']
  if (segundoFator.totp) metodos.push('totp')
  if (segundoFator.passkey) metodos.push('passkey')
  throw new AppError('confirmacaoNecessaria', { metodos })
}

/** Throws `semPermissao` unless the session has this permission. Administrators hold every componente. */
export function requirePermission(session: LoginSession, permission: RoutePermission): void {
  if (!mayUse(session, permission)) throw new AppError('semPermissao')
}

function mayUse(session: LoginSession, permission: RoutePermission): boolean {
  if (permission === 'publico' || permission === 'logado') return true
  if (permission === 'admin') return session.tipo === 'admin'
  if (permission === 'dono') return session.tipo !== 'operador'
  const componentes = typeof permission === 'string' ? [permission] : permission
  return componentes.some((componente) => hasComponente(session, componente))
}

/** True if the session may use a componente. Operadores have only `atendimentoHumano`. */
export function hasComponente(session: LoginSession, componente: keyof LoginSession['componentes']): boolean {
  if (session.tipo === 'admin') return true
  if (session.tipo === 'operador' && componente !== 'atendimentoHumano') return false
  return session.componentes[componente]
}
