import { COMPONENTES, type Plano } from '@balcao/contract/constants'
import { type AdminConfiguracoes, adminConfiguracoesSchema } from '@balcao/contract/entities/admin'
import { sql } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { insertDefaultConfig } from '#modules/configuracao/index.ts'
import { insertConta, insertUsuario } from '#modules/contas/index.ts'

interface NewConta {
  /** Created by the caller, because the transaction must already be that of this conta. */
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly telefone: string
  readonly empresa: string
  readonly senhaHash: string
  readonly tipo: 'admin' | 'usuario'
  readonly status: 'pendente' | 'ativo'
  readonly planoDesejado?: Plano | undefined
}

/**
 * The plan is only a label until an administrator applies it. Returns the id of the owner. Throws `emailJaCadastrado`.
 */
export async function createConta(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'vault' | 'settings'>,
  input: NewConta,
): Promise<string> {
  const now = deps.clock.now()
  const { mensagensPorDia } = await getAdminSettings(tx)
  const { contaId, nome, email, telefone, empresa, senhaHash, tipo, status } = input
  await insertConta(tx, {
    contaId,
    empresa,
    planoDesejado: input.planoDesejado ?? null,
    limiteMensagensDia: mensagensPorDia,
    componentesPermitidos: Object.fromEntries(COMPONENTES.map((name) => [name, true])),
    semLimite: tipo === 'admin',
    criadaEm: now,
  })
  const id = deps.ids.uuid()
  await insertUsuario(tx, { id, contaId, nome, email: email.toLowerCase(), telefone, tipo, status, senhaHash, em: now })
  await insertDefaultConfig(tx, deps, contaId, { author: { id, nome }, empresa })
  return id
}

const findSettings = oneRow(
  'auth: find settings',
  adminConfiguracoesSchema,
  sql`select limite_usuarios_por_plano, mensagens_por_dia, permitir_auto_registro, notificacoes_email, suporte_whatsapp,
        exigir_segundo_fator_admin, politica_senha, recusar_comuns from configuracoes_admin`,
)

export async function getAdminSettings(tx: Tx): Promise<AdminConfiguracoes> {
  const settings = await findSettings(tx, {})
  if (settings === null) throw new Error('the row of settings is missing')
  return settings
}
