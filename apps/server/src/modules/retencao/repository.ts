import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/** Maximum rows per statement. Keeps locks short and stays below the statement timeout. */
const POR_VEZ = 1_000

const contaSchema = z.object({ id: z.string(), retencao_dias: z.nullable(z.int()) })

/** All contas without a legal hold, with their retention in days. Null means the default. */
export function listContas(tx: Tx): Promise<z.output<typeof contaSchema>[]> {
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
export type Apagar = (tx: Tx, contaId: string, antes: { readonly id: string; readonly em: Date }) => Promise<number>

const contar = ({ rowCount }: { rowCount: number | null }): number => rowCount ?? 0

export const apagarMensagens: Apagar = async (tx, contaId, { id }) =>
  contar(
    await tx.query(
      `delete from mensagens where conta_id = $1 and id = any (array(
         select id from mensagens where conta_id = $1 and id < $2 order by id limit ${POR_VEZ}))`,
      [contaId, id],
    ),
  )

/** Finished before the limit and without mensagens. */
export const apagarConversas: Apagar = async (tx, contaId, { id, em }) =>
  contar(
    await tx.query(
      `delete from conversas where conta_id = $1 and id = any (array(
         select v.id from conversas v where v.conta_id = $1 and v.id < $2 and v.status = 'finalizada' and v.finalizada_em < $3
           and not exists (select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id)
         order by v.id limit ${POR_VEZ}))`,
      [contaId, id, em],
    ),
  )

/** Without activity since the limit and without mensagens. Addresses and conversas follow by cascade. */
export const apagarContatos: Apagar = async (tx, contaId, { id, em }) =>
  contar(
    await tx.query(
      `delete from contatos where conta_id = $1 and id = any (array(
         select c.id from contatos c where c.conta_id = $1 and c.id < $2 and c.ultima_atividade < $3
           and not exists (
             select 1 from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
             where v.conta_id = c.conta_id and v.contato_id = c.id)
         order by c.id limit ${POR_VEZ}))`,
      [contaId, id, em],
    ),
  )

export const apagarRespostasIa: Apagar = async (tx, contaId, { id }) =>
  contar(
    await tx.query(
      `delete from respostas_ia where conta_id = $1 and mensagem_id = any (array(
         select mensagem_id from respostas_ia where conta_id = $1 and mensagem_id < $2 order by mensagem_id limit ${POR_VEZ}))`,
      [contaId, id],
    ),
  )

/** Webhook events for a bot that was not started in time. */
export const apagarChegadas: Apagar = async (tx, contaId, { em }) =>
  contar(
    await tx.query(
      `delete from oficial_chegadas where conta_id = $1 and id = any (array(
         select id from oficial_chegadas where conta_id = $1 and chegou_em < $2 order by ordem limit ${POR_VEZ}))`,
      [contaId, em],
    ),
  )

export const apagarLogs: Apagar = async (tx, contaId, { id }) =>
  contar(
    await tx.query(
      `delete from logs where conta_id = $1 and id = any (array(
         select id from logs where conta_id = $1 and id < $2 order by id limit ${POR_VEZ}))`,
      [contaId, id],
    ),
  )
