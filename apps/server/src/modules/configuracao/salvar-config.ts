import { completarConfig, type ConfigEntrada } from '@balcao/contract/entities/config-entrada'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { alterarConfig, autorDe, type ConfigDeps } from './alterar-config.ts'
import { secoesDe } from './rules.ts'

/**
 * Saves the whole configuration. Sections the session may not write keep their stored values. Throws `semPermissao`
 * if it may write none.
 */
export async function salvarConfig(
  deps: ConfigDeps,
  sessao: Sessao,
  entrada: ConfigEntrada,
): Promise<ConfigVersionada> {
  const pode = secoesDe(sessao)
  if (!Object.values(pode).includes(true)) throw new AppError('semPermissao')
  return alterarConfig(deps, {
    contaId: sessao.contaId,
    autor: autorDe(sessao),
    pode,
    versao: entrada.versao ?? null,
    compor: (atual) => completarConfig(atual, entrada),
  })
}
