import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { restoreConta } from '#modules/contas/index.ts'
import { type UsuarioRef, getUsuarioAdmin, toUsuarioAdmin } from '#modules/usuarios/repository.ts'
import { erasedAt } from '#modules/usuarios/rules.ts'
import { recordAct } from './change-conta.ts'

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

async function lockDeletedUsuario(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  id: string,
): Promise<Omit<UsuarioRef, 'status' | 'tipo'>> {
  if (!isUuid(id)) throw new AppError('naoEncontrado')
  const parsed = await tx.kysely
    .selectFrom('usuarios')
    .innerJoin('contas', 'contas.id', 'usuarios.contaId')
    .select(['usuarios.id', 'contaId', 'nome', 'email', 'voltaComConta', 'excluidaEm'])
    .where('usuarios.id', '=', id)
    .where('tipo', '<>', 'operador')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (parsed === undefined) throw new AppError('naoEncontrado')
  if (parsed.excluidaEm === null) throw new AppError('naoExcluido')
  // Accounts deleted before addresses were reserved cannot be restored, because another person may have registered
  // the address.
  if (!parsed.voltaComConta || erasedAt(parsed.excluidaEm) <= clock.now()) throw new AppError('prazoDeRestauracao')
  return parsed
}
