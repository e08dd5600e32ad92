import {
  type AdminConfiguracoes,
  type AdminConfiguracoesPatch,
  adminConfiguracoesSchema,
} from '@balcao/contract/entities/admin'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { getAdminSettings } from '#modules/auth/index.ts'
import { describeSettingsChange } from './rules.ts'

/** The new defaults apply to future contas. Existing contas keep their limits. */
export async function saveAdminSettings(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  actor: RequestSession,
  changed: AdminConfiguracoesPatch,
): Promise<AdminConfiguracoes> {
  return deps.db.transaction('*', async (tx) => {
    const before = await getAdminSettings(tx)
    const configuracoes = adminConfiguracoesSchema.parse({ ...before, ...changed })
    await tx.kysely.updateTable('configuracoesAdmin').set(changed).execute()
    const detalhe = describeSettingsChange(before, configuracoes)
    await recordAuditoria(tx, deps, { acao: 'configuracoesSalvas', quem: actor, detalhe })
    return configuracoes
  })
}
