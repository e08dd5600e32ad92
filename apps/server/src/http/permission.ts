import type { RoutePermission } from '@balcao/contract/define-route'
import { AppError } from '#errors.ts'
import type { LoginSession } from './authentication.ts'

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
