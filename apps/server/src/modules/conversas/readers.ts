import * as z from 'zod/mini'
import { type ConversaReader, isRestricted, mayReadConversa, SETOR_GERAL } from '@balcao/contract/conversa-access'
import { type Conversa, situacaoSchema } from '@balcao/contract/entities/conversa'
import { textArray } from '#db/arrays.ts'
import type { ConversaAudience } from '#ports/realtime.ts'

/** The rule `mayReadConversa` for rows, for SQL and for the receivers of events. */

interface AccessRow {
  readonly setor: string | null
  readonly status: string
  readonly operador_id: string | null
}

export function mayReadRow(reader: ConversaReader, { setor, status, operador_id: operadorId }: AccessRow): boolean {
  return mayReadConversa(reader, { setor, status, operadorId })
}

/** Adds a value to a statement and returns its placeholder. */
export type BindValue = (value: unknown) => string

export function bindTo(values: unknown[]): BindValue {
  return (value) => `$${values.push(value)}`
}

/** `mayReadSetor` as an SQL condition. */
export function readableSetorSql(reader: ConversaReader, column: string, bind: BindValue): string {
  if (!isRestricted(reader)) return 'true'
  return `coalesce(${column}, '${SETOR_GERAL}') = any (${bind(textArray([...reader.setores, SETOR_GERAL]))}::text[])`
}

/** `mayReadConversa` as an SQL condition on a row of `conversas`. */
export function readableSql(reader: ConversaReader, row: string, bind: BindValue): string {
  if (!isRestricted(reader)) return 'true'
  const served = `${row}.status = 'em_atendimento' and ${row}.operador_id = ${bind(reader.usuarioId)}::uuid`
  return `(${readableSetorSql(reader, `${row}.setor`, bind)} or (${served}))`
}

/** The receivers of an event of this conversa. */
export function audienceOf({ setor, status, operador_id: operadorId }: AccessRow): ConversaAudience {
  return { setores: [setor], operadorId: status === 'em_atendimento' ? operadorId : null }
}

export function audienceOfConversa({ setor, status, operadorId }: Conversa): ConversaAudience {
  return audienceOf({ setor, status, operador_id: operadorId ?? null })
}

/** The `situacao` of a row of `conversas` as JSON. `row` ends with a dot or is empty. */
export const situationSql = (row: string): string => `jsonb_strip_nulls(jsonb_build_object(
  'revisao', ${row}revisao, 'status', ${row}status, 'setor', coalesce(${row}setor, '${SETOR_GERAL}'),
  'operadorId', ${row}operador_id, 'operador', ${row}operador, 'naoLidas', ${row}nao_lidas,
  'agenteMeta', nullif(${row}agente_meta, false),
  'ultimaAtividade', to_char(${row}ultima_atividade at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`

export const changedConversaSchema = z.object({ id: z.string(), situacao: situacaoSchema })
/** A conversa after a change. */
export type ChangedConversa = z.output<typeof changedConversaSchema>

/** A conversa with people that ended or was deleted. */
export const endedConversaSchema = z.object({
  id: z.string(),
  setor: z.nullable(z.string()),
  operador_id: z.nullable(z.string()),
  revisao: z.int(),
})
export type EndedConversa = z.output<typeof endedConversaSchema>

export function audienceOfEnded({ setor, operador_id: operadorId }: Omit<EndedConversa, 'revisao'>): ConversaAudience {
  return { setores: [setor], operadorId }
}
