import type { RoutePermission } from '@balcao/contract/define-route'
import { AppError } from '#errors.ts'
import type { LoginSession } from './authentication.ts'

/** Throws `semPermissao` unless the session has this permission. Administrators hold every componente. */
export function requirePermission(session: LoginSession, permissao: RoutePermission): void {
  if (!mayUse(session, permissao)) throw new AppError('semPermissao')
}

function mayUse(session: LoginSession, permissao: RoutePermission): boolean {
  if (permissao === 'publico' || permissao === 'logado') return true
  if (permissao === 'admin') return session.tipo === 'admin'
  if (permissao === 'dono') return session.tipo !== 'operador'
  const componentes = typeof permissao === 'string' ? [permissao] : permissao
  return componentes.some((componente) => hasComponente(session, componente))
}

/** True if the session may use a componente. Operadores have only `atendimentoHumano`. */
export function hasComponente(session: LoginSession, componente: keyof LoginSession['componentes']): boolean {
  if (session.tipo === 'admin') return true
  if (session.tipo === 'operador' && componente !== 'atendimentoHumano') return false
  return session.componentes[componente]
}
