import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { alterarConfig, autorDe, type ConfigDeps } from './alterar-config.ts'
import { getVersao } from './repository.ts'
import { secoesDe } from './rules.ts'

/**
 * Saves the past version `qual` as a new version. Sections the session may not write keep their current values.
 * `versao` is the version in force known to the client.
 */
export async function restaurarVersao(
  deps: ConfigDeps & Pick<Deps, 'ids'>,
  sessao: Pedinte,
  { qual, versao }: { readonly qual: number; readonly versao: number | null },
): Promise<ConfigVersionada> {
  const pode = secoesDe(sessao)
  if (!Object.values(pode).includes(true)) throw new AppError('semPermissao')
  return alterarConfig(deps, {
    contaId: sessao.contaId,
    autor: autorDe(sessao),
    pode,
    versao,
    restauradaDe: qual,
    compor: async (_atual, tx) => {
      const guardada = await getVersao(tx, deps, sessao.contaId, qual)
      const detalhe = `Versão ${qual}`
      await registrarAuditoria(tx, deps, { acao: 'configRestaurada', quem: sessao, detalhe })
      return guardada
    },
  })
}
