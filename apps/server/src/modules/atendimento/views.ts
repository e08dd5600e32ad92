import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { contaId, type Sql, sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { type ConversaRow, conversaRowSchema, selectConversas, toConversas } from '#modules/conversas/index.ts'
import { readable, readableSetor, readerValues } from '#modules/leitores/index.ts'
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

const OPEN = sql`v.status in ('aguardando', 'em_atendimento')`
const table = sql`conversas v`
const mine = sql`(select * from conversas v where v.conta_id = ${contaId} and v.operador_id = ${usuarioId}
  and v.status = 'em_atendimento' offset 0) v`
const mentioned = sql`(select distinct conversa_id from avisos a where a.conta_id = ${contaId}
    and a.usuario_id = ${usuarioId} and a.tipo = 'mencao' and a.lido_em is null and a.conversa_id is not null
  ) a cross join lateral (select * from conversas v where v.conta_id = ${contaId} and v.id = a.conversa_id offset 0) v`

/** Rows of each view, without its other filters. A mention is shown until it is read, also after the end. */
const VIEWS = {
  minhas: { source: mine, condition: OPEN, hides: true },
  fila: { source: table, condition: sql`v.status = 'aguardando' and ${probably(readableSetor('v'))}`, hides: true },
  mencoes: { source: mentioned, condition: probably(readable('v')), hides: false },
  semResposta: {
    source: table,
    condition: sql`${OPEN} and v.sem_resposta_desde is not null and ${probably(readable('v'))}`,
    hides: true,
  },
  todas: { source: table, condition: sql`${OPEN} and ${probably(readable('v'))}`, hides: false },
} as const

const filters = sql`(${setor} is null or v.setor = ${setor})
  and (${operador} is null or v.operador_id = ${operador})
  and (${value('semOperador', 'bool')} = false or v.operador_id is null)
  and (${etiqueta} is null or ${probably(sql`exists (select from contatos_etiquetas t where t.conta_id = v.conta_id
    and t.contato_id = v.contato_id and t.etiqueta_id = ${etiqueta})`)})
  and (${value('busca', 'bool')} = false or ${probably(sql`exists (select from contatos c
    where c.conta_id = v.conta_id and c.id = v.contato_id and ${isFound})`)})`

/** Two scans in the order of their indexes. The joins of the view run for the page only. */
function viewSql({ source, condition, hides }: (typeof VIEWS)[ViewName]) {
  const scan = <Values>(part: Sql<Values>) => sql`(
    select v.* from ${source}
    left join leituras l on l.conta_id = v.conta_id and l.usuario_id = ${usuarioId} and l.conversa_id = v.id
    where v.conta_id = ${contaId} and v.protocolo is not null and ${condition} and ${filters}
      and coalesce(l.fixada, false) = ${value('fixadas', 'bool')}
      and ${hides ? sql`not coalesce(${isHidden}, false)` : sql`${value('now', 'timestamptz')} is not null`} ${part} limit ${limite})`
  const unanswered = scan(sql`and v.sem_resposta_desde is not null and ${grupo} = 0
    and (v.sem_resposta_desde, v.id) > (${em}, ${depoisDe}) order by v.sem_resposta_desde, v.id`)
  const others = scan(sql`and v.sem_resposta_desde is null
    and (${grupo} = 0 or (v.ultima_atividade, v.id) < (${em}, ${depoisDe})) order by v.ultima_atividade desc, v.id desc`)
  const order = sql`order by v.sem_resposta_desde is null, v.sem_resposta_desde, v.ultima_atividade desc, v.id`
  return sql`${selectConversas(sql`(select * from (${unanswered} union all ${others}) v ${order} limit ${limite})`)} ${order}`
}

const prepareView = (visao: ViewName) =>
  manyRows(`visao-${visao}`, conversaRowSchema, viewSql(VIEWS[visao]), { prepared: true, planner: 'indexes' })

const LISTS = {
  minhas: prepareView('minhas'),
  fila: prepareView('fila'),
  mencoes: prepareView('mencoes'),
  semResposta: prepareView('semResposta'),
  todas: prepareView('todas'),
}

const cursorSchema = z.tuple([z.enum(['0', '1']), z.iso.datetime(), z.uuid()])
const FIRST = { grupo: 0, em: new Date(0), depoisDe: '00000000-0000-0000-0000-000000000000' }
const PINNED_MAX = 10

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
    cursor === undefined
      ? list(tx, { ...values, ...FIRST, fixadas: true, limite: PINNED_MAX })
      : Promise.resolve<ConversaRow[]>([]),
    list(tx, { ...values, ...positionOf(cursor), fixadas: false, limite: limite + 1 }),
  ])
  const page = rows.slice(0, limite)
  const conversas = await toConversas(tx, [...pinned, ...page], mensagens)
  const last = page.at(-1)
  return rows.length <= limite || last === undefined ? { conversas } : { conversas, proximoCursor: cursorOf(last) }
}

function valuesOf({ contaId, usuarioId, reader, now, ...request }: Omit<ViewRequest, 'visao'>) {
  const { setor = null, etiqueta = null, operador, busca = '' } = request
  return {
    ...{ contaId, usuarioId, now, setor, etiqueta, operador: operador ?? null, semOperador: operador === null },
    ...{ busca: busca.trim() !== '', ...searchValues(busca.trim()), ...readerValues(reader) },
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
