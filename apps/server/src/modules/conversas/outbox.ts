import * as z from 'zod/mini'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import { plainArray } from '#db/arrays.ts'
import type { MensagemTarget, SentModelo } from '@balcao/connector/port'
import type { LeaseKey } from '#ports/bots.ts'
import { mensagemMarksSchema, quotedOf } from './mensagem-view.ts'
import { type DecidedItem, outboxContentSchema, type QueuedReaction, UNDER_LEASE } from './mensagem-marks.ts'

/** A row of `saida` with its message: everything that a send needs. */
export interface OutboxRow {
  readonly contaId: string
  readonly mensagemId: string
  readonly contatoId: string
  /** The message promised to the contato before this one. It leaves first. */
  readonly anterior: string | null
  readonly endereco: string
  readonly idExterno: string
  readonly texto: string
  readonly midia?: Midia
  readonly modelo?: SentModelo
  readonly citada?: MensagemTarget
  readonly reacao?: QueuedReaction
  readonly attempts: number
  readonly attended: boolean
  /** The message is not sent after this instant. */
  readonly expiresAt: Date
}

export const sentModeloSchema = z.object({
  nome: z.string(),
  idioma: z.string(),
  valores: z.array(z.object({ lacuna: z.string(), valor: z.string() })),
})

const pendingSchema = z.object({
  mensagem_id: z.string(),
  contato_id: z.string(),
  anterior: z.nullable(z.string()),
  endereco: z.string(),
  id_externo: z.string(),
  tentativas: z.number(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  modelo: z.nullable(sentModeloSchema),
  extras: z.nullable(mensagemMarksSchema),
  conteudo: outboxContentSchema,
  humana: z.boolean(),
  vence_em: z.date(),
})

const selectPending = (source: string): string => `
select s.mensagem_id, s.contato_id, s.anterior, s.endereco, s.id_externo, s.tentativas, m.texto, m.midia, m.modelo,
  m.extras, s.conteudo, v.protocolo is not null as humana, s.vence_em
from ${source} s
join mensagens m on m.conta_id = s.conta_id
  and m.id = coalesce((s.conteudo #>> '{reacao,mensagemId}')::uuid, s.mensagem_id)
join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
where s.conta_id = $1 and s.vence_em > $4
  and exists (select 1 from bots b where b.conta_id = $1 and b.no = $2 and b.epoca = $3)
order by s.contato_id, s.mensagem_id`

interface PendingReader {
  readonly now: Date
  readonly ids: readonly string[]
}

/** Lists the ids of a page of waiting messages, in order. */
export async function listOutboxIds(
  tx: Tx,
  contaId: string,
  { after, max }: { readonly after: string | null; readonly max: number },
): Promise<string[]> {
  const { rows } = await tx.query<{ mensagem_id: string }>(
    `select mensagem_id from saida where conta_id = $1 and ($2::uuid is null or mensagem_id > $2)
     order by mensagem_id limit $3`,
    [contaId, after, max],
  )
  return rows.map((row) => row.mensagem_id)
}

/** Returns true for each of these messages that still waits. */
export async function listStored(
  tx: Tx,
  contaId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const sql = 'select mensagem_id from saida where conta_id = $1 and mensagem_id = any ($2::uuid[])'
  const { rows } = await tx.query<{ mensagem_id: string }>(sql, [contaId, plainArray(ids)])
  return new Map(rows.map((row) => [row.mensagem_id, true]))
}

const LIST_ROWS_SQL = selectPending(`(select * from saida where conta_id = $1 and mensagem_id = any ($5::uuid[]))`)

/** Lists the unexpired ones of these messages in order. Empty when another node holds the lease. */
export async function listOutboxRows(tx: Tx, lease: LeaseKey, { now, ids }: PendingReader): Promise<OutboxRow[]> {
  const { contaId, no, epoca } = lease
  const rows = await tx.rows(pendingSchema, LIST_ROWS_SQL, [contaId, no, epoca, now, plainArray(ids)])
  return rows.map((row) => toOutboxRow(contaId, row))
}

/** With `offset 0` the rows of the conta are read only when one of these ids is found by its key. */
const LIST_BEHIND_SQL = selectPending(`(
  select s.* from (
    select distinct contato_id from saida where conta_id = $1 and mensagem_id = any ($5::uuid[]) offset 0
  ) a cross join lateral (
    select * from saida s where s.conta_id = $1 and s.contato_id = a.contato_id offset 0
  ) s
)`)

/** As `listOutboxRows`, for all messages of the contatos that these rows of `saida` belong to. Rows that do not exist have left. */
export async function listBehind(tx: Tx, lease: LeaseKey, { now, ids }: PendingReader): Promise<OutboxRow[]> {
  const { contaId, no, epoca } = lease
  const values = [contaId, no, epoca, now.toISOString(), plainArray(ids)]
  const { rows } = await tx.queryNamed('saida-anteriores', LIST_BEHIND_SQL, values)
  return rows.map((row) => toOutboxRow(contaId, pendingSchema.parse(row)))
}

function toOutboxRow(contaId: string, row: z.output<typeof pendingSchema>): OutboxRow {
  return {
    contaId,
    mensagemId: row.mensagem_id,
    contatoId: row.contato_id,
    anterior: row.anterior,
    endereco: row.endereco,
    idExterno: row.id_externo,
    ...contentOf(row),
    attempts: row.tentativas,
    attended: row.humana,
    expiresAt: row.vence_em,
  }
}

type OutboxContent = Pick<OutboxRow, 'texto' | 'midia' | 'modelo' | 'citada' | 'reacao'>

/** A reaction carries no text or media of the message that it marks. */
function contentOf(row: z.output<typeof pendingSchema>): OutboxContent {
  const { texto, midia, modelo, extras } = row
  const { reacao } = row.conteudo
  if (reacao !== undefined) return { texto: '', reacao }
  return {
    texto,
    ...(midia === null ? {} : { midia }),
    ...(modelo === null ? {} : { modelo }),
    ...quotedOf(extras),
  }
}

const BEGIN_SENDS_SQL = `
with minha as materialized (select 1 from bots where conta_id = $1 and no = $2 and epoca = $3 for share),
antes as materialized (
  select mensagem_id, tentada_por from saida where conta_id = $1 and mensagem_id = any ($4::uuid[]) for update
), tentadas as (
  update saida s set tentada_por = $3 from antes a
  where s.conta_id = $1 and s.mensagem_id = a.mensagem_id and a.tentada_por is distinct from $3
    and exists (select 1 from minha)
)
select mensagem_id, coalesce(tentada_por <> $3, false) as antes from antes where exists (select 1 from minha)`

/**
 * Records that this lease begins to send these messages. Returns for each one that still waits whether an earlier lease
 * began it. Empty when another node holds the lease.
 */
export async function beginSends(
  tx: Tx,
  { contaId, no, epoca }: LeaseKey,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const values = [contaId, no, epoca, plainArray(ids)]
  const { rows } = await tx.queryNamed<{ mensagem_id: string; antes: boolean }>('saida-tentar', BEGIN_SENDS_SQL, values)
  return new Map(rows.map(({ mensagem_id: id, antes }) => [id, antes]))
}

export interface FailedAttempt extends DecidedItem {
  readonly attempts: number
}

/**
 * Stores the number of attempts, so that a restart continues counting. Returns false and writes nothing when another
 * node holds the lease or the row is deleted.
 */
export async function deferOutboxItem(
  tx: Tx,
  { lease, mensagemId, attempts }: FailedAttempt,
  waitMs: number,
  error: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update saida set tentativas = $5, ultimo_erro = $6, proxima_em = now() + make_interval(secs => $7)
     where conta_id = $1 and mensagem_id = $4 and ${UNDER_LEASE}`,
    [lease.contaId, lease.no, lease.epoca, mensagemId, attempts, error, waitMs / 1000],
  )
  return rowCount === 1
}

/**
 * `saida` is often empty, so the planner's statistics show no rows and a join scans the table once per id. `any`
 * forces index lookups.
 */
export const DELETE_SENT_SQL = 'delete from saida where conta_id = $1 and mensagem_id = any ($2::uuid[])'

export async function deleteSent(tx: Tx, contaId: string, mensagemIds: readonly string[]): Promise<void> {
  await tx.queryNamed('saida-marcada', DELETE_SENT_SQL, [contaId, plainArray(mensagemIds)])
}
