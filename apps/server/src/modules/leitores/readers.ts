import * as z from 'zod/mini'
import {
  type ConversaAccess,
  type ConversaReader,
  isRestricted,
  mayReadConversa,
  SETOR_GERAL,
} from '@balcao/contract/conversa-access'
import { type Conversa, type Situacao, situacaoSchema } from '@balcao/contract/entities/conversa'
import { lineOf } from '#db/statement/line.ts'
import { rawSql, type Sql, sql, value } from '#db/statement/sql.ts'
import type { ConversaAudience } from '#ports/realtime.ts'

/** The rule `mayReadConversa` for rows, for SQL and for the receivers of events. */

const SERVER = Symbol('server')

/** No other file has the symbol, so no reader of a person, such as a session, can be passed for the server. */
interface ServerReader {
  readonly [SERVER]: true
}

export const SERVER_READER: ServerReader = { [SERVER]: true }

export type AnyReader = ConversaReader | ServerReader

const isServer = (reader: AnyReader): reader is ServerReader => SERVER in reader

/** Where a conversa is and who serves it. */
export type PlacedConversa = ConversaAccess & { readonly linhaId: string }

export function mayReadRow(reader: AnyReader, row: PlacedConversa): boolean {
  return isServer(reader) || mayReadConversa(reader, row)
}

const setores = value('setores', 'text[]?')
const linhas = value('linhas', 'uuid[]?')
const linha = value('linha', 'uuid?')

const isServed = (row: string) =>
  sql`(${rawSql(row)}.status = 'em_atendimento' and ${rawSql(row)}.operador_id = ${value('leitor', 'uuid?')})`

/** `mayReadConversa` of a reader of all lines, as a condition on a row of `conversas`. */
export const readableInSetores = (row: string) => sql`(${setores} is null or ${ofSetores(row)} or ${isServed(row)})`

/** `mayReadConversa` and the requested line as a condition on a row of `conversas`, with the values of `readerValues`. */
export const readable = (row: string) => sql`(((${setores} is null or ${ofSetores(row)})
    and (${linhas} is null or ${lineOf(row)} = any (${linhas})) or ${isServed(row)})
  and (${linha} is null or ${lineOf(row)} = ${linha}))`

/** As `readable`, without the person, for a row that keeps its setor beside its `conversa_id`. */
export const readableOfConversa = (row: string) => sql`((${setores} is null or ${ofSetores(row)})
  and ((${linhas} is null and ${linha} is null) or (select (${linhas} is null or ${lineOf('w')} = any (${linhas}))
    and (${linha} is null or ${lineOf('w')} = ${linha})
    from conversas w where w.conta_id = ${rawSql(row)}.conta_id and w.id = ${rawSql(row)}.conversa_id)))`

const ofSetores = (row: string) => sql`coalesce(${rawSql(row)}.setor, '${rawSql(SETOR_GERAL)}') = any (${setores})`

/** `linha`: only conversas of this line. Null values set no condition. */
export function readerValues(reader: AnyReader, linha: string | null = null) {
  if (isServer(reader) || !isRestricted(reader)) return { linha, setores: null, linhas: null, leitor: null }
  const { setores: ids, linhas: lines, usuarioId } = reader
  return {
    linha,
    setores: ids.length === 0 ? null : [...ids, SETOR_GERAL],
    linhas: lines.length === 0 ? null : lines,
    leitor: usuarioId,
  }
}

export function audienceOf({ setor = null, linhaId, status, operadorId = null }: PlacedConversa): ConversaAudience {
  return { setores: [setor], linhaId, operadorId: status === 'em_atendimento' ? operadorId : null }
}

/** Without a line, only people of all lines receive the event. */
export function audienceOfView(conversa: Conversa): ConversaAudience {
  return audienceOf({ ...conversa, linhaId: conversa.linha?.id ?? '' })
}

const instantSql = <Values>(column: Sql<Values>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const situationSql = (row: string) => sql`(jsonb_strip_nulls(jsonb_build_object(
  'revisao', ${rawSql(row)}.revisao, 'status', ${rawSql(row)}.status,
  'setor', coalesce(${rawSql(row)}.setor, '${rawSql(SETOR_GERAL)}'), 'operadorId', ${rawSql(row)}.operador_id,
  'operador', ${rawSql(row)}.operador, 'naoLidas', ${rawSql(row)}.nao_lidas,
  'agenteMeta', nullif(${rawSql(row)}.agente_meta, false),
  'ultimaAtividade', ${instantSql(rawSql(`${row}.ultima_atividade`))}))
  || jsonb_build_object('semRespostaDesde', ${instantSql(rawSql(`${row}.sem_resposta_desde`))}))`

/** The columns of a changed row of `conversas v` for `situationsById`: JSON costs more than the rest of a batch's row. */
export const situationColumns = sql`v.id, v.revisao, v.status, v.setor, v.operador_id, v.operador, v.nao_lidas,
  v.agente_meta, v.ultima_atividade, v.sem_resposta_desde`

export const situationRowSchema = z.object({
  id: z.string(),
  revisao: z.int(),
  status: z.enum(['bot', 'aguardando', 'em_atendimento', 'finalizada']),
  setor: z.nullable(z.string()),
  operadorId: z.nullable(z.string()),
  operador: z.nullable(z.string()),
  naoLidas: z.int(),
  agenteMeta: z.boolean(),
  ultimaAtividade: z.date(),
  semRespostaDesde: z.nullable(z.date()),
})
export type SituationRow = z.output<typeof situationRowSchema>

/** As `situationSql` for many rows. Conversas of the bot have no situacao. */
export function situationsById(rows: readonly SituationRow[]): Map<string, Situacao> {
  const byId = new Map<string, Situacao>()
  for (const row of rows) {
    const situacao = toSituacao(row)
    if (situacao !== null) byId.set(row.id, situacao)
  }
  return byId
}

function toSituacao({ status, setor, operadorId, operador, agenteMeta, ...row }: SituationRow): Situacao | null {
  if (status === 'bot') return null
  return {
    ...{ revisao: row.revisao, status, setor: setor ?? SETOR_GERAL, naoLidas: row.naoLidas },
    ...(operadorId === null ? {} : { operadorId }),
    ...(operador === null ? {} : { operador }),
    ...(agenteMeta ? { agenteMeta: true } : {}),
    ultimaAtividade: row.ultimaAtividade.toISOString(),
    semRespostaDesde: row.semRespostaDesde?.toISOString() ?? null,
  }
}

export const changedConversaSchema = z.object({ id: z.string(), linhaId: z.string(), situacao: situacaoSchema })
export type ChangedConversa = z.output<typeof changedConversaSchema>

export const endedColumns = sql`v.id, ${lineOf('v')} as linha_id, v.setor, v.operador_id, v.revisao`

export const endedConversaSchema = z.object({
  id: z.string(),
  linhaId: z.string(),
  setor: z.nullable(z.string()),
  operadorId: z.nullable(z.string()),
  revisao: z.int(),
})
export type EndedConversa = z.output<typeof endedConversaSchema>

export function audienceOfEnded({ setor, linhaId, operadorId }: Omit<EndedConversa, 'revisao'>): ConversaAudience {
  return { setores: [setor], linhaId, operadorId }
}
