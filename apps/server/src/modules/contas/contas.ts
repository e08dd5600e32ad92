import type { Insertable, Updateable } from 'kysely'
import * as z from 'zod/mini'
import { FUSO_PADRAO } from '@balcao/contract/constants'
import type { ContasTable } from '#db/tables/contas.ts'
import type { Tx } from '#db/transaction.ts'
import type { Bots } from '#ports/bots.ts'

export async function insertConta(tx: Tx, conta: Insertable<ContasTable>): Promise<void> {
  await tx.kysely.insertInto('contas').values(conta).execute()
}

export async function updateConta(tx: Tx, contaId: string, fields: Updateable<ContasTable>): Promise<void> {
  await tx.kysely.updateTable('contas').set(fields).where('id', '=', contaId).execute()
}

/**
 * Call in the transaction of every change of the facts about the conta that the bot keeps in memory: configuration,
 * produtos, privacy notice, plan, maintenance. The next message reads them again on every node.
 */
export async function raiseContextVersion(tx: Tx, contaId: string): Promise<void> {
  await tx.query('update contas set versao_contexto = versao_contexto + 1 where id = $1', [contaId])
}

/** As `raiseContextVersion`. Also drops the facts from the memory of all nodes after the commit. */
export async function contextChanges(tx: Tx, bots: Pick<Bots, 'contextChanged'>, contaId: string): Promise<void> {
  await raiseContextVersion(tx, contaId)
  tx.afterCommit(() => bots.contextChanged(contaId))
}

export async function readTimeZone(tx: Tx, contaId: string): Promise<string> {
  const conta = await tx.kysely.selectFrom('contas').select('fuso').where('id', '=', contaId).executeTakeFirst()
  return conta?.fuso ?? FUSO_PADRAO
}

/** SQL of the Client ID of a conta. A version that equals the one before it names the version with its content. */
export const connectionNameSql = (conta: string): string => `(
  select o.dados #>> '{whatsapp,clientId}'
    from configuracoes v join configuracoes o on o.conta_id = v.conta_id and o.versao = coalesce(v.igual_a, v.versao)
   where v.conta_id = ${conta} order by v.versao desc limit 1)`

/** The Client ID, which names the connection of the conta. Empty until the owner chooses one. */
export async function readConnectionName(tx: Tx, contaId: string): Promise<string> {
  const [row] = await tx.rows(z.object({ nome: z.nullable(z.string()) }), `select ${connectionNameSql('$1')} as nome`, [
    contaId,
  ])
  return row?.nome ?? ''
}

/** The time zone of the conta follows its business hours. */
export async function updateTimeZone(tx: Tx, contaId: string, timeZone: string): Promise<void> {
  await tx.kysely
    .updateTable('contas')
    .set({ fuso: timeZone })
    .where('id', '=', contaId)
    .where('fuso', '<>', timeZone)
    .execute()
}

/** Marks the conta and its people as deleted. Their e-mail addresses stay reserved until the conta is erased. */
export async function markContaDeleted(tx: Tx, contaId: string, at: Date): Promise<void> {
  await tx.kysely
    .updateTable('usuarios')
    .set({ excluidoEm: at, voltaComConta: true })
    .where('contaId', '=', contaId)
    .where('excluidoEm', 'is', null)
    .execute()
  await updateConta(tx, contaId, { excluidaEm: at })
}

/** Restores the conta and the people that were deleted with it. */
export async function restoreConta(tx: Tx, contaId: string): Promise<void> {
  await tx.kysely
    .updateTable('usuarios')
    .set({ excluidoEm: null, voltaComConta: false })
    .where('contaId', '=', contaId)
    .where('voltaComConta', '=', true)
    .execute()
  await updateConta(tx, contaId, { excluidaEm: null })
}
