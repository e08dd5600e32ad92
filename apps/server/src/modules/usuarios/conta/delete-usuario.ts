import * as z from 'zod/mini'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { markContaDeleted, restoreConta } from '#modules/contas/index.ts'
import { requireNoLegalHold } from '#modules/lgpd/index.ts'
import {
  requireNotLastAdmin,
  lockAdmins,
  lockUsuario,
  type UsuarioRef,
  getUsuarioAdmin,
  toUsuarioAdmin,
} from '#modules/usuarios/repository.ts'
import { sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { erasedAt } from '#modules/usuarios/rules.ts'
import { recordAct } from './change-conta.ts'
import { closeConta } from './change-status.ts'

type DeleteUsuarioDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'bots' | 'forgetSessions'>

/**
 * Stops the conta and marks it and its people as deleted. It can be restored for 30 days, and its e-mail addresses
 * stay reserved until it is erased. Throws `naoEncontrado`, `ultimoAdmin` or, under a legal hold, `conflito`.
 */
export async function deleteUsuario(deps: DeleteUsuarioDeps, actor: RequestSession, id: string): Promise<void> {
  await deps.db.transaction('*', async (tx) => {
    await lockAdmins(tx, {})
    const target = await lockUsuario(tx, id)
    await requireNotLastAdmin(tx, target)
    await markContaDeleted(tx, target.contaId, deps.clock.now())
    // The mark locks the conta, as a change of the hold does, so the hold cannot change before the commit.
    await requireNoLegalHold(tx, target.contaId)
    await closeConta(tx, deps, target.contaId)
    await recordAct(tx, deps, { acao: 'usuarioExcluido', quem: actor }, target)
  })
}

/**
 * Restores a deleted conta with its people, passwords and data. Sessions stay ended and the bot stays stopped.
 * Throws `naoEncontrado`, `naoExcluido` or, after 30 days, `prazoDeRestauracao`.
 */
export async function restoreUsuario(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'forgetSessions'>,
  actor: RequestSession,
  id: string,
): Promise<UsuarioAdmin> {
  return deps.db.transaction('*', async (tx) => {
    const target = await lockDeletedUsuario(tx, deps, id)
    await restoreConta(tx, target.contaId)
    await recordAct(tx, deps, { acao: 'usuarioRestaurado', quem: actor }, target)
    tx.afterCommit(() => deps.forgetSessions())
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

const lockDeleted = oneRow(
  'usuarios: lock deleted',
  z.object({
    id: z.string(),
    contaId: z.string(),
    nome: z.string(),
    email: z.string(),
    voltaComConta: z.boolean(),
    excluidaEm: z.nullable(z.date()),
  }),
  sql`select u.id, u.conta_id, u.nome, u.email, u.volta_com_conta, c.excluida_em
      from usuarios u join contas c on c.id = u.conta_id
      where u.id = ${value('id', 'uuid')} and u.tipo <> 'operador' for no key update`,
)

async function lockDeletedUsuario(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  id: string,
): Promise<Omit<UsuarioRef, 'status' | 'tipo'>> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const parsed = await lockDeleted(tx, { id })
  if (parsed === null) throw new AppError('naoEncontrado')
  if (parsed.excluidaEm === null) throw new AppError('naoExcluido')
  // Accounts deleted before addresses were reserved cannot be restored, because another person may have registered
  // the address.
  if (!parsed.voltaComConta || erasedAt(parsed.excluidaEm) <= clock.now()) throw new AppError('prazoDeRestauracao')
  return parsed
}
