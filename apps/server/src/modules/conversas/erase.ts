import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type EndedConversa, endedConversaSchema } from './readers.ts'

/** WhatsApp and Meta deliver a message again for up to 30 days. */
const SEEN_MS = 30 * 24 * 3_600_000

export type SeenDeps = Pick<Deps, 'vault' | 'clock'>

const markContext = (contaId: string): string => `vistos|marca|${contaId}`

/** Marks of a message under every known secret, separated by spaces. They do not reveal its id. */
export function seenMarks({ vault }: Pick<Deps, 'vault'>, contaId: string, channel: string, id: string): string {
  return vault.fingerprints(`${channel}|${id}`, markContext(contaId)).join(' ')
}

/** Messages that a service may deliver again: of the customer, or of the owner on the phone. */
const DELIVERED = `(id_externo is not null and (direcao = 'entrada' or origem = 'telefone'))`
const deliveredSchema = z.object({ canal: z.string(), id_externo: z.string() })

/** Every deletion of messages calls this, so that a message delivered again is neither stored nor answered. */
async function insertSeenMarks(tx: Tx, deps: SeenDeps, contaId: string, deleted: readonly unknown[]): Promise<void> {
  if (deleted.length === 0) return
  const marks = deleted
    .map((row) => deliveredSchema.parse(row))
    .map(({ canal, id_externo: id }) => deps.vault.fingerprint(`${canal}|${id}`, markContext(contaId)))
  const until = new Date(deps.clock.now().getTime() + SEEN_MS)
  await tx.query(
    `insert into vistos (conta_id, marca, ate) select $1, m, $3 from (select distinct unnest($2::text[]) as m order by 1) as n
     on conflict (conta_id, marca) do update set ate = excluded.ate`,
    [contaId, marks, until],
  )
}

/** Deletes one batch of marks that are too old to be asked for. Returns the number of rows. */
export function deleteOldSeenMarks(tx: Tx, contaId: string, { em }: Pick<AgeLimit, 'em'>): Promise<number> {
  return deleteBatch(
    tx,
    `delete from vistos where conta_id = $1 and marca = any (array(
       select marca from vistos where conta_id = $1 and ate < $2 order by ate limit ${OLD_BATCH}))`,
    [contaId, em],
  )
}

export interface ClearedConversa {
  readonly contatoId: string
  readonly telefone: string
  readonly nome: string
  /** The bot was serving it, so panels show it as active until an event. */
  readonly withBot: boolean
  /** Waiting scheduled messages, which are deleted too. */
  readonly agendadas: number
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

/** Counts the waiting scheduled messages that `deleteFinishedConversas` deletes with their conversas. */
export async function countScheduledInFinished(tx: Tx, contaId: string): Promise<number> {
  const [line] = await tx.rows(
    z.object({ count: z.number() }),
    `select count(*) from agendadas a join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
     where a.conta_id = $1 and a.estado = 'marcada' and v.status in ('bot', 'finalizada')`,
    [contaId],
  )
  return line?.count ?? 0
}

const removedSchema = z.object({
  id: z.string(),
  contato_id: z.string(),
  status: z.string(),
  agendadas: z.int(),
})

/**
 * Deletes finished and bot-only conversas of up to `max` candidates with their mensagens and resets their
 * contatos. Locks the contatos first, in id order, as customer messages do, which prevents deadlocks.
 */
export async function deleteFinishedConversas(
  tx: Tx,
  deps: SeenDeps,
  contaId: string,
  max: number,
): Promise<ClearedConversa[]> {
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
  const removed = await tx.rows(
    removedSchema,
    `select id, contato_id, status, (
       select count(*)::int from agendadas a where a.conta_id = v.conta_id and a.conversa_id = v.id and a.estado = 'marcada'
     ) as agendadas
     from conversas v where conta_id = $1 and contato_id = any ($2::uuid[]) and status in ('bot', 'finalizada')`,
    [contaId, ids],
  )
  if (removed.length > 0)
    await deleteConversaRows(
      tx,
      deps,
      contaId,
      removed.map(({ id }) => id),
    )
  const byId = new Map(contatos.map((contato) => [contato.id, contato]))
  return removed.map(({ contato_id: contatoId, status, agendadas }) => ({
    contatoId,
    telefone: byId.get(contatoId)?.telefone ?? '',
    nome: byId.get(contatoId)?.nome ?? '',
    withBot: status === 'bot',
    agendadas,
  }))
}

/** Keeps the privacy notice and the opt-out of the contato, which do not belong to the conversa. */
const keptState = sql<null>`nullif(
  jsonb_strip_nulls(jsonb_build_object('avisadoEm', estado -> 'avisadoEm', 'paradoEm', estado -> 'paradoEm')), '{}')`

const reactionMensagemId = sql<string>`(conteudo #>> '{reacao,mensagemId}')::uuid`

async function deleteConversaRows(tx: Tx, deps: SeenDeps, contaId: string, ids: readonly string[]): Promise<void> {
  const { kysely } = tx
  const { rows: delivered } = await tx.query(
    `select canal, id_externo from mensagens where conta_id = $1 and conversa_id = any ($2::uuid[]) and ${DELIVERED}`,
    [contaId, ids],
  )
  await insertSeenMarks(tx, deps, contaId, delivered)
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

/** Deletes these messages and marks those that a service may deliver again. Returns the number of rows. */
async function deleteMensagens(
  tx: Tx,
  deps: SeenDeps,
  contaId: string,
  which: { readonly sql: string; readonly values: readonly unknown[] },
): Promise<number> {
  const { rows } = await tx.query<{ entregue: boolean }>(
    `delete from mensagens where conta_id = $1 and id = any (array(${which.sql}))
     returning canal, id_externo, ${DELIVERED} as entregue`,
    [contaId, ...which.values],
  )
  await insertSeenMarks(
    tx,
    deps,
    contaId,
    rows.filter(({ entregue }) => entregue),
  )
  return rows.length
}

/** Deletes one batch. Returns the number of rows. */
export function deleteOldMensagens(tx: Tx, deps: SeenDeps, contaId: string, { id }: AgeLimit): Promise<number> {
  const sql = `select id from mensagens where conta_id = $1 and id < $2 order by id limit ${OLD_BATCH}`
  return deleteMensagens(tx, deps, contaId, { sql, values: [id] })
}

/** A waiting scheduled message keeps its conversa `v`: people and the customer rely on it. */
const NOT_SCHEDULED = `not exists (
  select 1 from agendadas a where a.conta_id = v.conta_id and a.conversa_id = v.id and a.estado = 'marcada')`

/** Finished before the limit and without mensagens. */
export function deleteOldConversas(tx: Tx, contaId: string, { id, em }: AgeLimit): Promise<number> {
  return deleteBatch(
    tx,
    `delete from conversas where conta_id = $1 and id = any (array(
       select v.id from conversas v where v.conta_id = $1 and v.id < $2 and v.status = 'finalizada' and v.finalizada_em < $3
         and not exists (select 1 from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id)
         and ${NOT_SCHEDULED}
       order by v.id limit ${OLD_BATCH}))`,
    [contaId, id, em],
  )
}

/** Without activity or change by people since the limit, and without mensagens. Addresses and conversas follow by cascade. */
export function deleteOldContatos(tx: Tx, contaId: string, { id, em }: AgeLimit): Promise<number> {
  return deleteBatch(
    tx,
    `delete from contatos where conta_id = $1 and id = any (array(
       select c.id from contatos c where c.conta_id = $1 and c.id < $2 and greatest(c.ultima_atividade, c.editado_em) < $3
         and not exists (
           select 1 from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
           where v.conta_id = c.conta_id and v.contato_id = c.id)
         and not exists (
           select 1 from conversas v where v.conta_id = c.conta_id and v.contato_id = c.id and not ${NOT_SCHEDULED})
       order by c.id limit ${OLD_BATCH}))`,
    [contaId, id, em],
  )
}

/** Mensagens of one contato deleted per transaction, so a new customer message waits for one step only. */
const CONTATO_BATCH = 2_000

/** Deletes one batch of the mensagens of a contato. Returns true when none is left except queued ones. */
export async function deleteContatoMensagens(
  tx: Tx,
  deps: SeenDeps,
  contaId: string,
  contatoId: string,
): Promise<boolean> {
  const sql = `select m.id from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
    where v.conta_id = $1 and v.contato_id = $2 and not exists (
      select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id)
    order by m.id limit ${CONTATO_BATCH}`
  const count = await deleteMensagens(tx, deps, contaId, { sql, values: [contatoId] })
  return count < CONTATO_BATCH
}

/**
 * Deletes the contato after its mensagens; queued ones and other rows follow by cascade. Returns the conversas with
 * people, which panels must close.
 */
export async function deleteContato(tx: Tx, contaId: string, contatoId: string): Promise<EndedConversa[]> {
  const values = [contaId, contatoId]
  const attended = await tx.rows(
    endedConversaSchema,
    'select id, setor, operador_id, revisao from conversas where conta_id = $1 and contato_id = $2 and protocolo is not null',
    values,
  )
  for (const table of ['saida', 'perguntas_ia', 'avaliacoes']) {
    await tx.query(`delete from ${table} where conta_id = $1 and contato_id = $2`, values)
  }
  await tx.query('delete from contatos where conta_id = $1 and id = $2', values)
  return attended
}
