import * as z from 'zod/mini'
import { mayReadSetor, SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Setor } from '@balcao/contract/entities/config'
import type { AtendimentoStats } from '@balcao/contract/entities/atendimento-stats'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { readable, readerValues } from '#modules/leitores/index.ts'
import { type ContaReader, readToday } from './numbers.ts'

export const countOpen = manyRows(
  'relatorio: count open',
  z.object({ setor: z.string(), aguardando: z.number(), emAtendimento: z.number() }),
  sql`
select coalesce(v.setor, '${rawSql(SETOR_GERAL)}') as setor, count(*) filter (where v.status = 'aguardando') as aguardando,
       count(*) filter (where v.status = 'em_atendimento') as em_atendimento
  from conversas v
 where v.conta_id = ${contaId} and v.protocolo is not null and v.status in ('aguardando', 'em_atendimento')
   and ${readable('v')}
 group by 1`,
)

const startOfDay = sql`${value('hoje', 'date')}::timestamp at time zone ${value('fuso', 'text')}`

export const countToday = oneRow(
  'relatorio: count today',
  z.object({ finalizadasHoje: z.number(), tempoMedioRespostaMs: z.nullable(z.number()) }),
  sql`
select (
  select count(*) from conversas v
   where v.conta_id = ${contaId} and v.protocolo is not null and v.status = 'finalizada'
     and v.finalizada_em >= ${startOfDay} and ${readable('v')}
) as finalizadas_hoje, (
  select round(avg(extract(epoch from v.primeira_resposta_em - v.aguardando_desde)) * 1000)::float8 from conversas v
   where v.conta_id = ${contaId} and v.protocolo is not null and not v.teste and v.status <> 'bot'
     and v.aguardando_desde >= ${startOfDay} and v.primeira_resposta_em >= v.aguardando_desde
     and ${readable('v')}
) as tempo_medio_resposta_ms`,
)

/**
 * Current queue and today's numbers, in the time zone of the conta. `total` counts open conversas; the mean
 * response time covers customers handed over today. The counts include test conversas, the mean does not. All
 * setores that the reader may read are listed, in the order of the conta. Other conversas are not counted.
 */
export async function readQueueStats(
  tx: Tx,
  reader: ContaReader,
  { setores, agora }: { readonly setores: readonly Setor[]; readonly agora: Date },
): Promise<AtendimentoStats> {
  const { contaId } = reader
  const { fuso, hoje } = await readToday(tx, contaId, agora)
  const values = { contaId, fuso, hoje, ...readerValues(reader) }
  const open = await countOpen(tx, values)
  const deHoje = await countToday(tx, values)
  const bySetor = new Map(open.map((line) => [line.setor, line]))
  const listed = setores.filter(({ id }) => mayReadSetor(reader, id))
  const ids = new Set([...listed.map(({ id }) => id), ...bySetor.keys()])
  const sumOf = (count: (line: (typeof open)[number]) => number): number =>
    open.reduce((sum, line) => sum + count(line), 0)
  return {
    total: sumOf(({ aguardando, emAtendimento }) => aguardando + emAtendimento),
    aguardando: sumOf(({ aguardando }) => aguardando),
    emAtendimento: sumOf(({ emAtendimento }) => emAtendimento),
    finalizadasHoje: deHoje?.finalizadasHoje ?? 0,
    tempoMedioRespostaMs: deHoje?.tempoMedioRespostaMs ?? null,
    porSetor: [...ids].map((setor) => {
      const { aguardando = 0, emAtendimento = 0 } = bySetor.get(setor) ?? {}
      return { setor, total: aguardando + emAtendimento, aguardando }
    }),
  }
}
