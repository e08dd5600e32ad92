import * as z from 'zod/mini'
import { WAIT_CLASSES_MIN } from '@balcao/contract/entities/relatorio'
import { type ConversaReader, SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Tx } from '#db/transaction.ts'
import { bindTo, readableSetorSql, readableSql } from '#modules/conversas/index.ts'

export interface ContaReader extends ConversaReader {
  readonly contaId: string
}

export async function readToday(tx: Tx, contaId: string, now: Date): Promise<{ fuso: string; hoje: string }> {
  const [conta] = await tx.rows(
    z.object({ fuso: z.string(), hoje: z.string() }),
    `select fuso, to_char($2::timestamptz at time zone fuso, 'YYYY-MM-DD') as hoje from contas where id = $1`,
    [contaId, now],
  )
  if (conta === undefined) throw new Error('conta not found')
  return conta
}

const rowSchema = z.object({
  /** A value of `GROUPING`. */
  grupo: z.number(),
  dia: z.nullable(z.string()),
  setor: z.nullable(z.string()),
  operadorId: z.nullable(z.string()),
  diaSemana: z.nullable(z.number()),
  hora: z.nullable(z.number()),
  conversas: z.number(),
  finalizadas: z.number(),
  primeiraRespostaMs: z.nullable(z.number()),
  resolucaoMs: z.nullable(z.number()),
  avaliacoes: z.number(),
  notaMedia: z.nullable(z.number()),
  silenciosas: z.number(),
  /** Answered conversas by class of waiting time, shortest first. */
  espera: z.array(z.number()),
})
export type NumbersRow = z.output<typeof rowSchema>

/** Bits of `grouping(dia, setor, operador_id, dia_semana, hora)`: 1 for each column that the group sums up. */
export const GROUPING = {
  total: 0b11111,
  dia: 0b01111,
  setor: 0b10111,
  operador: 0b11011,
  hora: 0b11110,
  mapa: 0b11100,
} as const

const WAIT_SQL = [0, ...WAIT_CLASSES_MIN]
  .map((from, index) => {
    const until = WAIT_CLASSES_MIN[index]
    const below = until === undefined ? '' : ` and resposta < ${until * 60}`
    return `count(*) filter (where resposta >= ${from * 60}${below})`
  })
  .join(', ')

/**
 * Facts of the period, each on its own local day: conversas on the day of the hand-off, ends on the day of the end,
 * ratings on their day. `$2` is the first day, `$3` the day after the last, `$4` the time zone. The bounds are
 * values, not columns, so each branch uses an index range. The arguments are the conditions of the reader.
 */
export const numbersSql = (readable: string, readableRating: string): string => `
with fatos as (
  select aguardando_desde as em, setor, operador_id, 1 as conversa, 0 as fim, false as silencio, null::numeric as resolucao,
         null::smallint as nota,
         case when primeira_resposta_em >= aguardando_desde
              then extract(epoch from primeira_resposta_em - aguardando_desde) end as resposta
    from conversas v
   where conta_id = $1 and protocolo is not null and not teste and status <> 'bot'
     and aguardando_desde >= $2::date::timestamp at time zone $4 and aguardando_desde < $3::date::timestamp at time zone $4
     and ${readable}
  union all
  select finalizada_em, setor, operador_id, 0, 1, motivo_fim = 'inatividade', extract(epoch from finalizada_em - aguardando_desde), null, null
    from conversas v
   where conta_id = $1 and protocolo is not null and not teste and status = 'finalizada'
     and finalizada_em >= $2::date::timestamp at time zone $4 and finalizada_em < $3::date::timestamp at time zone $4
     and ${readable}
  union all
  select criada_em, setor, operador_id, 0, 0, false, null, nota, null
    from avaliacoes a
   where conta_id = $1 and not teste
     and criada_em >= $2::date::timestamp at time zone $4 and criada_em < $3::date::timestamp at time zone $4
     and ${readableRating}
), locais as (
  select (em at time zone $4)::date as dia, extract(dow from em at time zone $4)::int as dia_semana,
         extract(hour from em at time zone $4)::int as hora, coalesce(setor, '${SETOR_GERAL}') as setor, operador_id,
         conversa, fim, silencio, resolucao, nota, resposta
    from fatos
)
select grouping(dia, setor, operador_id, dia_semana, hora) as grupo,
       to_char(dia, 'YYYY-MM-DD') as dia, setor, operador_id as "operadorId", dia_semana as "diaSemana", hora,
       coalesce(sum(conversa), 0) as conversas, coalesce(sum(fim), 0) as finalizadas,
       round(avg(resposta) * 1000)::float8 as "primeiraRespostaMs", round(avg(resolucao) * 1000)::float8 as "resolucaoMs",
       count(nota) as avaliacoes, avg(nota)::float8 as "notaMedia", count(*) filter (where silencio) as silenciosas,
       array[${WAIT_SQL}]::int[] as espera
  from locais
 group by grouping sets ((), (dia), (setor), (operador_id), (hora), (dia_semana, hora))`

/** How many scheduled messages of readable conversas were sent in the period. */
export async function countScheduledSent(tx: Tx, reader: ContaReader, span: ReportSpan): Promise<number> {
  const values: unknown[] = [reader.contaId, span.de, span.ateFora, span.fuso]
  const [row] = await tx.rows(
    z.object({ enviadas: z.number() }),
    `select count(*)::int as enviadas from agendadas a join conversas v on v.conta_id = $1 and v.id = a.conversa_id
     where a.conta_id = $1 and a.estado = 'enviada' and not v.teste
       and a.enviar_em >= $2::date::timestamp at time zone $4 and a.enviar_em < $3::date::timestamp at time zone $4
       and ${readableSql(reader, 'v', bindTo(values))}`,
    values,
  )
  return row?.enviadas ?? 0
}

/** How many conversas each operador serves now. */
export async function countServed(tx: Tx, reader: ContaReader): Promise<ReadonlyMap<string, number>> {
  const values: unknown[] = [reader.contaId]
  const rows = await tx.rows(
    z.object({ operador_id: z.string(), abertas: z.number() }),
    `select operador_id, count(*)::int as abertas from conversas v
     where conta_id = $1 and status = 'em_atendimento' and operador_id is not null and not teste
       and ${readableSql(reader, 'v', bindTo(values))}
     group by operador_id`,
    values,
  )
  return new Map(rows.map(({ operador_id: id, abertas }) => [id, abertas]))
}

export interface ReportSpan {
  readonly de: string
  /** The day after the last one. */
  readonly ateFora: string
  readonly fuso: string
}

/** Returns the numbers of a period by group. */
export async function readNumbers(
  tx: Tx,
  reader: ContaReader,
  { de, ateFora, fuso }: ReportSpan,
): Promise<NumbersRow[]> {
  const values: unknown[] = [reader.contaId, de, ateFora, fuso]
  const bind = bindTo(values)
  const text = numbersSql(readableSql(reader, 'v', bind), readableSetorSql(reader, 'a.setor', bind))
  return tx.rows(rowSchema, text, values)
}
