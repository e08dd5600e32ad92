import { foldAccents } from '@balcao/contract/text/fold-accents'
import * as z from 'zod/mini'
import { type ConversaReader, isRestricted } from '@balcao/contract/conversa-access'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { compileSql, contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { camelCaseRow, inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { cutPage, limitSearch, type Page } from '#http/page.ts'
import { isUuid } from '#lib/text.ts'
import {
  bindTo,
  type BindValue,
  conversaRowSchema,
  selectConversas,
  findAttendedConversa,
  findServed,
  toConversas,
  readableSql,
  mensagemColumns,
  mensagemFromRow,
  mensagemRowSchema,
  nameOrPhone,
} from '#modules/conversas/index.ts'
import type { ConversaRef } from './conversa/change.ts'

export interface ConversaPage {
  readonly limite: number
  /** Cursor: `em` is the last activity of the last conversa on the page before. */
  readonly depoisDe: { readonly em: string; readonly id: string } | null
}

interface EtiquetaFilter {
  readonly id: string
  /** True: few contatos have it, so their conversas are read and sorted. */
  readonly rare: boolean
}

/** The request of the list. `etiqueta` is an id. */
export interface ConversaRequest extends Omit<ConversaFilter, 'etiqueta'> {
  readonly etiqueta?: string | undefined
}

export interface ConversaFilter {
  readonly status?: StatusConversa | 'todos' | undefined
  readonly setor?: string | undefined
  readonly busca?: string | undefined
  readonly etiqueta?: EtiquetaFilter | undefined
  /** Id of an operador. Null: none. */
  readonly operador?: string | null | undefined
  readonly mensagens?: number | undefined
  readonly reader: ConversaReader
  readonly pagina: ConversaPage
}

const cursorSchema = z.tuple([z.iso.datetime(), z.uuid()])

export function conversaPageOf(query: {
  readonly limite?: number | undefined
  readonly cursor?: string | undefined
}): ConversaPage {
  const { limite = LOGS_MANTIDOS, cursor } = query
  if (cursor === undefined) return { limite, depoisDe: null }
  const parsed = cursorSchema.safeParse(cursor.split('_'))
  if (!parsed.success) throw new AppError('dadosInvalidos')
  const [em, id] = parsed.data
  return { limite, depoisDe: { em, id } }
}

interface ListQuery {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

const OPEN_STATUSES = ['aguardando', 'em_atendimento'] as const

/**
 * Builds one index scan per status, already in list order, and merges them. The statement name encodes the set of
 * conditions, so each combination is planned once.
 */
export function conversaListQuery(contaId: string, filter: Omit<ConversaFilter, 'mensagens'>): ListQuery {
  const { status = 'todos', busca = '', pagina: requested } = filter
  const values: unknown[] = [contaId]
  const value = bindTo(values)
  const limite = value(requested.limite + 1)
  const states = status === 'todos' ? OPEN_STATUSES : [status]
  const filters = listFilters(filter, value)
  const [letter, condition] = searchCondition(busca.trim(), value)
  if (condition !== '') filters.push([letter, condition])
  const order = 'order by v.ultima_atividade desc, v.id desc'
  const join = condition === '' ? '' : 'join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id'
  const { letter: of, source, rows, conditions: ofEtiqueta } = scanOf(filter, value)
  filters.push([of, ofEtiqueta])
  const nome = `conversas-${states.length}${filters.map(([mark]) => mark).join('')}`
  const conditions = filters.map(([, sql]) => sql)
  const scans = states.map(
    (one) =>
      `(${rows(`from ${source} ${join}
      where ${['v.conta_id = $1', 'v.protocolo is not null', `v.status = ${value(one)}`, ...conditions].join(' and ')}
      ${order} limit ${limite}`)})`,
  )
  // The joins of the view run for the page only, not for every scan.
  const pagina = `(select * from (${scans.join(' union all ')}) v ${order} limit ${limite})`
  return { name: nome, text: `${compileSql(selectConversas(rawSql(pagina))).text} ${order}`, values }
}

interface Scan {
  /** Letter in the statement name. */
  readonly letter: string
  readonly source: string
  readonly conditions: string
  /** Makes a statement that reads whole rows from the part after `select`. */
  readonly rows: (sql: string) => string
}

/** How the rows of one status are found. */
function scanOf({ etiqueta, operador }: Pick<ConversaFilter, 'etiqueta' | 'operador'>, value: BindValue): Scan {
  const wholeRows = (sql: string): string => `select v.* ${sql}`
  const plain = { letter: '', source: 'conversas v', conditions: 'true', rows: wholeRows }
  if (etiqueta === undefined) return operador === undefined ? plain : { ...plain, rows: rowsOfIds }
  if (etiqueta.rare) return { ...plain, letter: 'e', source: conversasOfEtiqueta(value(etiqueta.id)) }
  return { ...plain, letter: 'f', conditions: hasEtiqueta(value(etiqueta.id)), rows: rowsOfIds }
}

type ColumnFilter = Pick<ConversaFilter, 'setor' | 'operador' | 'reader' | 'pagina'>

/** The conditions on columns of the conversa, each after the letter that marks it in the statement name. */
function listFilters(
  { setor, operador, reader, pagina: { depoisDe } }: ColumnFilter,
  value: BindValue,
): (readonly [string, string])[] {
  const filters: (readonly [string, string])[] = []
  if (setor !== undefined) filters.push(['s', `v.setor = ${value(setor)}`])
  if (operador === null) filters.push(['o', probably('v.operador_id is null')])
  else if (operador !== undefined) filters.push(['p', probably(`v.operador_id = ${value(operador)}::uuid`)])
  if (isRestricted(reader)) filters.push(['r', readableSql(reader, 'v', value)])
  if (depoisDe !== null) {
    const { em, id } = depoisDe
    filters.push(['c', `(v.ultima_atividade, v.id) < (${value(em)}::timestamptz, ${value(id)}::uuid)`])
  }
  return filters
}

/** Begins with the contatos of an etiqueta. `offset 0` keeps the planner from reading the whole list in its order. */
const conversasOfEtiqueta = (id: string): string => `(
  select contato_id from contatos_etiquetas where conta_id = $1 and etiqueta_id = ${id}::uuid
) t cross join lateral (select * from conversas v where v.conta_id = $1 and v.contato_id = t.contato_id offset 0) v`

/**
 * PostgreSQL reads the contatos of the etiqueta once into a hash table. Without `coalesce` the planner would turn `in`
 * into a join that reads the etiquetas of each conversa.
 */
const hasEtiqueta = (id: string): string =>
  probably(`v.contato_id in (
  select t.contato_id from contatos_etiquetas t where t.conta_id = $1 and t.etiqueta_id = ${id}::uuid)`)

/**
 * The planner expects one of three rows to fulfil the condition, so it reads the index in the order of the list. For a
 * rare value it would sort rows of another index, which lacks the columns.
 */
const probably = (condition: string): string => `coalesce(${condition}, false)`

/** Finds the page in the index `conversas_atividade` alone, which has all columns of the filters, and reads its rows. */
const rowsOfIds = (sql: string): string => `select v.* from (select v.id ${sql}) p
  cross join lateral (select * from conversas v where v.conta_id = $1 and v.id = p.id offset 0) v`

const RARE_ETIQUETA = 500

/**
 * Few contatos: their conversas are read and sorted. Many: the index of the list is read in its order until the page is
 * full, in the worst case a whole status.
 */
async function findEtiquetaFilter(tx: Tx, contaId: string, id: string): Promise<EtiquetaFilter> {
  const { rows } = await tx.queryNamed(
    'etiqueta-rara',
    'select 1 from contatos_etiquetas where conta_id = $1 and etiqueta_id = $2 limit $3',
    [contaId, id, RARE_ETIQUETA],
  )
  return { id, rare: rows.length < RARE_ETIQUETA }
}

export const SLOW_SEARCH = 'A busca demorou demais. Escreva mais do nome ou o telefone inteiro.'

/**
 * Lists conversas by last activity, newest first. Finished ones only by filter. Conversas that only the bot served
 * are excluded.
 */
export async function listServedConversas(
  tx: Tx,
  contaId: string,
  { mensagens, etiqueta: etiquetaId, ...rest }: ConversaRequest,
): Promise<{ conversas: Conversa[]; proximoCursor?: string }> {
  const ids = [etiquetaId, rest.operador].filter((id) => id !== undefined && id !== null)
  if (!ids.every(isUuid)) return { conversas: [] }
  const etiqueta = etiquetaId === undefined ? undefined : await findEtiquetaFilter(tx, contaId, etiquetaId)
  const filtro = { ...rest, etiqueta }
  const { limite } = filtro.pagina
  const readAll = async (): Promise<Conversa[]> => {
    const { name, text, values } = conversaListQuery(contaId, filtro)
    const { rows } = await tx.queryNamed(name, text, [...values])
    const parsed = rows.map((row) => conversaRowSchema.parse(camelCaseRow(row)))
    return toConversas(tx, parsed, mensagens)
  }
  const read = await (filtro.busca === undefined ? readAll() : limitSearch(tx, SLOW_SEARCH, readAll))
  const conversas = read.slice(0, limite)
  const last = conversas.at(-1)
  if (read.length <= limite || last === undefined) return { conversas }
  return { conversas, proximoCursor: `${last.ultimaAtividade}_${last.id}` }
}

const revisoesSchema = z.object({ total: z.number(), revisoes: z.number() })

/** Counts the open conversas of a reader and their changes. `desde`: those with activity since then. */
export async function readRevisoes(
  tx: Tx,
  {
    contaId,
    reader,
    desde,
  }: { readonly contaId: string; readonly reader: ConversaReader; readonly desde?: string | undefined },
): Promise<z.output<typeof revisoesSchema>> {
  const values: unknown[] = [contaId, desde ?? '-infinity']
  const { rows } = await tx.queryNamed(
    isRestricted(reader) ? 'revisoes-restritas' : 'revisoes',
    `select count(*)::int as total, coalesce(sum(v.revisao), 0) as revisoes from conversas v
      where v.conta_id = $1 and v.protocolo is not null and v.status in ('aguardando', 'em_atendimento')
        and v.ultima_atividade >= $2::timestamptz and ${readableSql(reader, 'v', bindTo(values))}`,
    values,
  )
  return revisoesSchema.parse(rows[0])
}

/** Ignores case and accents. Names without multi-byte characters skip the slow `normalize`. */
const FOLDED_NAME = String.raw`case when octet_length(c.nome) = char_length(c.nome) then c.nome
  else regexp_replace(normalize(c.nome, nfd), '[\u0300-\u036f]', '', 'g') end`

/**
 * Matches a part of the name, of the user name or of the phone digits, and with `@` the beginning of the user name.
 * Also returns the letter that marks the kind of search in the statement name.
 */
export function searchCondition(search: string, bindValue: BindValue): readonly [string, string] {
  if (search === '') return ['', '']
  const part = foldAccents(search).replaceAll(/[\\%_]/g, String.raw`\$&`)
  if (part.startsWith('@')) return ['u', `c.nome_usuario like ${bindValue(`${part.slice(1).toLowerCase()}%`)}`]
  const value = bindValue(`%${part}%`)
  const nome = `(${FOLDED_NAME} ilike ${value} or c.nome_usuario ilike ${value})`
  const digits = search.replaceAll(/[\s().+-]/g, '')
  if (!/^\d+$/.test(digits)) return ['n', nome]
  return ['t', `(${nome} or c.telefone like ${bindValue(`%${digits}%`)})`]
}

const listPage = manyRows(
  'conversa-mensagens',
  mensagemRowSchema,
  sql`select ${mensagemColumns} from mensagens m
where m.conta_id = ${contaId} and m.conversa_id = ${value('conversaId', 'uuid')} and m.id < ${value('before', 'uuid')}
order by m.id desc limit ${value('max', 'int')}`,
  { prepared: true },
)

/** Greater than every UUIDv7. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the last page of mensagens, oldest first. The cursor leads to older ones. Throws `naoEncontrado`. */
export async function listMensagensOf(
  tx: Tx,
  { contaId, id: conversaId, reader }: ConversaRef,
  page: Page,
): Promise<{ mensagens: Mensagem[]; proximoCursor?: string }> {
  if (!isUuid(conversaId)) throw new AppError('naoEncontrado')
  const older = { contaId, conversaId, before: page.before ?? LAST_ID, max: page.limite + 1 }
  // Both statements are sent in one round trip.
  const [served, rows] = await inOrder([findServed(tx, contaId, conversaId, reader), listPage(tx, older)])
  if (served === null) throw new AppError('naoEncontrado')
  const read = rows.map((row) => mensagemFromRow(row, nameOrPhone(served)))
  const { itens, ...rest } = cutPage(read, page)
  return { mensagens: itens.toReversed(), ...rest }
}

export async function readConversa(tx: Tx, { contaId, id, reader }: ConversaRef): Promise<Conversa> {
  const conversa = isUuid(id) ? await findAttendedConversa(tx, contaId, id, reader) : null
  if (conversa === null) throw new AppError('naoEncontrado')
  return conversa
}
