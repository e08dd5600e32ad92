import type { ConfigVersionada, Setor } from '@balcao/contract/entities/config'
import { AppError } from '#errors.ts'
import type { Sessao } from '#http/authentication.ts'
import { alterarConfig, autorDe, type ConfigDeps } from './alterar-config.ts'
import { secoesDe } from './rules.ts'

/**
 * Saves only the list of setores. The callback maps the stored list to the wanted one. A setor with an unknown id
 * is new and gets an id from its name.
 */
export async function salvarSetores(
  deps: ConfigDeps,
  sessao: Sessao,
  mudar: (atuais: readonly Setor[]) => Setor[],
  versao: number | null = null,
): Promise<ConfigVersionada> {
  const pode = secoesDe(sessao)
  if (!pode.atendimento) throw new AppError('semPermissao')
  return alterarConfig(deps, {
    contaId: sessao.contaId,
    autor: autorDe(sessao),
    pode,
    versao,
    compor: (atual) => ({ ...atual, atendimento: { ...atual.atendimento, setores: mudar(atual.atendimento.setores) } }),
  })
}
