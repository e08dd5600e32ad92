import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { alterarConfig, autorDe, type ConfigDeps } from './alterar-config.ts'
import { getVersao } from './repository.ts'
import { secoesDe } from './rules.ts'

/** Saves a past version as a new one; what the session may not write stays as it is now. */
export async function restaurarVersao(deps: ConfigDeps, sessao: Sessao, versao: number): Promise<ConfigVersionada> {
  const pode = secoesDe(sessao)
  if (!Object.values(pode).includes(true)) throw new AppError('semPermissao')
  return alterarConfig(deps, {
    contaId: sessao.contaId,
    autor: autorDe(sessao),
    pode,
    versao: null,
    restauradaDe: versao,
    compor: (_atual, tx) => getVersao(tx, deps, sessao.contaId, versao),
  })
}
