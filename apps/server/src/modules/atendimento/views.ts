import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { contaId, rawSql, type Sql, sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { type ConversaRow, conversaRowSchema, selectConversasOfConta, toConversas } from '#modules/conversas/index.ts'
import { readable, readerValues } from '#modules/leitores/index.ts'
import { isHidden } from '#modules/leituras/index.ts'
import { isFound, probably, searchValues } from './queries.ts'

/** The views of a person: open conversas without an answer first, longest first, then the others by latest activity. */

export type ViewName = 'minhas' | 'fila' | 'mencoes' | 'semResposta' | 'todas'

const usuarioId = value('usuarioId', 'uuid')
const etiqueta = value('etiqueta', 'uuid?')
const setor = value('setor', 'text?')
const operador = value('operador', 'uuid?')
const limite = value('limite', 'int')
/** Position behind the last conversa of the page before: 0 among those without an answer, 1 among the others. */
const grupo = value('grupo', 'int')
const em = value('em', 'timestamptz')
const depoisDe = value('depoisDe', 'uuid')

const table = sql`conversas v`
const mine = sql`(select * from conversas v where v.conta_id = ${contaId} and v.operador_id = ${usuarioId}
  and v.status = 'em_atendimento' offset 0) v`
const hasMention = sql`exists (select from avisos a where a.conta_id = ${contaId} and a.usuario_id = ${usuarioId}
  and a.tipo = 'mencao' and a.lido_em is null and a.conversa_id = v.id)`
const mentioned = sql`(select distinct conversa_id from avisos a where a.conta_id = ${contaId}
    and a.usuario_id = ${usuarioId} and a.tipo = 'mencao' and a.lido_em is null and a.conversa_id is not null
  ) a cross join lateral (select * from conversas v where v.conta_id = ${contaId} and v.id = a.conversa_id offset 0) v`

const pinned = sql`(select l.conversa_id from leituras l where l.conta_id = ${contaId}
    and l.usuario_id = ${usuarioId} and l.fixada
  ) p cross join lateral (select * from conversas v where v.conta_id = ${contaId} and v.id = p.conversa_id offset 0) v`

interface View {
  /** Each status is a scan of its index. Null: the source has few rows, of any status. */
  readonly statuses: readonly ('aguardando' | 'em_atendimento')[] | null
  /** False: only conversas without an answer. */
  readonly answered: boolean
  /** A reminder hides the conversa. */
  readonly hides: boolean
}

/** A mention is shown until it is read, also after the end of its conversa. */
const VIEWS = {
  minhas: { statuses: null, answered: true, hides: true },
  fila: { statuses: ['aguardando'], answered: true, hides: true },
  mencoes: { statuses: null, answered: true, hides: false },
  semResposta: { statuses: ['aguardando', 'em_atendimento'], answered: false, hides: true },
  todas: { statuses: ['aguardando', 'em_atendimento'], answered: true, hides: false },
} as const satisfies Readonly<Record<ViewName, View>>

const filters = sql`(${setor} is null or v.setor = ${setor})
  and (${operador} is null or v.operador_id = ${operador})
  and (${value('semOperador', 'bool')} = false or v.operador_id is null)
  and (${etiqueta} is null or (select true from contatos_etiquetas t where t.conta_id = v.conta_id
    and t.contato_id = v.contato_id and t.etiqueta_id = ${etiqueta} limit 1))
  and (${value('busca', 'bool')} = false or (select ${isFound} from contatos c
    where c.conta_id = v.conta_id and c.id = v.contato_id limit 1))`

const BY_TURN = sql`order by v.sem_resposta_desde is null, v.sem_resposta_desde, v.ultima_atividade desc, v.id`

/**
 * Rows of a view from its source. Conditions outside the index stand in one `probably`: of several the planner expects
 * few rows and sorts the whole index. A subquery with a limit is never turned into a hash of its table.
 */
function rowsOf<Source, Part>({ hides }: View, from: Sql<Source>, { pins, part }: { pins: boolean; part: Sql<Part> }) {
  const left = sql`(${pins ? sql`false` : sql`l.fixada`} or ${hides ? isHidden : sql`false`})`
  return sql`select v.* from ${from} where v.conta_id = ${contaId} and ${probably(sql`v.protocolo is not null
    and ${readable('v')} and ${filters} and (select true from leituras l where l.conta_id = v.conta_id
      and l.usuario_id = ${usuarioId} and l.conversa_id = v.id and ${left} limit 1) is null`)} ${part}`
}

const withoutAnswer = sql`and v.sem_resposta_desde is not null and ${grupo} = 0
  and (v.sem_resposta_desde, v.id) > (${em}, ${depoisDe}) order by v.sem_resposta_desde, v.id limit ${limite}`
const withAnswer = sql`and v.sem_resposta_desde is null and (${grupo} = 0 or (v.ultima_atividade, v.id) < (${em}, ${depoisDe}))
  order by v.ultima_atividade desc, v.id desc limit ${limite}`

/** Scans in the order of their indexes. The joins of the view run for the page only. */
function pageSql(visao: ViewName) {
  const view: View = VIEWS[visao]
  const parts = view.answered ? [withoutAnswer, withAnswer] : [withoutAnswer]
  const scans = (view.statuses ?? [null]).flatMap((status) =>
    parts.map((part) => {
      const ofStatus = status === null ? sql`` : sql`and v.status = '${rawSql(status)}'`
      return sql`(${rowsOf(view, sourceOf(visao), { pins: false, part: sql`${ofStatus} ${part}` })})`
    }),
  )
  const all = scans.reduce((before, scan) => sql`${before} union all ${scan}`)
  return sql`${selectConversasOfConta(sql`(select * from (${all}) v ${BY_TURN} limit ${limite})`)} ${BY_TURN}`
}

const sourceOf = (visao: ViewName) => (visao === 'minhas' ? mine : visao === 'mencoes' ? mentioned : table)

/** The pinned conversas of the person that belong to the view. */
function pinnedSql(visao: ViewName) {
  const view: View = VIEWS[visao]
  const statuses = sql`v.status = any (${rawSql(`'{${(view.statuses ?? ['aguardando', 'em_atendimento']).join(',')}}'::text[]`)})`
  const ofView = {
    minhas: sql`v.operador_id = ${usuarioId}`,
    mencoes: sql`${hasMention}`,
    semResposta: sql`v.sem_resposta_desde is not null`,
    fila: sql`true`,
    todas: sql`true`,
  }[visao]
  return sql`${selectConversasOfConta(sql`(${rowsOf(view, pinned, { pins: true, part: sql`and ${statuses} and ${ofView}` })})`)} ${BY_TURN}`
}

const prepare = (visao: ViewName) => {
  const plan = { prepared: true, planner: 'indexes' } as const
  return {
    page: manyRows(`visao-${visao}`, conversaRowSchema, pageSql(visao), plan),
    pinned: manyRows(`visao-${visao}-fixadas`, conversaRowSchema, pinnedSql(visao), plan),
  }
}

const LISTS = {
  minhas: prepare('minhas'),
  fila: prepare('fila'),
  mencoes: prepare('mencoes'),
  semResposta: prepare('semResposta'),
  todas: prepare('todas'),
}

const cursorSchema = z.tuple([z.enum(['0', '1']), z.iso.datetime(), z.uuid()])
const FIRST = { grupo: 0, em: new Date(0), depoisDe: '00000000-0000-0000-0000-000000000000' }

export interface ViewRequest {
  readonly contaId: string
  readonly usuarioId: string
  readonly reader: ConversaReader
  readonly visao: ViewName
  readonly setor?: string | undefined
  readonly etiqueta?: string | undefined
  /** Null: without an operador. */
  readonly operador?: string | null | undefined
  readonly busca?: string | undefined
  readonly linha?: string | undefined
  readonly mensagens?: number | undefined
  readonly limite?: number | undefined
  readonly cursor?: string | undefined
  readonly now: Date
}

/** One page of a view. Pinned conversas begin the first page and do not count against its size. */
export async function listView(
  tx: Tx,
  { visao, cursor, limite = LOGS_MANTIDOS, mensagens, ...request }: ViewRequest,
): Promise<{ conversas: Conversa[]; proximoCursor?: string }> {
  const { etiqueta = null, operador } = request
  if (![etiqueta, operador].every((id) => id === null || id === undefined || isUuid(id))) return { conversas: [] }
  const list = LISTS[visao]
  const values = valuesOf(request)
  const [pinned, rows] = await inOrder([
    cursor === undefined ? list.pinned(tx, values) : Promise.resolve<ConversaRow[]>([]),
    list.page(tx, { ...values, ...positionOf(cursor), limite: limite + 1 }),
  ])
  const page = rows.slice(0, limite)
  const conversas = await toConversas(tx, [...pinned, ...page], mensagens)
  const last = page.at(-1)
  return rows.length <= limite || last === undefined ? { conversas } : { conversas, proximoCursor: cursorOf(last) }
}

function valuesOf({ contaId, usuarioId, reader, now, ...request }: Omit<ViewRequest, 'visao'>) {
  const { setor = null, etiqueta = null, operador, busca = '', linha } = request
  return {
    ...{ contaId, usuarioId, now, setor, etiqueta, operador: operador ?? null, semOperador: operador === null },
    ...{ busca: busca.trim() !== '', ...searchValues(busca.trim()), ...readerValues(reader, linha) },
  }
}

function positionOf(cursor: string | undefined): typeof FIRST {
  if (cursor === undefined) return FIRST
  const parsed = cursorSchema.safeParse(cursor.split('_'))
  if (!parsed.success) throw new AppError('dadosInvalidos')
  const [grupo, em, depoisDe] = parsed.data
  return { grupo: Number(grupo), em: new Date(em), depoisDe }
}

function cursorOf({ semRespostaDesde, ultimaAtividade, id }: ConversaRow): string {
  return semRespostaDesde === null ? `1_${ultimaAtividade}_${id}` : `0_${semRespostaDesde}_${id}`
}
