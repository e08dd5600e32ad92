import type { Permissao } from '@balcao/contract/define-route'
import { AppError } from '#errors.ts'
import type { Sessao } from './authentication.ts'

/** Throws `semPermissao` unless the session has this permission. Administrators hold every componente. */
export function requirePermission(sessao: Sessao, permissao: Permissao): void {
  if (!mayUse(sessao, permissao)) throw new AppError('semPermissao')
}

function mayUse(sessao: Sessao, permissao: Permissao): boolean {
  if (permissao === 'publico' || permissao === 'logado') return true
  if (permissao === 'admin') return sessao.tipo === 'admin'
  if (permissao === 'dono') return sessao.tipo !== 'operador'
  const componentes = typeof permissao === 'string' ? [permissao] : permissao
  return componentes.some((componente) => holds(sessao, componente))
}

/** True if the session may use a componente. Operadores have only `atendimentoHumano`. */
export function holds(sessao: Sessao, componente: keyof Sessao['componentes']): boolean {
  if (sessao.tipo === 'admin') return true
  if (sessao.tipo === 'operador' && componente !== 'atendimentoHumano') return false
  return sessao.componentes[componente]
}
