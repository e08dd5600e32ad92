import {
  encerrarOutrasSessoesRoute,
  encerrarSessaoRoute,
  salvarSegurancaContaRoute,
  segurancaContaRoute,
  sessoesRoute,
} from '@balcao/contract/routes/sessoes'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { readAccountRules, saveAccountRules } from './account-rules.ts'
import { endOtherSessions, endSession, listSessions } from './own-sessions.ts'

export function sessionRoutes(deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>): BoundRoute[] {
  return [
    bind(sessoesRoute, async ({ sessao }) => ({ sessoes: await listSessions(deps, sessao) })),
    bind(encerrarSessaoRoute, ({ sessao, params }) => endSession(deps, sessao, params.id)),
    bind(encerrarOutrasSessoesRoute, ({ sessao }) => endOtherSessions(deps, sessao)),
    bind(segurancaContaRoute, ({ sessao: { contaId } }) =>
      deps.db.read(contaId, (tx) => readAccountRules(tx, contaId)),
    ),
    bind(salvarSegurancaContaRoute, ({ sessao, body }) => saveAccountRules(deps, sessao, body)),
  ]
}
