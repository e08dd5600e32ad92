import * as z from 'zod/mini'
import { midiaSchema, estadoMensagemSchema } from '@balcao/contract/entities/mensagem'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/** The events of a visitor, which give the messages their order. */

export const EVENTS_PAGE = 100

const endereco = value('endereco', 'text')
const ofVisitor = sql`e.conta_id = ${contaId} and e.endereco = ${endereco}`
const message = sql`mensagens m on m.conta_id = e.conta_id and m.id = e.mensagem_id`
/** The message ids of visitors are stored behind their address. */
const shownId = sql`case when m.direcao = 'entrada' then right(m.id_externo, 36) else m.id::text end`

/** Two events of one visitor commit in the order of their numbers. */
const lockVisitor = noRows(
  'webchat: lock events of visitor',
  sql`select pg_advisory_xact_lock(hashtextextended('webchat' || ${contaId}::text || ${endereco}, 0))`,
)

const lacks = (tipo: string) => sql`not exists (select from webchat_eventos e
    where e.conta_id = ${contaId} and e.mensagem_id = m.id and e.tipo = '${rawSql(tipo)}')`

/**
 * An answer may be sent before the request that brought the question is complete, so it also inserts the messages of
 * the visitor before it. A message that a person wrote shows that the messages before it were read.
 */
const insertEvents = manyRows(
  'webchat: insert events',
  z.object({ tipo: z.string() }),
  sql`
with nova as (
  select n.* from mensagens n where n.conta_id = ${contaId} and n.id = ${value('mensagemId', 'uuid')}
), proprias as (
  select m.id from nova join mensagens m on m.conta_id = nova.conta_id and m.conversa_id = nova.conversa_id
  where m.direcao = 'entrada' and m.id <= nova.id
), eventos as (
  select 1 as n, m.id, tipo from proprias m cross join (values ('mensagem'), ('entregue')) as t (tipo)
  where ${lacks('mensagem')}
  union all select 1, id, 'mensagem' from nova where direcao = 'saida'
  union all select 2, m.id, 'lida' from nova join proprias m on nova.origem = 'operador' where ${lacks('lida')}
)
insert into webchat_eventos (conta_id, endereco, mensagem_id, tipo)
select ${contaId}, ${endereco}, id, tipo from eventos order by n, id, tipo desc
on conflict (conta_id, mensagem_id, tipo) do nothing
returning tipo`,
)

const isStored = oneValue(
  'webchat: is message stored',
  z.boolean(),
  sql`select exists (
    select from mensagens where conta_id = ${contaId} and id = ${value('mensagemId', 'uuid')}) as value`,
)

interface Appended {
  readonly contaId: string
  readonly endereco: string
  readonly mensagemId: string
}

/** Makes a message readable for its visitor, once. Returns false when the message does not exist. */
export async function appendMensagem(tx: Tx, mensagem: Appended): Promise<boolean> {
  await lockVisitor(tx, mensagem)
  const inserted = await insertEvents(tx, mensagem)
  return inserted.length > 0 || isStored(tx, mensagem)
}

export const findReceived = oneRow(
  'webchat: find received',
  z.object({ id: z.string() }),
  sql`select id from mensagens where conta_id = ${contaId} and canal = ${value('canal', 'text')}
    and id_externo = ${value('idExterno', 'text')} and direcao = 'entrada'`,
)

const after = value('after', 'bigint')
const only = value('only', 'text?')

const eventSchema = z.object({
  ordem: z.number(),
  tipo: z.enum(['mensagem', 'entregue', 'lida']),
  mensagemId: z.string(),
  id: z.string(),
  propria: z.boolean(),
  lida: z.boolean(),
  operador: z.nullable(z.string()),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  estado: estadoMensagemSchema,
  em: instant,
})
export type ChatEvent = z.output<typeof eventSchema>

/** The events after a number, all or those of one kind, at most 100. */
export const listEvents = manyRows(
  'webchat: list events',
  eventSchema,
  sql`
select e.ordem::float8 as ordem, e.tipo, m.id as mensagem_id, ${shownId} as id, m.direcao = 'entrada' as propria, m.operador, m.texto,
  m.midia, m.estado, m.criada_em as em, exists (
    select from webchat_eventos l
    where l.conta_id = e.conta_id and l.mensagem_id = e.mensagem_id and l.tipo = 'lida') as lida
from webchat_eventos e join ${message}
where ${ofVisitor} and e.ordem > ${after} and (${only} is null or e.tipo = ${only})
order by e.ordem limit ${rawSql(String(EVENTS_PAGE))}`,
)

const lastEvent = oneValue(
  'webchat: last event',
  z.nullable(z.number()),
  sql`select (select e.ordem from webchat_eventos e where ${ofVisitor} order by e.ordem desc limit 1)::float8 as value`,
)

/** The number of the newest event. Null: none. */
export function findLastEvent(tx: Tx, visitor: Pick<Appended, 'contaId' | 'endereco'>): Promise<number | null> {
  return lastEvent(tx, visitor)
}

export const findEventOf = oneRow(
  'webchat: find event of message',
  z.object({ ordem: z.number() }),
  sql`select e.ordem::float8 as ordem from webchat_eventos e join ${message}
    where ${ofVisitor} and e.tipo = 'mensagem' and ${shownId} = ${value('id', 'text')}`,
)

/** Messages of the shop up to an event that the visitor had not read. */
export const listUnread = manyRows(
  'webchat: list unread',
  z.object({ id: z.string() }),
  sql`select m.id from webchat_eventos e join ${message}
    where ${ofVisitor} and e.tipo = 'mensagem' and e.ordem <= ${value('until', 'bigint')}
      and m.direcao = 'saida' and m.estado in ('enviada', 'entregue')`,
)
