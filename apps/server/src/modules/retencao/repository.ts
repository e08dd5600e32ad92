import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/** Maximum rows per statement. Keeps locks short and stays below the statement timeout. */
const BATCH_SIZE = 1_000

const contaSchema = z.object({ id: z.string(), retencao_dias: z.nullable(z.int()) })

/** All contas without a legal hold, with their retention in days. Null means the default. */
export function listContasToClean(tx: Tx): Promise<z.output<typeof contaSchema>[]> {
  return tx.rows(
    contaSchema,
    `select c.id, p.retencao_dias from contas c left join privacidade p on p.conta_id = c.id
     where p.guarda_legal is not true order by c.id`,
  )
}

/**
 * Deletes one batch of data older than `antes` and returns the number of rows. Ids contain their time, so the
 * primary key finds old rows.
 */
export type DeleteOld = (tx: Tx, contaId: string, before: { readonly id: string; readonly em: Date }) => Promise<number>

const rowsOf = ({ rowCount }: { rowCount: number | null }): number => rowCount ?? 0

export const deleteOldMensagens: DeleteOld = async (tx, contaId, { id }) =>
  rowsOf(
    await tx.query(
      `delete from mensagens where conta_id = $1 and id = any (array(
         select id from mensagens where conta_id = $1 and id < $2 order by id limit ${BATCH_SIZE}))`,
      [contaId, id],
    ),
  )

/** Finished before the limit and without mensagens. */
export const deleteOldConversas: DeleteOld = async (tx, contaId, { id, em }) =>
  rowsOf(
    await tx.query(
      `delete from conversas where conta_id = $1 and id = any (array(
         select v.id from conversas v where v.conta_id = $1 and v.id < $2 and v.status = 'finalizada' and v.finalizada_em < $3
           and not exists (select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id)
         order by v.id limit ${BATCH_SIZE}))`,
      [contaId, id, em],
    ),
  )

/** Without activity since the limit and without mensagens. Addresses and conversas follow by cascade. */
export const deleteOldContatos: DeleteOld = async (tx, contaId, { id, em }) =>
  rowsOf(
    await tx.query(
      `delete from contatos where conta_id = $1 and id = any (array(
         select c.id from contatos c where c.conta_id = $1 and c.id < $2 and c.ultima_atividade < $3
           and not exists (
             select 1 from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
             where v.conta_id = c.conta_id and v.contato_id = c.id)
         order by c.id limit ${BATCH_SIZE}))`,
      [contaId, id, em],
    ),
  )

export const deleteOldRespostasIa: DeleteOld = async (tx, contaId, { id }) =>
  rowsOf(
    await tx.query(
      `delete from respostas_ia where conta_id = $1 and mensagem_id = any (array(
         select mensagem_id from respostas_ia where conta_id = $1 and mensagem_id < $2 order by mensagem_id limit ${BATCH_SIZE}))`,
      [contaId, id],
    ),
  )

/** Webhook events for a bot that was not started in time. */
export const deleteOldEvents: DeleteOld = async (tx, contaId, { em }) =>
  rowsOf(
    await tx.query(
      `delete from oficial_chegadas where conta_id = $1 and id = any (array(
         select id from oficial_chegadas where conta_id = $1 and chegou_em < $2 order by ordem limit ${BATCH_SIZE}))`,
      [contaId, em],
    ),
  )

export const deleteOldLogs: DeleteOld = async (tx, contaId, { id }) =>
  rowsOf(
    await tx.query(
      `delete from logs where conta_id = $1 and id = any (array(
         select id from logs where conta_id = $1 and id < $2 order by id limit ${BATCH_SIZE}))`,
      [contaId, id],
    ),
  )
