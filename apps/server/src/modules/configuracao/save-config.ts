import type { VersionedConfig, Setor } from '@balcao/contract/entities/config'
import { completeConfig, type ConfigInput } from '@balcao/contract/entities/config-input'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { changeConfig, type ConfigDeps } from './change-config.ts'
import { writableSectionsOf } from './rules.ts'

/** Sections the session may not write keep their stored values. Throws `semPermissao` if it may write none. */
export async function saveConfig(
  deps: ConfigDeps,
  session: RequestSession,
  input: ConfigInput,
): Promise<VersionedConfig> {
  const allowed = writableSectionsOf(session)
  if (!Object.values(allowed).includes(true)) throw new AppError('semPermissao')
  return changeConfig(deps, {
    session,
    allowed,
    versao: input.versao ?? null,
    compose: (current) => completeConfig(current, input),
  })
}

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
