import * as z from 'zod/mini'
import type { MessageChange } from '@balcao/connector/port'
import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, linhaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { cleanServiceText, TEXT_MAX } from '#lib/text.ts'
import { canonicalAddress } from '#modules/enderecos/index.ts'
import type { MensagemMarks } from './mensagem-view.ts'
import { outboxContentSchema, type QueuedChange } from './queued-changes.ts'

const UUID = z.uuid()
/** In UTF-16 units. The longest emoji, a family of four with its joiners, has 11. */
const EMOJI_MAX = 32

const idSchema = z.object({ id: z.string() })
const mensagemId = value('mensagemId', 'uuid')
const serviceId = value('serviceId', 'text')
const channel = value('channel', 'text')
const emoji = value('emoji', 'text')
const error = value('error', 'text')
const until = value('until', 'timestamptz')

/** Counts the changes of the marks. The lock of the row orders two nodes, and panels show the greater one. */
const nextRevisao = sql`jsonb_build_object('revisao', coalesce((m.extras ->> 'revisao')::int, 0) + 1)`

const side = value('side', 'text?')

/**
 * A null value deletes the mark. The message must belong to a conversa of this contato. `side` limits edits and
 * deletions to the side that wrote the message, so a customer cannot change ours.
 */
const mark = sql`
update mensagens m set extras = jsonb_strip_nulls(coalesce(m.extras, '{}') || ${value('marks', 'jsonb')} || ${nextRevisao})
from conversas v
where m.conta_id = ${contaId} and v.conta_id = m.conta_id and v.id = m.conversa_id
  and v.contato_id in (
    select e.contato_id from enderecos e
    where e.conta_id = ${contaId} and e.endereco = any (${value('addresses', 'text[]')}))
  and (${side} is null or m.direcao = ${side})`

const markOurs = oneRow('conversas: mark mensagem', idSchema, sql`${mark} and m.id = ${mensagemId} returning m.id`)

const markByServiceId = oneRow(
  'conversas: mark mensagem of service',
  idSchema,
  sql`${mark} and m.canal = ${channel} and m.id_externo = ${serviceId} returning m.id`,
)

export interface MarkChange {
  readonly contaId: string
  readonly channel: string
  readonly change: MessageChange
}

export async function applyChange(
  { db }: Pick<Deps, 'db'>,
  { contaId, channel, change }: MarkChange,
): Promise<string | null> {
  const { endereco, outrosEnderecos = [], telefone, alvo, deMim, mudanca } = change
  const addresses = [...new Set([canonicalAddress(telefone, endereco), endereco, ...outrosEnderecos])]
  const side = mudanca.tipo === 'reacao' ? null : deMim ? 'saida' : 'entrada'
  const values = { contaId, addresses, marks: marksOf(change), side }
  const marked = await db.transaction(contaId, (tx) =>
    UUID.safeParse(alvo).success
      ? markOurs(tx, { ...values, mensagemId: alvo })
      : markByServiceId(tx, { ...values, channel, serviceId: cleanServiceText(alvo, 300) }),
  )
  return marked?.id ?? null
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

/** A null value deletes the mark. */
const setMarksSql = sql`
update mensagens m set extras = jsonb_strip_nulls(coalesce(m.extras, '{}') || ${value('marks', 'jsonb')} || ${nextRevisao})
where m.conta_id = ${contaId} and m.id = ${mensagemId}`

const setMarks = noRows('conversas: set marks', setMarksSql)

interface MarkedMensagem {
  readonly contaId: string
  readonly mensagemId: string
}

export async function setReaction(tx: Tx, marked: MarkedMensagem, emoji: string | null): Promise<void> {
  await setMarks(tx, { ...marked, marks: { reacaoLoja: emoji } })
}

/** `texto` null marks the message as deleted. */
export async function setEdit(tx: Tx, marked: MarkedMensagem, texto: string | null): Promise<void> {
  await setMarks(tx, { ...marked, marks: texto === null ? { apagada: true } : { edicao: texto } })
}

/** Before the row of its transcript, as an erasure locks both. Null: the message was deleted. */
export const lockMensagem = oneRow(
  'mensagens: lock',
  z.object({ conversaId: z.string() }),
  sql`select m.conversa_id from mensagens m where m.conta_id = ${contaId} and m.id = ${mensagemId} for update`,
)

/** Null deletes the mark. */
export const setTranscricao = noRows(
  'mensagens: set transcript',
  sql`update mensagens m set extras = jsonb_strip_nulls(coalesce(m.extras, '{}')
        || jsonb_build_object('transcricao', ${value('transcricao', 'jsonb?')}) || ${nextRevisao})
      where m.conta_id = ${contaId} and m.id = ${mensagemId}`,
)

const resetReaction = noRows(
  'conversas: revert reaction',
  sql`${setMarksSql} and coalesce(m.extras ->> 'reacaoLoja', '') = ${value('unsent', 'text')}`,
)

const resetEdit = noRows('conversas: revert edit', sql`${setMarksSql} and m.extras @> ${value('unsent', 'jsonb')}`)

/** Restores the earlier mark of the changed message, unless an operador has changed it since. */
export async function revertChange(tx: Tx, contaId: string, { reacao, edicao }: QueuedChange): Promise<void> {
  if (reacao !== undefined) {
    const { mensagemId, emoji: unsent, anterior } = reacao
    await resetReaction(tx, { contaId, mensagemId, marks: { reacaoLoja: anterior }, unsent })
  }
  if (edicao !== undefined) {
    const { mensagemId, texto, anterior } = edicao
    const [marks, unsent] =
      texto === null ? [{ apagada: null }, { apagada: true }] : [{ edicao: anterior }, { edicao: texto }]
    await resetEdit(tx, { contaId, mensagemId, marks, unsent })
  }
}

/**
 * Removes a sent reaction that was not delivered. Returns our id of the marked message, or null when an operador
 * has changed the reaction since.
 */
export const dropReaction = oneRow(
  'conversas: drop reaction',
  idSchema,
  sql`update mensagens m set extras = (coalesce(m.extras, '{}') - 'reacaoLoja') || ${nextRevisao}
      where m.conta_id = ${contaId} and m.canal = ${channel} and m.id_externo = ${serviceId}
        and coalesce(m.extras ->> 'reacaoLoja', '') = ${emoji}
      returning m.id`,
)

/** Locks the row of the bot, so that another node takes the lease before this decision or after it. */
export const underLease = sql`exists (
  select 1 from linhas_bots b where b.linha_id = ${linhaId} and b.no = ${value('no', 'uuid')} and b.epoca = ${value('epoca', 'bigint')}
  for share)`

/**
 * Marks the message as failed after its last attempt, while the lease is current. An operador may retry it. False and
 * no change when another node holds the lease.
 */
export const failOutboxItem = oneValue(
  'conversas: fail mensagem',
  z.boolean(),
  sql`with apagada as (
        delete from saida where conta_id = ${contaId} and mensagem_id = ${mensagemId} and ${underLease} returning 1
      ), falhou as (
        update mensagens set estado = 'falhou', erro = ${error}
        where conta_id = ${contaId} and id = ${mensagemId} and exists (select 1 from apagada)
      ) select exists (select 1 from apagada) as value`,
)

/** A failed row: a message, or a change of an earlier one. */
export interface FailedItem extends QueuedChange {
  readonly contaId: string
  readonly contatoId: string
  readonly mensagemId: string
}

export interface WaitingItems {
  /** `expired`: messages whose time is over. `queued`: messages queued until then. */
  readonly which: 'expired' | 'queued'
  /** Null: of all contas that the transaction may write. */
  readonly contaId: string | null
  /** Absent: of all lines. */
  readonly linhaId?: string | null
  readonly until: Date
  readonly reason: { readonly automatic: string; readonly person: string }
  readonly max: number
}

export const listExpiredContas = manyRows(
  'conversas: list contas with expired mensagens',
  z.object({ contaId: z.string() }),
  sql`select distinct conta_id from saida where vence_em <= ${until}`,
  { planner: 'indexes' },
)

const deleteWaiting = (which: WaitingItems['which'], time: string) =>
  manyRows(
    `conversas: delete ${which} mensagens`,
    z.object({
      contaId: z.string(),
      contatoId: z.string(),
      mensagemId: z.string(),
      conteudo: outboxContentSchema,
    }),
    sql`delete from saida where ctid = any (array(
          select ctid from saida
          where ${rawSql(time)} <= ${until}
            and (${value('contaId', 'uuid?')} is null or conta_id = ${value('contaId', 'uuid?')})
            and (${value('linhaId', 'uuid?')} is null or ${lineOf('saida')} = ${value('linhaId', 'uuid?')})
          limit ${value('max', 'int')} for update skip locked))
        returning conta_id, contato_id, mensagem_id, conteudo`,
    { planner: 'indexes' },
  )
const DELETE_WAITING = {
  expired: deleteWaiting('expired', 'vence_em'),
  queued: deleteWaiting('queued', 'proxima_em'),
}

const failMensagens = noRows(
  'conversas: fail mensagens',
  sql`update mensagens m set estado = 'falhou',
        erro = case m.origem when 'operador' then ${value('person', 'text')} else ${value('automatic', 'text')} end
      from ${columns('i', { contaId: 'uuid', mensagemId: 'uuid' })}
      where m.conta_id = i.conta_id and m.id = i.mensagem_id`,
  { planner: 'indexes' },
)

export async function failWaiting(
  tx: Tx,
  { which, reason, linhaId = null, ...waiting }: WaitingItems,
): Promise<FailedItem[]> {
  const rows = await DELETE_WAITING[which](tx, { ...waiting, linhaId })
  if (rows.length === 0) return []
  await failMensagens(tx, { i: rows, ...reason })
  for (const { contaId, conteudo } of rows) await revertChange(tx, contaId, conteudo)
  return rows.map(({ conteudo, ...item }) => ({ ...item, ...conteudo }))
}

export const markUndelivered = noRows(
  'conversas: mark undelivered',
  sql`with s as (delete from saida where conta_id = ${contaId} and mensagem_id = ${mensagemId})
      update mensagens set estado = 'falhou', erro = ${error}
      where conta_id = ${contaId} and id = ${mensagemId} and direcao = 'saida' and estado = 'enviada'`,
)

/** Stores the service's ids of sent messages. Later quotes and reactions refer to them. */
export const setServiceIds = noRows(
  'saida-chamada',
  sql`
update mensagens m set id_externo = i.service_id from ${columns('i', { id: 'uuid', serviceId: 'text' })}
where m.conta_id = ${contaId} and m.id = i.id`,
  { prepared: true, planner: 'indexes' },
)

/**
 * Applies receipts. Returns the ids of the changed messages. States only move forward. Only conversas with people are
 * updated, because no screen shows ticks of the bot's messages.
 */
export const advanceStates = manyRows(
  'mensagens-avancar',
  idSchema,
  sql`
update mensagens m set estado = i.estado
from ${columns('i', { id: 'uuid', estado: 'text' })}, conversas v
where m.conta_id = ${contaId} and m.id = i.id and m.direcao = 'saida'
  and (m.estado = 'enviada' or (m.estado = 'entregue' and i.estado = 'lida'))
  and v.conta_id = m.conta_id and v.id = m.conversa_id and v.protocolo is not null
returning m.id`,
  { prepared: true, planner: 'indexes' },
)
