import {
  type AdminConfiguracoes,
  type AdminConfiguracoesParciais,
  adminConfiguracoesSchema,
} from '@balcao/contract/entities/admin'
import type { Deps } from '#deps.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { getAdminConfiguracoes } from '#modules/auth/index.ts'
import { mudancaDeConfiguracoes } from './rules.ts'

/** The new defaults apply to future contas. Existing contas keep their limits. */
export async function salvarConfiguracoes(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  quem: Pedinte,
  mudadas: AdminConfiguracoesParciais,
): Promise<AdminConfiguracoes> {
  return deps.db.transaction('*', async (tx) => {
    const antes = await getAdminConfiguracoes(tx)
    const configuracoes = adminConfiguracoesSchema.parse({ ...antes, ...mudadas })
    await tx.kysely.updateTable('configuracoesAdmin').set(mudadas).execute()
    const detalhe = mudancaDeConfiguracoes(antes, configuracoes)
    await registrarAuditoria(tx, deps, { acao: 'configuracoesSalvas', quem, detalhe })
    return configuracoes
  })
}
