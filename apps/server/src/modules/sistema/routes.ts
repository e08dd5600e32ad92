import { adminSistemaRoute, fazerCopiaRoute, liberarCopiaRoute } from '@balcao/contract/routes/admin'
import { healthRoute } from '@balcao/contract/routes/registros'
import { manutencaoRoute, sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { changeManutencao } from './change-manutencao.ts'
import { readInstallation } from './read-installation.ts'
import { releaseRestored } from './release-restored.ts'
import { readSistemaStatus } from './read-status.ts'

type SistemaDeps = Pick<
  Deps,
  | 'db'
  | 'clock'
  | 'ids'
  | 'vault'
  | 'passwords'
  | 'delays'
  | 'realtime'
  | 'bots'
  | 'mailer'
  | 'mailQueued'
  | 'metrics'
  | 'readiness'
  | 'settings'
  | 'backups'
  | 'fleet'
  | 'conectores'
>

export function sistemaRoutes(deps: SistemaDeps): BoundRoute[] {
  return [
    bind(healthRoute, async () => ({ sucesso: true as const })),
    bind(adminSistemaRoute, () => readInstallation(deps)),
    bind(fazerCopiaRoute, ({ sessao }) => startBackup(deps, sessao)),
    bind(liberarCopiaRoute, ({ sessao, body }) => releaseRestored(deps, body.decisao, sessao)),
    bind(sistemaStatusRoute, ({ sessao }) => readSistemaStatus(deps, sessao.contaId)),
    bind(manutencaoRoute, async ({ sessao, body }) => ({ manutencao: await changeManutencao(deps, sessao, body) })),
  ]
}

async function startBackup(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'backups'>,
  session: RequestSession,
): Promise<{ sucesso: true }> {
  await deps.db.transaction(session.contaId, async (tx) => {
    await recordAuditoria(tx, deps, { acao: 'copiaPedida', quem: session })
    // A refusal rolls the record back.
    deps.backups.start()
  })
  return { sucesso: true }
}
