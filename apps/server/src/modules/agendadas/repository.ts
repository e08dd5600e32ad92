import * as z from 'zod/mini'
import { type Agendada, estadoAgendadaSchema, motivoAgendadaSchema } from '@balcao/contract/entities/agendada'
import { plainArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'

const rowSchema = z.object({
  id: z.string(),
  conversa_id: z.string(),
  texto: z.string(),
  enviar_em: z.date(),
  autor: z.string(),
  cancelar_se_responder: z.boolean(),
  estado: estadoAgendadaSchema,
  motivo: z.nullable(motivoAgendadaSchema),
})
const COLUMNS = 'a.id, a.conversa_id, a.texto, a.enviar_em, a.autor, a.cancelar_se_responder, a.estado, a.motivo'

function toAgendada(row: z.output<typeof rowSchema>): Agendada {
  return {
    ...{ id: row.id, conversaId: row.conversa_id, mensagem: row.texto, enviarEm: row.enviar_em.toISOString() },
    ...{ autor: row.autor, cancelarSeResponder: row.cancelar_se_responder, estado: row.estado },
    ...(row.motivo === null ? {} : { motivo: row.motivo }),
  }
}

interface NewAgendada {
  readonly id: string
  readonly conversaId: string
  readonly texto: string
  readonly enviarEm: Date
  readonly autorId: string
  readonly autor: string
  readonly cancelarSeResponder: boolean
  readonly now: Date
}

export async function insertAgendada(tx: Tx, contaId: string, input: NewAgendada): Promise<Agendada> {
  const [row] = await tx.rows(
    rowSchema,
    `insert into agendadas as a (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder, estado,
       criada_em) values ($1, $2, $3, $4, $5, $6, $7, $8, 'marcada', $9) returning ${COLUMNS}`,
    [
      ...[contaId, input.id, input.conversaId, input.texto, input.enviarEm, input.autorId, input.autor],
      ...[input.cancelarSeResponder, input.now],
    ],
  )
  if (row === undefined) throw new Error('scheduled message not stored')
  return toAgendada(row)
}

/** A waiting message that the same request stored before: its answer may have been lost. Null: none. */
export async function findScheduledBefore(
  tx: Tx,
  contaId: string,
  { conversaId, autorId, texto, enviarEm, cancelarSeResponder }: Omit<NewAgendada, 'id' | 'autor' | 'now'>,
): Promise<Agendada | null> {
  const [row] = await tx.rows(
    rowSchema,
    `select ${COLUMNS} from agendadas a where a.conta_id = $1 and a.conversa_id = $2 and a.estado = 'marcada'
       and a.autor_id = $3 and a.texto = $4 and a.enviar_em = $5 and a.cancelar_se_responder = $6`,
    [contaId, conversaId, autorId, texto, enviarEm, cancelarSeResponder],
  )
  return row === undefined ? null : toAgendada(row)
}

/** Counts the waiting messages of the conta, at most `max`. */
export async function countScheduledOfConta(tx: Tx, contaId: string, max: number): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `select count(*)::int as n from (select from agendadas where conta_id = $1 and estado = 'marcada' limit $2) a`,
    [contaId, max],
  )
  return rows[0]?.n ?? 0
}

/** Counts the messages from the id on in every state, at most `max`. */
export async function countScheduledSince(tx: Tx, contaId: string, from: string, max: number): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    'select count(*)::int as n from (select from agendadas where conta_id = $1 and id >= $2 limit $3) a',
    [contaId, from, max],
  )
  return rows[0]?.n ?? 0
}

export async function countScheduled(tx: Tx, contaId: string, conversaId: string): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `select count(*)::int as n from agendadas where conta_id = $1 and conversa_id = $2 and estado = 'marcada'`,
    [contaId, conversaId],
  )
  return rows[0]?.n ?? 0
}

/** Newest first, one more than the page. */
export async function listAgendadas(tx: Tx, contaId: string, conversaId: string, page: Page): Promise<Agendada[]> {
  const rows = await tx.rows(
    rowSchema,
    `select ${COLUMNS} from agendadas a
     where a.conta_id = $1 and a.conversa_id = $2 and ($3::uuid is null or a.id < $3) order by a.id desc limit $4`,
    [contaId, conversaId, page.before, page.limite + 1],
  )
  return rows.map(toAgendada)
}

/** The conversa of a scheduled message. Null: unknown. */
export async function findConversaOf(tx: Tx, contaId: string, id: string): Promise<string | null> {
  const { rows } = await tx.query<{ conversa_id: string }>(
    'select conversa_id from agendadas where conta_id = $1 and id = $2',
    [contaId, id],
  )
  return rows[0]?.conversa_id ?? null
}

export interface EndInput {
  readonly id: string
  readonly estado: 'enviada' | 'cancelada' | 'falhou'
  readonly motivo: Agendada['motivo'] | null
}

/** Ends a waiting one. Returns null if it does not wait. */
export async function endAgendada(tx: Tx, contaId: string, { id, estado, motivo }: EndInput): Promise<Agendada | null> {
  const [row] = await tx.rows(
    rowSchema,
    `update agendadas a set estado = $3, motivo = $4
     where a.conta_id = $1 and a.id = $2 and a.estado = 'marcada' returning ${COLUMNS}`,
    [contaId, id, estado, motivo],
  )
  return row === undefined ? null : toAgendada(row)
}

/**
 * Ends the due messages of all contas after the import of a backup, because they may have left before. Returns the conta
 * of each.
 */
export async function failRestoredAgendadas(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await tx.query<{ conta_id: string }>(
    `update agendadas set estado = 'falhou', motivo = 'copiaRestaurada'
     where estado = 'marcada' and enviar_em <= $1 returning conta_id`,
    [now],
  )
  return rows.map(({ conta_id: contaId }) => contaId)
}

const DUE_MAX = 20

/** Ids of due messages and of those of these contatos, read without locks. */
export async function listToCheck(
  tx: Tx,
  contaId: string,
  { now, contatos }: { readonly now: Date; readonly contatos: readonly string[] },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `(select id from agendadas where conta_id = $1 and estado = 'marcada' and enviar_em <= $2
       and (tentar_em is null or tentar_em <= $2) order by enviar_em, id limit ${DUE_MAX})
     union
     select a.id from conversas v
     join agendadas a on a.conta_id = v.conta_id and a.conversa_id = v.id and a.estado = 'marcada'
     where v.conta_id = $1 and v.contato_id = any ($3::uuid[])`,
    [contaId, now, plainArray(contatos)],
  )
  return rows.map(({ id }) => id)
}

/** Seconds before each retry. After the last one the message fails. */
const RETRY_WAITS_S = [30, 60, 120, 240]

/** Counts a failed attempt. Returns true if it was the last one. */
export async function recordAttempt(tx: Tx, contaId: string, id: string, now: Date): Promise<boolean> {
  const { rows } = await tx.query<{ tentativas: number }>(
    `update agendadas set tentativas = tentativas + 1,
       tentar_em = $3::timestamptz + make_interval(secs => ($4::int[])[tentativas + 1])
     where conta_id = $1 and id = $2 and estado = 'marcada' returning tentativas`,
    [contaId, id, now, plainArray(RETRY_WAITS_S)],
  )
  return (rows[0]?.tentativas ?? 0) > RETRY_WAITS_S.length
}

const dueSchema = z.object({
  id: z.string(),
  conversa_id: z.string(),
  contato_id: z.string(),
  texto: z.string(),
  enviar_em: z.date(),
  autor_id: z.string(),
  autor: z.string(),
  cancelar: z.boolean(),
  respondeu: z.boolean(),
  parou: z.boolean(),
  /** Null: the author is not active. */
  autor_setores: z.nullable(z.array(z.string())),
  ...{ setor: z.nullable(z.string()), status: z.string(), operador_id: z.nullable(z.string()) },
  finalizada_em: z.nullable(z.date()),
  outra: z.boolean(),
  teste: z.boolean(),
})
export type DueAgendada = z.output<typeof dueSchema>

/** The rating of a finished conversa is an answer, too. */
const LOCK_SQL = `
select a.id, a.conversa_id, v.contato_id, v.teste, v.setor, v.status, v.operador_id, a.texto, a.enviar_em, a.autor_id, a.autor,
  a.cancelar_se_responder as cancelar, (c.estado ->> 'paradoEm') is not null as parou,
  exists (
    select 1 from conversas o join mensagens m on m.conta_id = o.conta_id and m.conversa_id = o.id
    where o.conta_id = a.conta_id and o.contato_id = v.contato_id and m.origem = 'cliente' and m.criada_em > a.criada_em
  ) as respondeu,
  (
    select case when u.tipo = 'operador' then u.setores else '[]' end from usuarios u
    where u.conta_id = a.conta_id and u.id = a.autor_id and u.status = 'ativo' and u.excluido_em is null
  ) as autor_setores,
  case when v.status = 'finalizada' then v.finalizada_em end as finalizada_em,
  exists (
    select 1 from conversas o where o.conta_id = a.conta_id and o.contato_id = v.contato_id and o.status in ('aguardando', 'em_atendimento') and o.id <> v.id
  ) as outra
from agendadas a
join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
where a.conta_id = $1 and a.id = $2 and a.estado = 'marcada'
for update of a skip locked`

const OLD_BATCH = 1_000

/** Deletes ended ones that were written before this id, at most 1,000. Returns how many. */
export async function deleteOldAgendadas(tx: Tx, contaId: string, { id }: { readonly id: string }): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from agendadas where conta_id = $1 and id = any (array(
       select id from agendadas where conta_id = $1 and id < $2 and estado <> 'marcada' order by id limit ${OLD_BATCH}))`,
    [contaId, id],
  )
  return rowCount ?? 0
}

/** Locks a waiting one and reads the facts about it. Null: it ended, or another node has it. */
export async function lockAgendada(tx: Tx, contaId: string, id: string): Promise<DueAgendada | null> {
  const [row] = await tx.rows(dueSchema, LOCK_SQL, [contaId, id])
  return row ?? null
}
