import { COMPONENTES, type Plano } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { insertDefaultConfig } from '#modules/configuracao/index.ts'

export interface NewConta {
  /** Created by the caller, because the transaction must already be that of this conta. */
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly telefone: string
  readonly empresa: string
  readonly senhaHash: string
  readonly tipo: 'admin' | 'usuario'
  readonly status: 'pendente' | 'ativo'
  readonly plano?: Plano
}

/**
 * Inserts the conta, its owner and version 1 of its configuration. The daily limit comes from the administrator's
 * settings; the plan is only a label until an administrator applies it. Returns the id of the owner. Throws
 * `emailJaCadastrado`.
 */
export async function createConta(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'vault' | 'settings'>,
  input: NewConta,
): Promise<string> {
  const agora = deps.clock.now()
  const { mensagensPorDia } = await getAdminSettings(tx)
  await tx.kysely
    .insertInto('contas')
    .values({
      id: input.contaId,
      empresa: input.empresa,
      plano: input.plano ?? 'gratuito',
      limiteMensagensDia: mensagensPorDia,
      componentesPermitidos: JSON.stringify(Object.fromEntries(COMPONENTES.map((name) => [name, true]))),
      semLimite: input.tipo === 'admin',
      criadaEm: agora,
    })
    .execute()
  const usuarioId = deps.ids.uuid()
  // The unique index decides between two concurrent sign-ups.
  const { rowCount } = await tx.query(
    `insert into usuarios (id, conta_id, nome, email, telefone, tipo, status, senha_hash, data_criacao)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (email) where excluido_em is null do nothing`,
    [
      usuarioId,
      input.contaId,
      input.nome,
      input.email.toLowerCase(),
      input.telefone,
      input.tipo,
      input.status,
      input.senhaHash,
      agora,
    ],
  )
  if (rowCount !== 1) throw new AppError('emailJaCadastrado')
  await insertDefaultConfig(tx, deps, input.contaId, { id: usuarioId, nome: input.nome })
  return usuarioId
}

export interface AdminSettings {
  readonly limiteUsuariosPorPlano: number
  readonly mensagensPorDia: number
  readonly permitirAutoRegistro: boolean
  readonly notificacoesEmail: boolean
}

export async function getAdminSettings(tx: Tx): Promise<AdminSettings> {
  return tx.kysely
    .selectFrom('configuracoesAdmin')
    .select(['limiteUsuariosPorPlano', 'mensagensPorDia', 'permitirAutoRegistro', 'notificacoesEmail'])
    .executeTakeFirstOrThrow()
}
