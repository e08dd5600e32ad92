import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { changeConfig, authorOf, type ConfigDeps } from './change-config.ts'
import { getVersao } from './repository.ts'
import { writableSectionsOf } from './rules.ts'

/**
 * Saves the past version `qual` as a new version. Sections the session may not write keep their current values.
 * `versao` is the version in force known to the client.
 */
export async function restoreVersao(
  deps: ConfigDeps & Pick<Deps, 'ids'>,
  session: RequestSession,
  { qual, versao }: { readonly qual: number; readonly versao: number | null },
): Promise<VersionedConfig> {
  const pode = writableSectionsOf(session)
  if (!Object.values(pode).includes(true)) throw new AppError('semPermissao')
  return changeConfig(deps, {
    contaId: session.contaId,
    autor: authorOf(session),
    allowed: pode,
    versao,
    restauradaDe: qual,
    compose: async (_atual, tx) => {
      const stored = await getVersao(tx, deps, session.contaId, qual)
      const detalhe = `Versão ${qual}`
      await recordAuditoria(tx, deps, { acao: 'configRestaurada', quem: session, detalhe })
      return stored
    },
  })
}
