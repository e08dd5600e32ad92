import * as z from 'zod/mini'
import { WAIT_CLASSES_MIN } from '@balcao/contract/entities/relatorio'
import { type ConversaReader, SETOR_GERAL } from '@balcao/contract/conversa-access'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { type AnyReader, readable, readableOfConversa, readerValues } from '#modules/leitores/index.ts'

export interface ContaReader extends ConversaReader {
  readonly contaId: string
}

/** `linha`: only facts of this line. */
type OfLine = { readonly linha?: string | undefined }

const findToday = oneRow(
  'relatorio: find today',
  z.object({ fuso: z.string(), hoje: z.string() }),
  sql`select fuso, to_char(${value('now', 'timestamptz')} at time zone fuso, 'YYYY-MM-DD') as hoje
      from contas where id = ${contaId}`,
)

export async function readToday(tx: Tx, contaId: string, now: Date): Promise<{ fuso: string; hoje: string }> {
  const conta = await findToday(tx, { contaId, now })
  if (conta === null) throw new Error('conta not found')
  return conta
}

const rowSchema = z.object({
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
  semResposta: z.number(),
  /** Answered conversas by class of waiting time, shortest first. */
  classes: z.array(z.number()),
  medianaMs: z.nullable(z.number()),
  p90Ms: z.nullable(z.number()),
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

const WAIT_COUNTS = [0, ...WAIT_CLASSES_MIN]
  .map((from, index) => {
    const until = WAIT_CLASSES_MIN[index]
    const below = until === undefined ? '' : ` and resposta < ${until * 60}`
    return `count(*) filter (where resposta >= ${from * 60}${below})`
  })
  .join(', ')

export interface ReportSpan extends OfLine {
  readonly de: string
  /** The day after the last one. */
  readonly ateFora: string
  readonly fuso: string
}

const fuso = value('fuso', 'text')
const begin = sql`${value('de', 'date')}::timestamp at time zone ${fuso}`
const end = sql`${value('ateFora', 'date')}::timestamp at time zone ${fuso}`

/**
 * Facts are counted on their own local day: conversas on the day of the hand-off, ends on the day of the end, ratings on
 * their day. The bounds are values, not columns, so each branch uses an index range. A conversa that the shop began has
 * its first answer before its wait.
 */
const facts = sql`
  select aguardando_desde as em, setor, operador_id, 1 as conversa, 0 as fim, false as silencio, null::numeric as resolucao,
         null::smallint as nota, primeira_resposta_em is null as sem_resposta,
         case when primeira_resposta_em >= aguardando_desde
              then extract(epoch from primeira_resposta_em - aguardando_desde) end as resposta
    from conversas v
   where conta_id = ${contaId} and protocolo is not null and not teste and status <> 'bot'
     and aguardando_desde >= ${begin} and aguardando_desde < ${end}
     and ${readable('v')}
  union all
  select finalizada_em, setor, operador_id, 0, 1, motivo_fim = 'inatividade', extract(epoch from finalizada_em - aguardando_desde),
         null, false, null
    from conversas v
   where conta_id = ${contaId} and protocolo is not null and not teste and status = 'finalizada'
     and finalizada_em >= ${begin} and finalizada_em < ${end}
     and ${readable('v')}
  union all
  select criada_em, setor, operador_id, 0, 0, false, null, nota, false, null
    from avaliacoes a
   where conta_id = ${contaId} and not teste
     and criada_em >= ${begin} and criada_em < ${end}
     and ${readableOfConversa('a')}`

const sums = sql`
  coalesce(sum(conversa), 0) as conversas, coalesce(sum(fim), 0) as finalizadas,
  round(avg(resposta) * 1000)::float8 as primeira_resposta_ms, round(avg(resolucao) * 1000)::float8 as resolucao_ms,
  count(nota) as avaliacoes, avg(nota)::float8 as nota_media, count(*) filter (where silencio) as silenciosas,
  count(*) filter (where sem_resposta) as sem_resposta, array[${rawSql(WAIT_COUNTS)}]::int[] as classes,
  round(percentile_cont(0.5) within group (order by resposta) * 1000)::float8 as mediana_ms,
  round(percentile_cont(0.9) within group (order by resposta) * 1000)::float8 as p90_ms`

const listNumbers = manyRows(
  'relatorio: list numbers',
  rowSchema,
  sql`
with locais as (
  select (em at time zone ${fuso})::date as dia, extract(dow from em at time zone ${fuso})::int as dia_semana,
         extract(hour from em at time zone ${fuso})::int as hora, coalesce(f.setor, '${rawSql(SETOR_GERAL)}') as setor, operador_id,
         conversa, fim, silencio, resolucao, nota, sem_resposta, resposta
    from (${facts}) f
)
select grouping(dia, setor, operador_id, dia_semana, hora) as grupo,
       to_char(dia, 'YYYY-MM-DD') as dia, setor, operador_id, dia_semana, hora, ${sums}
  from locais
 group by grouping sets ((), (dia), (setor), (operador_id), (hora), (dia_semana, hora))`,
)

export function readNumbers(tx: Tx, reader: ContaReader, span: ReportSpan): Promise<NumbersRow[]> {
  return listNumbers(tx, { contaId: reader.contaId, ...span, ...readerValues(reader, span.linha) })
}

const totalSchema = z.omit(rowSchema, {
  ...{ grupo: true, dia: true, setor: true, operadorId: true, diaSemana: true, hora: true },
})
export type TotalRow = z.output<typeof totalSchema>

const findTotal = oneRow('relatorio: find total', totalSchema, sql`select ${sums} from (${facts}) f`)

export function readTotal(
  tx: Tx,
  reader: AnyReader & Pick<ContaReader, 'contaId'>,
  span: ReportSpan,
): Promise<TotalRow | null> {
  return findTotal(tx, { contaId: reader.contaId, ...span, ...readerValues(reader, span.linha) })
}

const countScheduled = oneValue(
  'relatorio: count scheduled',
  z.int(),
  sql`select count(*)::int as value from agendadas a
      join conversas v on v.conta_id = ${contaId} and v.id = a.conversa_id
      where a.conta_id = ${contaId} and a.estado = 'enviada' and not v.teste
        and a.enviar_em >= ${begin} and a.enviar_em < ${end} and ${readable('v')}`,
)

export function countScheduledSent(tx: Tx, reader: ContaReader, span: ReportSpan): Promise<number> {
  return countScheduled(tx, { contaId: reader.contaId, ...span, ...readerValues(reader, span.linha) })
}

const listServed = manyRows(
  'relatorio: count served',
  z.object({ operadorId: z.string(), abertas: z.int() }),
  sql`select operador_id, count(*)::int as abertas from conversas v
      where conta_id = ${contaId} and status = 'em_atendimento' and operador_id is not null and not teste
        and ${readable('v')}
      group by operador_id`,
)

export async function countServed(
  tx: Tx,
  reader: ContaReader,
  { linha }: OfLine,
): Promise<ReadonlyMap<string, number>> {
  const rows = await listServed(tx, { contaId: reader.contaId, ...readerValues(reader, linha) })
  return new Map(rows.map(({ operadorId, abertas }) => [operadorId, abertas]))
}
