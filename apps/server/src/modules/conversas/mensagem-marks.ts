import { plainArray, textArray } from '#db/arrays.ts'
import * as z from 'zod/mini'
import type { MessageChange } from '@balcao/connector/port'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { cleanServiceText, TEXT_MAX } from '#lib/text.ts'
import type { LeaseKey } from '#ports/bots.ts'
import { canonicalAddress } from './contatos.ts'
import type { MensagemMarks } from './mensagem-view.ts'

const UUID = z.uuid()
/** In UTF-16 units. The longest emoji, a family of four with its joiners, has 11. */
const EMOJI_MAX = 32

/** Counts the changes of the marks. The lock of the row orders two nodes, and panels show the greater one. */
const NEXT_REVISAO_SQL = `jsonb_build_object('revisao', coalesce((m.extras ->> 'revisao')::int, 0) + 1)`

/**
 * A null value deletes the mark. The message must belong to a conversa of this contato. `$5` limits edits and
 * deletions to the side that wrote the message, so a customer cannot change ours.
 */
const MARK_SQL = `
update mensagens m set extras = jsonb_strip_nulls(coalesce(m.extras, '{}') || $3::jsonb || ${NEXT_REVISAO_SQL})
from conversas v
where m.conta_id = $1 and v.conta_id = m.conta_id and v.id = m.conversa_id
  and v.contato_id in (select e.contato_id from enderecos e where e.conta_id = $1 and e.endereco = any ($2::text[]))
  and ($5::text is null or m.direcao = $5)`

const MARK_OURS_SQL = `${MARK_SQL} and m.id = $4::uuid returning m.id`
const MARK_BY_SERVICE_ID_SQL = `${MARK_SQL} and m.canal = $6 and m.id_externo = $4 returning m.id`

export interface MarkChange {
  readonly contaId: string
  readonly channel: string
  readonly change: MessageChange
}

/**
 * Marks a message as edited, deleted or reacted to and keeps its text. Returns its id, or null when no message
 * matches.
 */
export async function applyChange(
  { db }: Pick<Deps, 'db'>,
  { contaId, channel, change }: MarkChange,
): Promise<string | null> {
  const { endereco, outrosEnderecos = [], telefone, alvo, deMim, mudanca } = change
  const addresses = [...new Set([canonicalAddress(telefone, endereco), endereco, ...outrosEnderecos])]
  const ours = UUID.safeParse(alvo).success
  const side = mudanca.tipo === 'reacao' ? null : deMim ? 'saida' : 'entrada'
  const values = [contaId, addresses, JSON.stringify(marksOf(change)), cleanServiceText(alvo, 300), side]
  const { rows } = await db.transaction(contaId, (tx) =>
    tx.query<{ id: string }>(ours ? MARK_OURS_SQL : MARK_BY_SERVICE_ID_SQL, ours ? values : [...values, channel]),
  )
  return rows[0]?.id ?? null
}

function marksOf({ mudanca, deMim }: MessageChange): { [K in keyof MensagemMarks]: MensagemMarks[K] | null } {
  switch (mudanca.tipo) {
    case 'edicao':
      return { edicao: cleanServiceText(mudanca.texto, TEXT_MAX) }
    case 'apagada':
      return { apagada: true }
    case 'reacao': {
      const emoji = mudanca.emoji === '' ? null : cleanServiceText(mudanca.emoji, EMOJI_MAX)
      return deMim ? { reacaoLoja: emoji } : { reacaoCliente: emoji }
    }
    default:
      return mudanca satisfies never
  }
}

/** Milliseconds that a message waits for its send at most. A late answer of the bot or the AI confuses sooner. */
export const SEND_WITHIN_MS = { automatic: 24 * 3_600_000, person: 72 * 3_600_000 } as const

export function sendExpiry(now: Date, sender: keyof typeof SEND_WITHIN_MS): Date {
  return new Date(now.getTime() + SEND_WITHIN_MS[sender])
}

/**
 * A queued reaction of the shop: a row of `saida` with its own id, whose `conteudo` names the marked message. The
 * mark is stored immediately and reverted if the reaction is not sent.
 */
export const queuedReactionSchema = z.object({
  /** Our id of the marked message. */
  mensagemId: z.string(),
  alvo: z.object({ id: z.string(), nossa: z.boolean(), texto: z.string() }),
  /** Empty removes the reaction. */
  emoji: z.string(),
  anterior: z.nullable(z.string()),
})
export type QueuedReaction = z.infer<typeof queuedReactionSchema>

export const outboxContentSchema = z.object({ reacao: z.optional(queuedReactionSchema) })

const SET_REACTION_SQL = `
update mensagens m set extras = jsonb_strip_nulls(
  coalesce(m.extras, '{}') || jsonb_build_object('reacaoLoja', $3::text) || ${NEXT_REVISAO_SQL})
where m.conta_id = $1 and m.id = $2`

export async function setReaction(tx: Tx, contaId: string, mensagemId: string, emoji: string | null): Promise<void> {
  await tx.query(SET_REACTION_SQL, [contaId, mensagemId, emoji])
}

interface ReactionToQueue {
  readonly now: Date
  readonly outboxId: string
  readonly contatoId: string
  readonly address: string
  readonly reacao: QueuedReaction
  /** The message promised to the contato before. */
  readonly anterior: string | null
}

/** The new row is sent after earlier ones of the same contato. */
export async function queueReaction(
  tx: Tx,
  contaId: string,
  { now, outboxId, contatoId, address, reacao, anterior }: ReactionToQueue,
): Promise<void> {
  await tx.query(
    `with c as (
       update contatos set ultimo_id = greatest(ultimo_id, $2::uuid), ultima_saida = $2 where conta_id = $1 and id = $3
     )
     insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, vence_em, anterior)
     values ($1, $2::uuid, $3, $4, $5::jsonb, $2::text, $6, $7)`,
    [contaId, outboxId, contatoId, address, JSON.stringify({ reacao }), sendExpiry(now, 'person'), anterior],
  )
}

/** Restores the previous reaction, unless an operador has changed it since. */
export async function revertReaction(
  tx: Tx,
  contaId: string,
  { mensagemId, emoji, anterior }: QueuedReaction,
): Promise<void> {
  await tx.query(`${SET_REACTION_SQL} and coalesce(m.extras ->> 'reacaoLoja', '') = $4`, [
    contaId,
    mensagemId,
    anterior,
    emoji,
  ])
}

interface LostReaction {
  readonly channel: string
  readonly serviceId: string
  readonly emoji: string
}

const DROP_REACTION_SQL = `
update mensagens m set extras = (coalesce(m.extras, '{}') - 'reacaoLoja') || ${NEXT_REVISAO_SQL}
where m.conta_id = $1 and m.canal = $2 and m.id_externo = $3 and coalesce(m.extras ->> 'reacaoLoja', '') = $4
returning m.id`

/**
 * Removes a sent reaction that was not delivered. Returns our id of the marked message, or null when an operador
 * has changed the reaction since.
 */
export async function dropReaction(
  tx: Tx,
  contaId: string,
  { channel, serviceId, emoji }: LostReaction,
): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(DROP_REACTION_SQL, [contaId, channel, serviceId, emoji])
  return rows[0]?.id ?? null
}

/** A row of `saida` that a session decides about. The decision counts only while its lease is current. */
export interface DecidedItem {
  readonly lease: LeaseKey
  readonly mensagemId: string
}

/** Locks the row of the bot, so that another node takes the lease before this decision or after it. */
export const UNDER_LEASE =
  'exists (select 1 from bots b where b.conta_id = $1 and b.no = $2 and b.epoca = $3 for share)'

/**
 * Marks the message as failed after its last attempt. An operador may retry it. Returns false and writes nothing when
 * another node holds the lease.
 */
export async function failOutboxItem(tx: Tx, { lease, mensagemId }: DecidedItem, error: string): Promise<boolean> {
  const { rows } = await tx.query<{ deleted: boolean }>(
    `with apagada as (delete from saida where conta_id = $1 and mensagem_id = $4 and ${UNDER_LEASE} returning 1),
     falhou as (
       update mensagens set estado = 'falhou', erro = $5
       where conta_id = $1 and id = $4 and exists (select 1 from apagada)
     ) select exists (select 1 from apagada) as deleted`,
    [lease.contaId, lease.no, lease.epoca, mensagemId, error],
  )
  return rows[0]?.deleted === true
}

/** A failed row: a message, or with `reacao` a reaction to one. */
export interface FailedItem {
  readonly contaId: string
  readonly contatoId: string
  readonly mensagemId: string
  readonly reacao?: QueuedReaction
}

export interface WaitingItems {
  /** `vence_em`: messages whose time is over. `proxima_em`: messages queued until then. */
  readonly column: 'vence_em' | 'proxima_em'
  /** Default: of all contas that the transaction may write. */
  readonly contaId?: string
  readonly until: Date
  readonly reason: { readonly automatic: string; readonly person: string }
  readonly max: number
}

/** Lists the contas with messages whose time was over at `until`. */
export async function listExpiredContas(tx: Tx, until: Date): Promise<string[]> {
  const { rows } = await tx.query<{ conta_id: string }>('select distinct conta_id from saida where vence_em <= $1', [
    until,
  ])
  return rows.map((row) => row.conta_id)
}

const failedItemSchema = z.object({
  conta_id: z.string(),
  contato_id: z.string(),
  mensagem_id: z.string(),
  conteudo: outboxContentSchema,
})

const FAIL_MENSAGENS_SQL = `
update mensagens m set estado = 'falhou', erro = case m.origem when 'operador' then $3 else $4 end
from unnest($1::uuid[], $2::uuid[]) as i (conta_id, id) where m.conta_id = i.conta_id and m.id = i.id`

/** Deletes at most `max` waiting rows and marks their messages as failed. An operador may retry them. */
export async function failWaiting(
  tx: Tx,
  { column, contaId, until, reason, max }: WaitingItems,
): Promise<FailedItem[]> {
  const rows = await tx.rows(
    failedItemSchema,
    `delete from saida where ctid = any (array(
       select ctid from saida where ${column} <= $1 and ($3::uuid is null or conta_id = $3)
       limit $2 for update skip locked))
     returning conta_id, contato_id, mensagem_id, conteudo`,
    [until, max, contaId ?? null],
  )
  if (rows.length === 0) return []
  const contas = plainArray(rows.map((row) => row.conta_id))
  const ids = plainArray(rows.map((row) => row.mensagem_id))
  await tx.query(FAIL_MENSAGENS_SQL, [contas, ids, reason.person, reason.automatic])
  for (const { conta_id: contaId, conteudo } of rows) {
    if (conteudo.reacao !== undefined) await revertReaction(tx, contaId, conteudo.reacao)
  }
  return rows.map((row) => ({
    contaId: row.conta_id,
    contatoId: row.contato_id,
    mensagemId: row.mensagem_id,
    ...(row.conteudo.reacao === undefined ? {} : { reacao: row.conteudo.reacao }),
  }))
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
