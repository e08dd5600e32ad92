import { lineOf } from '#db/statement/line.ts'
import { columns, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { firstIdAt } from '#ids.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { aliveSubscriptions } from './subscriptions.ts'

const now = value('now', 'timestamptz')

/** Older changes give no notice, also after an outage of all nodes. */
const RECENT = sql`interval '10 minutes'`
/** A connection that returns within this time gives no notice. */
const OUTAGE = sql`interval '30 seconds'`
const CONVERSAS_MAX = rawSql('100')
/** Of a conta. Its further changes are queued after these, if they are still recent. */
const WAITING_MAX = rawSql('1000')

/**
 * Contas with a phone and a change in the last minutes: three index probes for each conta with a phone. With `exists`
 * the planner may read whole tables.
 */
const active = sql`
select k.conta_id from (select distinct conta_id from push_inscricoes) k
where (
  select true from conversas v where v.conta_id = k.conta_id and v.status in ('aguardando', 'em_atendimento')
    and v.ultima_atividade > ${now} - ${RECENT} limit 1)
or (select true from notas n where n.conta_id = k.conta_id and n.id > ${value('after', 'uuid')} limit 1)
or (select true from linhas_bots b where b.conta_id = k.conta_id and b.desconectado_desde > ${now} - ${RECENT} limit 1)`

/**
 * People with a phone: their setores and lines (null: all), preferences, and since when they have it. With `offset 0`
 * the planner reads the subscriptions of each active conta, also when it expects no conta with the component.
 */
const people = sql`
select k.conta_id, g.* from ativas k cross join lateral (
  select i.usuario_id, min(i.criada_em) as desde,
    case when u.tipo = 'operador' and u.setores <> '[]' then u.setores end as setores,
    case when u.tipo = 'operador' and u.linhas <> '[]' then u.linhas end as linhas,
    coalesce(p.fila_dos_meus_setores, true) as fila, coalesce(p.minhas_conversas, true) as minhas,
    coalesce(p.mencoes, true) as mencoes, coalesce(p.bot_desconectado, true) as bot
  from ${aliveSubscriptions}
  left join push_preferencias p on p.conta_id = i.conta_id and p.usuario_id = i.usuario_id
  where i.conta_id = k.conta_id
  group by i.usuario_id, u.id, p.conta_id, p.usuario_id offset 0
) g`

/** The rule `mayReadConversa` for people `g` and a conversa `v`. */
const isReadable = sql`((g.setores is null or coalesce(v.setor, 'geral') = 'geral' or g.setores ? v.setor)
    and (g.linhas is null or g.linhas ? ${lineOf('v')}::text)
  or (v.status = 'em_atendimento' and v.operador_id = g.usuario_id))`

/**
 * The distribution still looks for a person: the conta distributes automatically, and the conversa has waited for less
 * than 5 s or the next pass over the queue has not run. Then only the person who gets the conversa receives a notice.
 */
const isDistributing = sql`exists (
  select from regras_atendimento r where r.conta_id = v.conta_id and r.automatica
    and (v.aguardando_desde > ${now} - interval '5 seconds'
      or exists (select from sinais s where s.conta_id = r.conta_id and s.contato_id is null)))`

/**
 * Changes that deserve a notice, with their time. Read from the state and not from events, so that a message costs no more
 * and a killed node loses none. `offset 0` keeps one index scan for each person. Taking a conversa marks it as read. Unread
 * mensagens from before `assumida_em` therefore show that the conversa was given to the person.
 */
const changed = sql`
select g.conta_id, g.usuario_id, 'conversa:' || v.id as chave, 'fila' as tipo, v.id as conversa_id, v.aguardando_desde as em
from g cross join lateral (
  select v.* from conversas v where v.conta_id = g.conta_id and v.status = 'aguardando' and v.protocolo is not null
    and v.ultima_atividade > ${now} - ${RECENT} and v.aguardando_desde > ${now} - ${RECENT}
  order by v.ultima_atividade desc limit ${CONVERSAS_MAX} offset 0
) v where g.fila and v.aguardando_desde > g.desde and ${isReadable} and not ${isDistributing}
union all
select g.conta_id, g.usuario_id, 'conversa:' || v.id, 'mensagem', v.id, greatest(m.criada_em, v.assumida_em)
from g cross join lateral (
  select v.* from conversas v where v.conta_id = g.conta_id and v.status = 'em_atendimento' and v.protocolo is not null
    and v.operador_id = g.usuario_id and v.nao_lidas > 0 and v.ultima_atividade > ${now} - ${RECENT}
  order by v.ultima_atividade desc limit ${CONVERSAS_MAX} offset 0
) v cross join lateral (
  select m.criada_em from mensagens m where m.conta_id = v.conta_id and m.conversa_id = v.id and m.direcao = 'entrada'
  order by m.id desc limit 1
) m where g.minhas and greatest(m.criada_em, v.assumida_em) > g.desde
union all
select g.conta_id, g.usuario_id, 'mencao:' || v.id, 'mencao', v.id, max(n.criada_em)
from g cross join lateral (
  select n.* from notas n where n.conta_id = g.conta_id and n.id > ${value('after', 'uuid')} and n.autor_id <> g.usuario_id
    and g.usuario_id = any (n.mencoes) offset 0
) n join conversas v on v.conta_id = n.conta_id and v.id = n.conversa_id
where g.mencoes and n.criada_em > g.desde and v.protocolo is not null and ${isReadable} group by 1, 2, v.id
union all
select g.conta_id, g.usuario_id,
  'bot:' || case when b.linha_id = b.conta_id then '' else b.linha_id || ':' end || floor(extract(epoch from b.desconectado_desde)), 'botDesconectado', null,
  b.desconectado_desde
from g cross join lateral (select * from linhas_bots b where b.conta_id = g.conta_id offset 0) b
where g.bot and b.desconectado_desde > g.desde
  and b.desconectado_desde between ${now} - ${RECENT} and ${now} - ${OUTAGE}`

/**
 * A conversa gives another notice after the usuario opened it, or after the usuario took it from the queue. The conflict
 * checks it again, so two nodes queue one notice.
 */
const queueNotices = noRows(
  'push: queue notices',
  sql`
with ativas as materialized (${active}), g as materialized (${people}),
changes as (select distinct on (d.conta_id, d.usuario_id, d.chave) d.* from (${changed}) d
  order by d.conta_id, d.usuario_id, d.chave, d.em desc),
novos as (select d.*, row_number() over (partition by d.conta_id order by d.em) as turn from changes d
  left join push_avisos a on a.conta_id = d.conta_id and a.usuario_id = d.usuario_id and a.chave = d.chave
  where a.chave is null or a.aberta_em < d.em or (a.tipo = 'fila' and d.tipo = 'mensagem')),
esperam as (select conta_id, count(*) as total from push_avisos where proxima_em is not null group by conta_id)
insert into push_avisos as a (conta_id, usuario_id, chave, tipo, conversa_id, criado_em, proxima_em)
select d.conta_id, d.usuario_id, d.chave, d.tipo, d.conversa_id, ${now}, ${now} from novos d
left join esperam e on e.conta_id = d.conta_id where d.turn + coalesce(e.total, 0) <= ${WAITING_MAX}
on conflict (conta_id, usuario_id, chave) do update
set tipo = excluded.tipo, criado_em = excluded.criado_em, proxima_em = excluded.proxima_em, tentativas = 0,
  entregues = '{}', aberta_em = null
where a.aberta_em is not null or (a.tipo = 'fila' and excluded.tipo = 'mensagem')`,
  // Sent every 2 s. Planning takes a hundred times as long as running it without subscriptions.
  { prepared: true },
)

const RECENT_MS = 10 * 60_000

export function queueDueNotices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.now()
  return db.transaction('*', (tx) => queueNotices(tx, { now, after: firstIdAt(new Date(now.getTime() - RECENT_MS)) }))
}

const insertTest = noRows(
  'push: insert test',
  sql`insert into push_avisos (conta_id, usuario_id, chave, tipo, criado_em, proxima_em)
      values (${contaId}, ${value('usuarioId', 'uuid')}, ${value('chave', 'text')}, 'teste', ${now}, ${now})`,
)

/** Throws `muitasTentativas` after 5 tests of the usuario in a minute. */
export function queueTest(
  { db, ids, clock }: Pick<Deps, 'db' | 'ids' | 'clock'>,
  { contaId, usuarioId }: Pick<LoginSession, 'contaId' | 'usuarioId'>,
): Promise<void> {
  const now = clock.now()
  return db.transaction(contaId, async (tx) => {
    await countAttempt(tx, { clock }, testLimit('aviso', usuarioId))
    await insertTest(tx, { contaId, usuarioId, chave: `teste:${ids.uuid()}`, now })
  })
}

export interface OpenedConversa {
  readonly contaId: string
  readonly usuarioId: string
  readonly conversaId: string
  readonly at: Date
}

/** The notices up to that time are not sent any more, and the next change gives another one. */
export const markOpened = noRows(
  'push: mark opened',
  sql`update push_avisos a set aberta_em = o.at, proxima_em = null
      from ${columns('o', { contaId: 'uuid', usuarioId: 'uuid', conversaId: 'uuid', at: 'timestamptz' })}
      where a.conta_id = o.conta_id and a.usuario_id = o.usuario_id
        and a.chave in ('conversa:' || o.conversa_id, 'mencao:' || o.conversa_id)
        and a.aberta_em is null and a.criado_em <= o.at`,
)

const DELETED_PER_ROUND = 5_000

const deleteFinished = noRows(
  'push: delete finished',
  sql`delete from push_avisos where (conta_id, usuario_id, chave) in (
        select conta_id, usuario_id, chave from push_avisos where proxima_em is null and (
          criado_em < ${now} - interval '7 days'
          or coalesce(aberta_em, case when conversa_id is null then criado_em end) < ${now} - interval '1 hour')
        limit ${rawSql(String(DELETED_PER_ROUND))} for update skip locked)`,
)

/**
 * Deletes finished notices that no change can repeat: an hour after the conversa was opened, or after a notice without
 * one. A notice whose conversa is never opened ends after 7 days, so the next change gives another one.
 */
export async function deleteFinishedNotices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.transaction('*', (tx) => deleteFinished(tx, { now: clock.now() }))
}
