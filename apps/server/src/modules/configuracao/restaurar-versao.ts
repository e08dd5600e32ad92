import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { alterarConfig, autorDe, type ConfigDeps } from './alterar-config.ts'
import { getVersao } from './repository.ts'
import { secoesDe } from './rules.ts'

/** Saves a past version as a new one; what the session may not write stays as it is now. */
export async function restaurarVersao(
  deps: ConfigDeps & Pick<Deps, 'ids'>,
  sessao: Pedinte,
  versao: number,
): Promise<ConfigVersionada> {
  const pode = secoesDe(sessao)
  if (!Object.values(pode).includes(true)) throw new AppError('semPermissao')
  return alterarConfig(deps, {
    contaId: sessao.contaId,
    autor: autorDe(sessao),
    pode,
    versao: null,
    restauradaDe: versao,
    compor: async (_atual, tx) => {
      const guardada = await getVersao(tx, deps, sessao.contaId, versao)
      const detalhe = `Versão ${versao}`
      await registrarAuditoria(tx, deps, { acao: 'configRestaurada', quem: sessao, detalhe })
      return guardada
    },
  })
}
