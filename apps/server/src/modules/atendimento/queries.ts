import * as z from 'zod/mini'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Conversa, StatusConversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { contaId, rawSql, sql, type Sql, value } from '#db/statement/sql.ts'
import { inOrder, manyRows, oneValue, type StatementRunner } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { cutPage, limitSearch, type Page } from '#http/page.ts'
import { isUuid } from '#lib/text.ts'
import {
  type ConversaRow,
  conversaRowSchema,
  selectConversasOfConta,
  findAttendedConversa,
  findServed,
  toConversas,
} from '#modules/conversas/index.ts'
import { nameOrPhone } from '#modules/enderecos/index.ts'
import { readable, readableInSetores, readerValues } from '#modules/leitores/index.ts'
import { mensagemColumns, mensagemFromRow, mensagemRowSchema } from '#modules/mensagens/index.ts'
import type { ConversaRef } from './conversa/change.ts'

export interface ConversaPage {
  readonly limite: number
  /** Last activity and id of the last conversa on the page before. */
  readonly depoisDe: { readonly em: string; readonly id: string } | null
}

interface EtiquetaFilter {
  readonly id: string
  readonly rare: boolean
}

interface ConversaRequest extends Omit<ConversaFilter, 'etiqueta'> {
  readonly etiqueta?: string | undefined
}

export interface ConversaFilter {
  readonly status?: StatusConversa | 'todos' | undefined
  readonly setor?: string | undefined
  readonly busca?: string | undefined
  readonly etiqueta?: EtiquetaFilter | undefined
  readonly operador?: string | null | undefined
  readonly linha?: string | undefined
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

const OPEN_STATUSES = ['aguardando', 'em_atendimento'] as const

interface ListVariant {
  readonly statuses: 1 | 2
  readonly setor: boolean
  readonly operador: boolean
  readonly etiqueta: 'none' | 'begin' | 'filter'
  readonly search: boolean
  /** The index of the list lacks the line. */
  readonly lines: boolean
}

const nameOf = ({ statuses, setor, operador, etiqueta, search, lines }: ListVariant): string =>
  `conversas-${statuses}${setor ? 's' : ''}${operador ? 'o' : ''}${etiqueta === 'none' ? '' : etiqueta[0]}${search ? 't' : ''}${lines ? 'l' : ''}`

/**
 * The planner expects one of three rows to fulfil the condition, so it reads the index in the order of the list. For a
 * rare value it would sort rows of another index, which lacks the columns.
 */
export const probably = <Values>(condition: Sql<Values>) => sql`coalesce(${condition}, false)`

const etiqueta = value('etiqueta', 'uuid')
const limite = value('limite', 'int')
const ORDER = sql`order by v.ultima_atividade desc, v.id desc`

/** `offset 0` keeps the planner from reading the whole list in its order. */
const conversasOfEtiqueta = sql`(
  select contato_id from contatos_etiquetas where conta_id = ${contaId} and etiqueta_id = ${etiqueta}
) t cross join lateral (select * from conversas v where v.conta_id = ${contaId} and v.contato_id = t.contato_id offset 0) v`

/**
 * PostgreSQL reads the contatos of the etiqueta once into a hash table. Without `coalesce` the planner would turn `in`
 * into a join that reads the etiquetas of each conversa.
 */
const hasEtiqueta = probably(sql`v.contato_id in (
  select t.contato_id from contatos_etiquetas t where t.conta_id = ${contaId} and t.etiqueta_id = ${etiqueta})`)

/** Names without multi-byte characters skip the slow `normalize`. */
const FOLDED_NAME = rawSql(String.raw`case when octet_length(c.nome) = char_length(c.nome) then c.nome
  else regexp_replace(normalize(c.nome, nfd), '[\u0300-\u036f]', '', 'g') end`)
const name = value('name', 'text?')
const userName = value('userName', 'text?')

export const isFound = sql`(${userName} is null or c.nome_usuario like ${userName})
  and (${name} is null or ${FOLDED_NAME} ilike ${name} or c.nome_usuario ilike ${name}
    or c.telefone like ${value('digits', 'text?')})`

export function searchValues(search: string) {
  const found = { name: null, userName: null, digits: null }
  if (search === '') return found
  const part = foldAccents(search).replaceAll(/[\\%_]/g, String.raw`\$&`)
  if (part.startsWith('@')) return { ...found, userName: `${part.slice(1).toLowerCase()}%` }
  const digits = search.replaceAll(/[\s().+-]/g, '')
  return { ...found, name: `%${part}%`, digits: /^\d+$/.test(digits) ? `%${digits}%` : null }
}

function listSql({ statuses, setor, operador, etiqueta, search, lines }: ListVariant) {
  const source = etiqueta === 'begin' ? conversasOfEtiqueta : sql`conversas v`
  const conditions = sql`v.conta_id = ${contaId} and v.protocolo is not null and ${probably(lines ? readable('v') : readableInSetores('v'))}
    and (v.ultima_atividade, v.id) < (${value('em', 'timestamptz')}, ${value('depoisDe', 'uuid')})
    ${setor ? sql`and v.setor = ${value('setor', 'text')}` : sql``}
    ${operador ? sql`and ${probably(sql`v.operador_id is not distinct from ${value('operador', 'uuid?')}`)}` : sql``}
    ${etiqueta === 'filter' ? sql`and ${hasEtiqueta}` : sql``} ${search ? sql`and ${probably(isFound)}` : sql``}`
  const scanOf = <Values>(status: Sql<Values>) => {
    const rows = sql`from ${source}
      ${search ? sql`join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id` : sql``}
      where v.status = ${status} and ${conditions} ${ORDER} limit ${limite}`
    const filtersIndex = !lines && (etiqueta === 'filter' || (operador && etiqueta === 'none'))
    return filtersIndex ? rowsOfIds(rows) : sql`select v.* ${rows}`
  }
  const first = scanOf(sql`${value('status', 'text')}`)
  const scans =
    statuses === 1 ? sql`(${first})` : sql`(${first}) union all (${scanOf(sql`${value('status2', 'text')}`)})`
  return sql`${selectConversasOfConta(sql`(select * from (${scans}) v ${ORDER} limit ${limite})`)} ${ORDER}`
}

/** Finds the page in the index `conversas_atividade` alone, which has all columns of the filters, and reads its rows. */
const rowsOfIds = <Values>(rows: Sql<Values>) => sql`select v.* from (select v.id ${rows}) p
  cross join lateral (select * from conversas v where v.conta_id = ${contaId} and v.id = p.id offset 0) v`

const BOTH = [false, true] as const

const prepareList = (variant: ListVariant) =>
  manyRows(nameOf(variant), conversaRowSchema, listSql(variant), { prepared: true, planner: 'indexes' })

const LISTS: ReadonlyMap<string, ReturnType<typeof prepareList>> = new Map(
  ([1, 2] as const).flatMap((statuses) =>
    (['none', 'begin', 'filter'] as const).flatMap((etiqueta) =>
      BOTH.flatMap((setor) =>
        BOTH.flatMap((operador) =>
          BOTH.flatMap((search) =>
            BOTH.map((lines) => {
              const variant = { statuses, setor, operador, etiqueta, search, lines }
              return [nameOf(variant), prepareList(variant)] as const
            }),
          ),
        ),
      ),
    ),
  ),
)

const LAST_EM = new Date('9999-12-31T00:00:00.000Z')
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const FIRST_PAGE = { em: LAST_EM, depoisDe: LAST_ID }

export function listPage(
  tx: StatementRunner,
  contaId: string,
  filter: Omit<ConversaFilter, 'mensagens'>,
): Promise<ConversaRow[]> {
  const name = nameOf(variantOf(filter))
  const list = LISTS.get(name)
  if (list === undefined) throw new Error(`no statement ${name}`)
  return list(tx, { contaId, ...valuesOf(filter) })
}

const searchOf = ({ busca = '' }: Pick<ConversaFilter, 'busca'>): string => busca.trim()

function variantOf({ status = 'todos', setor, operador, etiqueta, busca, linha, reader }: ConversaFilter): ListVariant {
  return {
    statuses: status === 'todos' ? 2 : 1,
    setor: setor !== undefined,
    operador: operador !== undefined,
    etiqueta: etiqueta === undefined ? 'none' : etiqueta.rare ? 'begin' : 'filter',
    search: searchOf({ busca }) !== '',
    lines: linha !== undefined || reader.linhas.length > 0,
  }
}

/** A statement leaves out the values that it does not name. */
function valuesOf({
  status = 'todos',
  setor = '',
  operador = null,
  etiqueta,
  busca,
  linha,
  reader,
  pagina,
}: ConversaFilter) {
  const [first, second] = status === 'todos' ? OPEN_STATUSES : [status, status]
  const { limite, depoisDe } = pagina
  return {
    ...{ status: first, status2: second, setor, operador, etiqueta: etiqueta?.id ?? LAST_ID },
    ...(depoisDe === null ? FIRST_PAGE : { em: new Date(depoisDe.em), depoisDe: depoisDe.id }),
    ...{ limite: limite + 1, ...searchValues(searchOf({ busca })), ...readerValues(reader, linha) },
  }
}

const RARE_ETIQUETA = 500

const countContatos = oneValue(
  'atendimento: count of etiqueta',
  z.int(),
  sql`select count(*)::int as value from (
        select from contatos_etiquetas where conta_id = ${contaId} and etiqueta_id = ${etiqueta}
        limit ${rawSql(String(RARE_ETIQUETA))}) t`,
  { prepared: true, planner: 'indexes' },
)

/** With many contatos the index of the list is read in its order until the page is full, at worst a whole status. */
async function findEtiquetaFilter(tx: Tx, contaId: string, id: string): Promise<EtiquetaFilter> {
  return { id, rare: (await countContatos(tx, { contaId, etiqueta: id })) < RARE_ETIQUETA }
}

export const SLOW_SEARCH = 'A busca demorou demais. Escreva mais do nome ou o telefone inteiro.'

/** Finished ones only by filter. Conversas that only the bot served are excluded. */
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
  const readAll = async (): Promise<Conversa[]> => toConversas(tx, await listPage(tx, contaId, filtro), mensagens)
  const read = await (filtro.busca === undefined ? readAll() : limitSearch(tx, SLOW_SEARCH, readAll))
  const conversas = read.slice(0, limite)
  const last = conversas.at(-1)
  if (read.length <= limite || last === undefined) return { conversas }
  return { conversas, proximoCursor: `${last.ultimaAtividade}_${last.id}` }
}

const listMensagens = manyRows(
  'conversa-mensagens',
  mensagemRowSchema,
  sql`select ${mensagemColumns} from mensagens m
where m.conta_id = ${contaId} and m.conversa_id = ${value('conversaId', 'uuid')} and m.id < ${value('before', 'uuid')}
order by m.id desc limit ${value('max', 'int')}`,
  { prepared: true },
)

/** Oldest first. The cursor leads to older ones. Throws `naoEncontrado`. */
export async function listMensagensOf(
  tx: Tx,
  { contaId, id: conversaId, reader }: ConversaRef,
  page: Page,
): Promise<{ mensagens: Mensagem[]; proximoCursor?: string }> {
  if (!isUuid(conversaId)) throw new AppError('naoEncontrado')
  const older = { contaId, conversaId, before: page.before ?? LAST_ID, max: page.limite + 1 }
  const [served, rows] = await inOrder([findServed(tx, contaId, conversaId, reader), listMensagens(tx, older)])
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
