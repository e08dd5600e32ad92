import { COMPONENTES, type Plano } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { insertDefaultConfig } from '#modules/configuracao/index.ts'

export interface NovaConta {
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
export async function criarConta(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock' | 'cofre' | 'settings'>,
  nova: NovaConta,
): Promise<string> {
  const agora = deps.clock.now()
  const { mensagensPorDia } = await getAdminConfiguracoes(tx)
  await tx.kysely
    .insertInto('contas')
    .values({
      id: nova.contaId,
      empresa: nova.empresa,
      plano: nova.plano ?? 'gratuito',
      limiteMensagensDia: mensagensPorDia,
      componentesPermitidos: JSON.stringify(Object.fromEntries(COMPONENTES.map((nome) => [nome, true]))),
      semLimite: nova.tipo === 'admin',
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
      nova.contaId,
      nova.nome,
      nova.email.toLowerCase(),
      nova.telefone,
      nova.tipo,
      nova.status,
      nova.senhaHash,
      agora,
    ],
  )
  if (rowCount !== 1) throw new AppError('emailJaCadastrado')
  await insertDefaultConfig(tx, deps, nova.contaId, { id: usuarioId, nome: nova.nome })
  return usuarioId
}

export interface AdminConfiguracoesLidas {
  readonly limiteUsuariosPorPlano: number
  readonly mensagensPorDia: number
  readonly permitirAutoRegistro: boolean
  readonly notificacoesEmail: boolean
}

export async function getAdminConfiguracoes(tx: Tx): Promise<AdminConfiguracoesLidas> {
  return tx.kysely
    .selectFrom('configuracoesAdmin')
    .select(['limiteUsuariosPorPlano', 'mensagensPorDia', 'permitirAutoRegistro', 'notificacoesEmail'])
    .executeTakeFirstOrThrow()
}
