import * as z from 'zod/mini'
import type { Conversa, Minha } from '@balcao/contract/entities/conversa'
import { instant } from '#db/statement/fields.ts'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'

/** Read positions and marks of each person. A turn of the bot neither reads nor writes them. */

const UNREAD_MAX = rawSql('100')
export const PINNED_MAX = 10

const usuarioId = value('usuarioId', 'uuid')
const conversaId = value('conversaId', 'uuid')
const now = value('now', 'timestamptz')

/** The customer wrote in conversa `l.conversa_id` since the reminder was set. */
const customerWrote = sql`exists (
  select from mensagens m where m.conta_id = l.conta_id and m.conversa_id = l.conversa_id and m.direcao = 'entrada'
    and m.id > coalesce(l.lembrar_apos, '00000000-0000-0000-0000-000000000000'))`

/** Condition on a row `l` of `leituras`, which may be null: a reminder hides the conversa from the person's views. */
export const isHidden = sql`(l.lembrar_em > ${now} and not ${customerWrote})`

const listMine = manyRows(
  'leituras: list of person',
  z.object({
    conversaId: z.string(),
    naoLidas: z.int(),
    marcada: z.boolean(),
    fixada: z.boolean(),
    lembrarEm: z.nullable(instant),
  }),
  sql`
select l.conversa_id, l.marcada, l.fixada, case when ${isHidden} then l.lembrar_em end as lembrar_em,
  case when l.ate is null then least(v.nao_lidas, ${UNREAD_MAX}) else (select count(*)::int from (
    select from mensagens m where m.conta_id = l.conta_id and m.conversa_id = l.conversa_id and m.id > l.ate
      and m.direcao = 'entrada' limit ${UNREAD_MAX}) m) end as nao_lidas
from leituras l join conversas v on v.conta_id = l.conta_id and v.id = l.conversa_id
where l.conta_id = ${contaId} and l.usuario_id = ${usuarioId} and l.conversa_id = any (${value('ids', 'uuid[]')})`,
  { prepared: true, planner: 'indexes' },
)

interface Person {
  readonly contaId: string
  readonly usuarioId: string
}

type MineRow = Awaited<ReturnType<typeof listMine>>[number]

function toMinha({ naoLidas, marcada, fixada, lembrarEm }: MineRow): Minha {
  return { naoLidas, marcada, fixada, ...(lembrarEm === null ? {} : { lembrarEm }) }
}

/** The marks of the person by conversa. Conversas without one are left out. */
export async function readMarks(
  tx: Tx,
  person: Person,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Minha>> {
  const rows = ids.length === 0 ? [] : await listMine(tx, { ...person, now, ids })
  return new Map(rows.map((row) => [row.conversaId, toMinha(row)]))
}

/** Adds the marks of the person. Without one the counter of the conversa holds. */
export function withMarks(conversa: Conversa, minhas: ReadonlyMap<string, Minha>): Conversa {
  const unmarked = { naoLidas: conversa.naoLidas, marcada: false, fixada: false }
  return { ...conversa, minha: minhas.get(conversa.id) ?? unmarked }
}

/** Moves the position forward to a message of the conversa. Returns 0 if the conversa has no such message. */
export const moveRead = noRows(
  'leituras: move read',
  sql`insert into leituras as l (conta_id, usuario_id, conversa_id, ate)
      select m.conta_id, ${usuarioId}, m.conversa_id, m.id from mensagens m
      where m.conta_id = ${contaId} and m.conversa_id = ${conversaId} and m.id = ${value('ate', 'uuid')}
      on conflict (conta_id, usuario_id, conversa_id) do update set ate = greatest(l.ate, excluded.ate), marcada = false`,
)

/** Moves the position forward to the last message of the conversa. */
export const moveReadToEnd = noRows(
  'leituras: move read to end',
  sql`insert into leituras as l (conta_id, usuario_id, conversa_id, ate)
      values (${contaId}, ${usuarioId}, ${conversaId}, (
        select m.id from mensagens m where m.conta_id = ${contaId} and m.conversa_id = ${conversaId}
        order by m.id desc limit 1))
      on conflict (conta_id, usuario_id, conversa_id) do update set ate = greatest(l.ate, excluded.ate), marcada = false`,
)

export const setUnread = noRows(
  'leituras: mark unread',
  sql`insert into leituras (conta_id, usuario_id, conversa_id, marcada)
      values (${contaId}, ${usuarioId}, ${conversaId}, true)
      on conflict (conta_id, usuario_id, conversa_id) do update set marcada = true`,
)

/** Sets or clears the reminder. Messages of the customer up to now do not end it. */
export const setReminder = noRows(
  'leituras: set reminder',
  sql`insert into leituras as l (conta_id, usuario_id, conversa_id, lembrar_em, lembrar_apos)
      values (${contaId}, ${usuarioId}, ${conversaId}, ${value('em', 'timestamptz?')}, (
        select m.id from mensagens m where m.conta_id = ${contaId} and m.conversa_id = ${conversaId}
        order by m.id desc limit 1))
      on conflict (conta_id, usuario_id, conversa_id) do update
      set lembrar_em = excluded.lembrar_em, lembrar_apos = excluded.lembrar_apos`,
)

export const setPinned = noRows(
  'leituras: set pinned',
  sql`insert into leituras (conta_id, usuario_id, conversa_id, fixada)
      values (${contaId}, ${usuarioId}, ${conversaId}, ${value('fixada', 'bool')})
      on conflict (conta_id, usuario_id, conversa_id) do update set fixada = excluded.fixada`,
)

/** Pinned open conversas of the person without this one. The lock of the person orders two windows. */
export const countPinned = oneValue(
  'leituras: count pinned',
  z.int(),
  sql`with u as materialized (
        select id from usuarios where conta_id = ${contaId} and id = ${usuarioId} for no key update)
      select count(*)::int as value from u, leituras l
      join conversas v on v.conta_id = l.conta_id and v.id = l.conversa_id
      where l.conta_id = ${contaId} and l.usuario_id = ${usuarioId} and l.fixada and l.conversa_id <> ${conversaId}
        and v.status <> 'finalizada'`,
)

/** Ends the reminders that are due, and those whose customer wrote. One row for each person and conversa. */
export const takeEndedReminders = manyRows(
  'leituras: take ended reminders',
  z.object({ usuarioId: z.string(), conversaId: z.string(), nome: z.string(), escreveu: z.boolean() }),
  sql`with e as (
        select l.conta_id, l.usuario_id, l.conversa_id, ${customerWrote} as escreveu from leituras l
        where l.conta_id = ${contaId} and l.lembrar_em is not null and (l.lembrar_em <= ${now} or ${customerWrote})
        order by l.usuario_id, l.conversa_id limit 200 for update)
      update leituras l set lembrar_em = null, lembrar_apos = null from e
      join conversas v on v.conta_id = e.conta_id and v.id = e.conversa_id
      join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
      where l.conta_id = e.conta_id and l.usuario_id = e.usuario_id and l.conversa_id = e.conversa_id
      returning l.usuario_id, l.conversa_id, coalesce(nullif(c.nome, ''), c.telefone) as nome, e.escreveu`,
)
