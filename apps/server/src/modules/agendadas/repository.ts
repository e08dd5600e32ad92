import * as z from 'zod/mini'
import { statusConversaSchema } from '@balcao/contract/entities/conversa'
import { type Agendada, estadoAgendadaSchema, motivoAgendadaSchema } from '@balcao/contract/entities/agendada'
import { instant } from '#db/statement/fields.ts'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'

const rowSchema = z.object({
  id: z.string(),
  conversaId: z.string(),
  mensagem: z.string(),
  enviarEm: instant,
  autor: z.string(),
  cancelarSeResponder: z.boolean(),
  estado: estadoAgendadaSchema,
  motivo: z.nullable(motivoAgendadaSchema),
})
const agendadaColumns = sql`a.id, a.conversa_id, a.texto as mensagem, a.enviar_em, a.autor, a.cancelar_se_responder, a.estado,
  a.motivo`

function toAgendada({ motivo, ...row }: z.output<typeof rowSchema>): Agendada {
  return { ...row, ...(motivo === null ? {} : { motivo }) }
}

const id = value('id', 'uuid')
const conversaId = value('conversaId', 'uuid')
const now = value('now', 'timestamptz')
const max = value('max', 'int')
const autorId = value('autorId', 'uuid')
const texto = value('texto', 'text')
const enviarEm = value('enviarEm', 'timestamptz')
const cancelarSeResponder = value('cancelarSeResponder', 'bool')

const insertRow = oneRow(
  'agendadas: insert',
  rowSchema,
  sql`insert into agendadas as a (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder,
      estado, criada_em)
    values (${contaId}, ${id}, ${conversaId}, ${texto}, ${enviarEm}, ${autorId}, ${value('autor', 'text')},
      ${cancelarSeResponder}, 'marcada', ${now})
    returning ${agendadaColumns}`,
)

type NewAgendada = Omit<Parameters<typeof insertRow>[1], 'contaId'>

export async function insertAgendada(tx: Tx, contaId: string, input: NewAgendada): Promise<Agendada> {
  const row = await insertRow(tx, { contaId, ...input })
  if (row === null) throw new Error('scheduled message not stored')
  return toAgendada(row)
}

const findEqual = oneRow(
  'agendadas: find equal',
  rowSchema,
  sql`select ${agendadaColumns} from agendadas a
    where a.conta_id = ${contaId} and a.conversa_id = ${conversaId} and a.estado = 'marcada' and a.autor_id = ${autorId}
      and a.texto = ${texto} and a.enviar_em = ${enviarEm} and a.cancelar_se_responder = ${cancelarSeResponder}`,
)

/** The waiting message of an earlier request whose answer may have been lost. */
export async function findScheduledBefore(
  tx: Tx,
  contaId: string,
  wanted: Omit<NewAgendada, 'id' | 'autor' | 'now'>,
): Promise<Agendada | null> {
  const row = await findEqual(tx, { contaId, ...wanted })
  return row === null ? null : toAgendada(row)
}

export const countScheduledOfConta = oneValue(
  'agendadas: count of conta',
  z.int(),
  sql`select count(*)::int as value
    from (select from agendadas where conta_id = ${contaId} and estado = 'marcada' limit ${max}) a`,
)

export const countScheduledSince = oneValue(
  'agendadas: count since',
  z.int(),
  sql`select count(*)::int as value
    from (select from agendadas where conta_id = ${contaId} and id >= ${value('from', 'uuid')} limit ${max}) a`,
)

export const countScheduled = oneValue(
  'agendadas: count of conversa',
  z.int(),
  sql`select count(*)::int as value from agendadas
    where conta_id = ${contaId} and conversa_id = ${conversaId} and estado = 'marcada'`,
)

const listRows = manyRows(
  'agendadas: list',
  rowSchema,
  sql`select ${agendadaColumns} from agendadas a
    where a.conta_id = ${contaId} and a.conversa_id = ${conversaId}
      and (${value('before', 'uuid?')} is null or a.id < ${value('before', 'uuid?')})
    order by a.id desc limit ${max}`,
)

export async function listAgendadas(tx: Tx, contaId: string, conversaId: string, page: Page): Promise<Agendada[]> {
  return (await listRows(tx, { contaId, conversaId, before: page.before, max: page.limite + 1 })).map(toAgendada)
}

const findConversa = oneRow(
  'agendadas: find conversa',
  z.object({ conversaId: z.string() }),
  sql`select conversa_id from agendadas where conta_id = ${contaId} and id = ${id}`,
)

export async function findConversaOf(tx: Tx, contaId: string, id: string): Promise<string | null> {
  return (await findConversa(tx, { contaId, id }))?.conversaId ?? null
}

export interface EndInput {
  readonly id: string
  readonly estado: 'enviada' | 'cancelada' | 'falhou'
  readonly motivo: Agendada['motivo'] | null
}

const endRow = oneRow(
  'agendadas: end',
  rowSchema,
  sql`update agendadas a set estado = ${value('estado', 'text')}, motivo = ${value('motivo', 'text?')}
    where a.conta_id = ${contaId} and a.id = ${id} and a.estado = 'marcada' returning ${agendadaColumns}`,
)

export async function endAgendada(tx: Tx, contaId: string, end: EndInput): Promise<Agendada | null> {
  const row = await endRow(tx, { contaId, ...end, motivo: end.motivo ?? null })
  return row === null ? null : toAgendada(row)
}

/** The due messages of an imported backup may have left before. */
export const failRestoredAgendadas = manyRows(
  'agendadas: fail restored',
  z.object({ contaId: z.string() }),
  sql`update agendadas set estado = 'falhou', motivo = 'copiaRestaurada'
    where estado = 'marcada' and enviar_em <= ${now} returning conta_id`,
)

export const listToCheck = manyRows(
  'agendadas: list to check',
  z.object({ id: z.string() }),
  sql`(select id from agendadas where conta_id = ${contaId} and estado = 'marcada' and enviar_em <= ${now}
       and (tentar_em is null or tentar_em <= ${now}) order by enviar_em, id limit 20)
    union
    select a.id from conversas v
    join agendadas a on a.conta_id = v.conta_id and a.conversa_id = v.id and a.estado = 'marcada'
    where v.conta_id = ${contaId} and v.contato_id = any (${value('contatos', 'uuid[]')})`,
)

/** Seconds before each retry. */
const RETRY_WAITS_S = [30, 60, 120, 240]

const delay = oneRow(
  'agendadas: delay',
  z.object({ tentativas: z.int() }),
  sql`update agendadas set tentativas = tentativas + 1,
      tentar_em = ${now} + make_interval(secs => (${value('waits', 'int[]')})[tentativas + 1])
    where conta_id = ${contaId} and id = ${id} and estado = 'marcada' returning tentativas`,
)

export async function recordAttempt(tx: Tx, contaId: string, id: string, now: Date): Promise<boolean> {
  const delayed = await delay(tx, { contaId, id, now, waits: RETRY_WAITS_S })
  return (delayed?.tentativas ?? 0) > RETRY_WAITS_S.length
}

const dueSchema = z.object({
  id: z.string(),
  conversaId: z.string(),
  contatoId: z.string(),
  texto: z.string(),
  enviarEm: z.date(),
  autorId: z.string(),
  autor: z.string(),
  cancelar: z.boolean(),
  respondeu: z.boolean(),
  parou: z.boolean(),
  /** Null: the author is not active. */
  autorSetores: z.nullable(z.array(z.string())),
  autorLinhas: z.nullable(z.array(z.string())),
  linhaId: z.string(),
  ...{ setor: z.nullable(z.string()), status: statusConversaSchema, operadorId: z.nullable(z.string()) },
  finalizadaEm: z.nullable(z.date()),
  outra: z.boolean(),
  teste: z.boolean(),
})
export type DueAgendada = z.output<typeof dueSchema>

/** Null: it ended, or another node has it. The rating of a finished conversa is an answer, too. */
export const lockAgendada = oneRow(
  'agendadas: lock',
  dueSchema,
  sql`
select a.id, a.conversa_id, v.contato_id, ${lineOf('v')} as linha_id, v.teste, v.setor, v.status, v.operador_id, a.texto, a.enviar_em, a.autor_id, a.autor,
  a.cancelar_se_responder as cancelar, (c.estado ->> 'paradoEm') is not null as parou,
  exists (
    select 1 from conversas o join mensagens m on m.conta_id = o.conta_id and m.conversa_id = o.id
    where o.conta_id = a.conta_id and o.contato_id = v.contato_id and o.linha_id is not distinct from v.linha_id
      and m.origem = 'cliente' and m.criada_em > a.criada_em
  ) as respondeu,
  u.setores as autor_setores, u.linhas as autor_linhas,
  case when v.status = 'finalizada' then v.finalizada_em end as finalizada_em,
  exists (
    select 1 from conversas o where o.conta_id = a.conta_id and o.contato_id = v.contato_id
      and o.linha_id is not distinct from v.linha_id and o.status in ('aguardando', 'em_atendimento') and o.id <> v.id
  ) as outra
from agendadas a
join conversas v on v.conta_id = a.conta_id and v.id = a.conversa_id
join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
left join lateral (
  select case when u.tipo = 'operador' then u.setores else '[]' end as setores,
    case when u.tipo = 'operador' then u.linhas else '[]' end as linhas
  from usuarios u where u.conta_id = a.conta_id and u.id = a.autor_id and u.status = 'ativo' and u.excluido_em is null
) u on true
where a.conta_id = ${contaId} and a.id = ${id} and a.estado = 'marcada'
for update of a skip locked`,
)

export const deleteOldAgendadas = noRows(
  'agendadas: delete old',
  sql`delete from agendadas where conta_id = ${contaId} and id = any (array(
      select id from agendadas where conta_id = ${contaId} and id < ${id} and estado <> 'marcada' order by id limit 1000))`,
)
