import * as z from 'zod/mini'
import { type Midia, midiaSchema } from '@balcao/contract/entities/mensagem'
import type { Tx } from '#db/transaction.ts'
import { plainArray, textArray } from '#db/arrays.ts'
import type { MensagemTarget, SentModelo } from '@balcao/connector/port'
import { mensagemMarksSchema, quotedOf } from './mensagem-view.ts'
import { outboxContentSchema, type QueuedReaction } from './mensagem-marks.ts'

/** A row of `saida` with its message: everything that a send needs. */
export interface OutboxRow {
  readonly contaId: string
  readonly mensagemId: string
  readonly contatoId: string
  readonly endereco: string
  readonly idExterno: string
  readonly texto: string
  readonly midia?: Midia
  readonly modelo?: SentModelo
  readonly citada?: MensagemTarget
  readonly reacao?: QueuedReaction
  readonly attempts: number
  readonly attended: boolean
}

export const sentModeloSchema = z.object({
  nome: z.string(),
  idioma: z.string(),
  valores: z.array(z.object({ lacuna: z.string(), valor: z.string() })),
})

const pendingSchema = z.object({
  mensagem_id: z.string(),
  contato_id: z.string(),
  endereco: z.string(),
  id_externo: z.string(),
  tentativas: z.number(),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  modelo: z.nullable(sentModeloSchema),
  extras: z.nullable(mensagemMarksSchema),
  conteudo: outboxContentSchema,
  humana: z.boolean(),
})

/** Lists the pending messages of a conta in order. Empty when another node holds the lease. */
export async function listPending(tx: Tx, contaId: string, epoch: number): Promise<OutboxRow[]> {
  const rows = await tx.rows(
    pendingSchema,
    `select s.mensagem_id, s.contato_id, s.endereco, s.id_externo, s.tentativas, m.texto, m.midia, m.modelo,
       m.extras, s.conteudo, v.protocolo is not null as humana
     from saida s
     join mensagens m on m.conta_id = s.conta_id
       and m.id = coalesce((s.conteudo #>> '{reacao,mensagemId}')::uuid, s.mensagem_id)
     join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     where s.conta_id = $1 and exists (select 1 from bots b where b.conta_id = $1 and b.epoca = $2)
     order by s.contato_id, s.mensagem_id`,
    [contaId, epoch],
  )
  return rows.map((row) => ({
    contaId,
    mensagemId: row.mensagem_id,
    contatoId: row.contato_id,
    endereco: row.endereco,
    idExterno: row.id_externo,
    ...contentOf(row),
    attempts: row.tentativas,
    attended: row.humana,
  }))
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

/** Finds contas with messages overdue by 2 s: another node queued them and its bus event was lost. */
export async function listOverdueContas(tx: Tx, contas: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ conta_id: string }>(
    `select distinct conta_id from saida where conta_id = any ($1::uuid[]) and proxima_em < now() - interval '2 seconds'`,
    [contas],
  )
  return rows.map((row) => row.conta_id)
}

export interface FailedAttempt {
  readonly contaId: string
  readonly mensagemId: string
  readonly attempts: number
}

/** Stores the number of attempts, so that a restart continues counting. */
export async function deferOutboxItem(tx: Tx, item: FailedAttempt, waitMs: number, error: string): Promise<void> {
  await tx.query(
    `update saida set tentativas = $3, ultimo_erro = $4, proxima_em = now() + make_interval(secs => $5)
     where conta_id = $1 and mensagem_id = $2`,
    [item.contaId, item.mensagemId, item.attempts, error, waitMs / 1000],
  )
}

/** Marks the message as failed after its last attempt. An operador may retry it. */
export async function failOutboxItem(
  tx: Tx,
  { contaId, mensagemId }: Pick<FailedAttempt, 'contaId' | 'mensagemId'>,
  error: string,
): Promise<void> {
  await tx.query(
    `with apagada as (delete from saida where conta_id = $1 and mensagem_id = $2 returning 1)
     update mensagens set estado = 'falhou', erro = $3
     where conta_id = $1 and id = $2 and exists (select 1 from apagada)`,
    [contaId, mensagemId, error],
  )
}

/** Marks a sent message as failed. Returns false when the message is unknown or already delivered. */
export async function markUndelivered(tx: Tx, contaId: string, mensagemId: string, error: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with s as (delete from saida where conta_id = $1 and mensagem_id = $2)
     update mensagens set estado = 'falhou', erro = $3
     where conta_id = $1 and id = $2 and direcao = 'saida' and estado = 'enviada'`,
    [contaId, mensagemId, error],
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

const SET_SERVICE_ID_SQL = `
update mensagens m set id_externo = i.nome from unnest($2::uuid[], $3::text[]) as i (id, nome)
where m.conta_id = $1 and m.id = i.id`

/** Stores the service's ids of sent messages. Later quotes and reactions refer to them. */
export async function setServiceIds(tx: Tx, contaId: string, serviceIds: ReadonlyMap<string, string>): Promise<void> {
  const ids = plainArray([...serviceIds.keys()])
  await tx.queryNamed('saida-chamada', SET_SERVICE_ID_SQL, [contaId, ids, textArray([...serviceIds.values()])])
}

/**
 * States only move forward. Only conversas with people are updated, because no screen shows ticks of the bot's
 * messages.
 */
const ADVANCE_STATES_SQL = `
update mensagens m set estado = i.estado
from unnest($2::uuid[], $3::text[]) as i (id, estado), conversas v
where m.conta_id = $1 and m.id = i.id and m.direcao = 'saida'
  and (m.estado = 'enviada' or (m.estado = 'entregue' and i.estado = 'lida'))
  and v.conta_id = m.conta_id and v.id = m.conversa_id and v.protocolo is not null
returning m.id`

/** Applies receipts, message id → new state. Returns the ids of the changed messages. */
export async function advanceStates(
  tx: Tx,
  contaId: string,
  receipts: ReadonlyMap<string, 'entregue' | 'lida'>,
): Promise<string[]> {
  const values = [contaId, plainArray([...receipts.keys()]), plainArray([...receipts.values()])]
  const { rows } = await tx.queryNamed<{ id: string }>('mensagens-avancar', ADVANCE_STATES_SQL, values)
  return rows.map(({ id }) => id)
}
