import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { type EndedConversa, endedConversaSchema } from './readers.ts'

export interface ClearedConversa {
  readonly contatoId: string
  readonly telefone: string
  readonly nome: string
  /** The bot was serving it, so panels show it as active until an event. */
  readonly withBot: boolean
}

/** Counts the conversas that `deleteFinishedConversas` deletes. */
export async function countFinishedConversas(tx: Tx, contaId: string): Promise<number> {
  const [line] = await tx.rows(
    z.object({ count: z.number() }),
    `select count(*) from conversas where conta_id = $1 and status in ('bot', 'finalizada')`,
    [contaId],
  )
  return line?.count ?? 0
}

/**
 * Deletes finished and bot-only conversas of up to `max` candidates with their mensagens and resets their
 * contatos. Locks the contatos first, in id order, as customer messages do, which prevents deadlocks.
 */
export async function deleteFinishedConversas(tx: Tx, contaId: string, max: number): Promise<ClearedConversa[]> {
  const candidates = await tx.kysely
    .selectFrom('conversas')
    .select('contatoId')
    .where('contaId', '=', contaId)
    .where('status', 'in', ['bot', 'finalizada'])
    .limit(max)
    .execute()
  if (candidates.length === 0) return []
  const ids = [...new Set(candidates.map(({ contatoId }) => contatoId))]
  const contatos = await tx.kysely
    .selectFrom('contatos')
    .select(['id', 'nome', 'telefone'])
    .where('contaId', '=', contaId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  // Read again under the lock, because a conversa may have been handed to an operador meanwhile.
  const removed = await tx.kysely
    .selectFrom('conversas')
    .select(['id', 'contatoId', 'status'])
    .where('contaId', '=', contaId)
    .where('contatoId', 'in', ids)
    .where('status', 'in', ['bot', 'finalizada'])
    .execute()
  if (removed.length > 0)
    await deleteConversaRows(
      tx,
      contaId,
      removed.map(({ id }) => id),
    )
  const byId = new Map(contatos.map((contato) => [contato.id, contato]))
  return removed.map(({ contatoId, status }) => ({
    contatoId,
    telefone: byId.get(contatoId)?.telefone ?? '',
    nome: byId.get(contatoId)?.nome ?? '',
    withBot: status === 'bot',
  }))
}

/** Keeps the privacy notice and the opt-out of the contato, which do not belong to the conversa. */
const keptState = sql<null>`nullif(
  jsonb_strip_nulls(jsonb_build_object('avisadoEm', estado -> 'avisadoEm', 'paradoEm', estado -> 'paradoEm')), '{}')`

const reactionMensagemId = sql<string>`(conteudo #>> '{reacao,mensagemId}')::uuid`

async function deleteConversaRows(tx: Tx, contaId: string, ids: readonly string[]): Promise<void> {
  const { kysely } = tx
  const contatos = kysely
    .selectFrom('contatos')
    .select('id')
    .where('contaId', '=', contaId)
    .where('conversaId', 'in', ids)
  const mensagens = kysely
    .selectFrom('mensagens')
    .select('id')
    .where('contaId', '=', contaId)
    .where('conversaId', 'in', ids)
  await kysely.deleteFrom('perguntasIa').where('contaId', '=', contaId).where('contatoId', 'in', contatos).execute()
  await kysely
    .deleteFrom('saida')
    .where('contaId', '=', contaId)
    // The `saida` row of a reaction has its own id; the mensagem is in its JSON.
    .where((eb) => eb.or([eb('mensagemId', 'in', mensagens), eb(reactionMensagemId, 'in', mensagens)]))
    .execute()
  await kysely
    .updateTable('contatos')
    .set({ estado: keptState, conversaId: null })
    .where('contaId', '=', contaId)
    .where('conversaId', 'in', ids)
    .execute()
  await kysely.deleteFrom('conversas').where('contaId', '=', contaId).where('id', 'in', ids).execute()
}

/** Maximum rows per statement of retention. Keeps locks short and stays below the statement timeout. */
const OLD_BATCH = 1_000

/** Ids contain their time, so the primary key finds old rows. */
interface AgeLimit {
  readonly id: string
  readonly em: Date
}

const deleteBatch = async (tx: Tx, sql: string, values: readonly unknown[]): Promise<number> =>
  (await tx.query(sql, [...values])).rowCount ?? 0

/** Deletes one batch. Returns the number of rows. */
export function deleteOldMensagens(tx: Tx, contaId: string, { id }: AgeLimit): Promise<number> {
  return deleteBatch(
    tx,
    `delete from mensagens where conta_id = $1 and id = any (array(
       select id from mensagens where conta_id = $1 and id < $2 order by id limit ${OLD_BATCH}))`,
    [contaId, id],
  )
}

/** Finished before the limit and without mensagens. */
export function deleteOldConversas(tx: Tx, contaId: string, { id, em }: AgeLimit): Promise<number> {
  return deleteBatch(
    tx,
    `delete from conversas where conta_id = $1 and id = any (array(
       select v.id from conversas v where v.conta_id = $1 and v.id < $2 and v.status = 'finalizada' and v.finalizada_em < $3
         and not exists (select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id)
       order by v.id limit ${OLD_BATCH}))`,
    [contaId, id, em],
  )
}

/** Without activity since the limit and without mensagens. Addresses and conversas follow by cascade. */
export function deleteOldContatos(tx: Tx, contaId: string, { id, em }: AgeLimit): Promise<number> {
  return deleteBatch(
    tx,
    `delete from contatos where conta_id = $1 and id = any (array(
       select c.id from contatos c where c.conta_id = $1 and c.id < $2 and c.ultima_atividade < $3
         and not exists (
           select 1 from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
           where v.conta_id = c.conta_id and v.contato_id = c.id)
       order by c.id limit ${OLD_BATCH}))`,
    [contaId, id, em],
  )
}

/** Mensagens of one contato deleted per transaction, so a new customer message waits for one step only. */
const CONTATO_BATCH = 2_000

/** Deletes one batch of the mensagens of a contato. Returns true when none is left except queued ones. */
export async function deleteContatoMensagens(tx: Tx, contaId: string, contatoId: string): Promise<boolean> {
  const count = await deleteBatch(
    tx,
    `delete from mensagens where conta_id = $1 and id = any (array(
       select m.id from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
       where v.conta_id = $1 and v.contato_id = $2 and not exists (
         select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id)
       order by m.id limit ${CONTATO_BATCH}))`,
    [contaId, contatoId],
  )
  return count < CONTATO_BATCH
}

/**
 * Deletes the contato; its other rows follow by cascade. Returns the conversas with people, which panels must close.
 */
export async function deleteContato(tx: Tx, contaId: string, contatoId: string): Promise<EndedConversa[]> {
  const values = [contaId, contatoId]
  const attended = await tx.rows(
    endedConversaSchema,
    'select id, setor, operador_id from conversas where conta_id = $1 and contato_id = $2 and protocolo is not null',
    values,
  )
  for (const table of ['saida', 'perguntas_ia', 'avaliacoes']) {
    await tx.query(`delete from ${table} where conta_id = $1 and contato_id = $2`, values)
  }
  await tx.query('delete from contatos where conta_id = $1 and id = $2', values)
  return attended
}
