import type { VersionedConfig, Setor } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { changeConfig, type ConfigDeps } from '#modules/configuracao/change-config.ts'
import { writableSectionsOf } from '#modules/configuracao/rules.ts'

/** A setor with an unknown id is new and gets an id from its name. */
export async function saveSetores(
  deps: ConfigDeps,
  session: RequestSession,
  change: (current: readonly Setor[]) => Setor[],
  versao: number | null = null,
): Promise<VersionedConfig> {
  const allowed = writableSectionsOf(session)
  if (!allowed.atendimento) throw new AppError('semPermissao')
  return changeConfig(deps, {
    session,
    allowed,
    versao,
    compose: (current) => ({
      ...current,
      atendimento: { ...current.atendimento, setores: change(current.atendimento.setores) },
    }),
  })
}
