import * as z from 'zod/mini'
import type { Setor } from '@balcao/contract/entities/config'
import type { AtendimentoStats } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { readToday } from './numbers.ts'

const openSchema = z.object({ setor: z.string(), aguardando: z.number(), emAtendimento: z.number() })
const todaySchema = z.object({ finalizadasHoje: z.number(), tempoMedioRespostaMs: z.nullable(z.number()) })

export const OPEN_SQL = `
select coalesce(setor, 'geral') as setor, count(*) filter (where status = 'aguardando') as aguardando,
       count(*) filter (where status = 'em_atendimento') as "emAtendimento"
  from conversas
 where conta_id = $1 and protocolo is not null and status in ('aguardando', 'em_atendimento')
 group by 1`

export const TODAY_SQL = `
select (
  select count(*) from conversas
   where conta_id = $1 and protocolo is not null and status = 'finalizada'
     and finalizada_em >= $2::date::timestamp at time zone $3
) as "finalizadasHoje", (
  select round(avg(extract(epoch from primeira_resposta_em - aguardando_desde)) * 1000)::float8 from conversas
   where conta_id = $1 and protocolo is not null and not teste and status <> 'bot'
     and aguardando_desde >= $2::date::timestamp at time zone $3 and primeira_resposta_em >= aguardando_desde
) as "tempoMedioRespostaMs"`

/**
 * Current queue and today's numbers, in the time zone of the conta. `total` counts open conversas; the mean
 * response time covers customers handed over today. The counts include test conversas, the mean does not. All
 * setores are listed, in the order of the conta.
 */
export async function readQueueStats(
  tx: Tx,
  contaId: string,
  { setores, agora }: { readonly setores: readonly Setor[]; readonly agora: Date },
): Promise<AtendimentoStats> {
  const { fuso, hoje } = await readToday(tx, contaId, agora)
  const open = await tx.rows(openSchema, OPEN_SQL, [contaId])
  const [deHoje] = await tx.rows(todaySchema, TODAY_SQL, [contaId, hoje, fuso])
  const bySetor = new Map(open.map((line) => [line.setor, line]))
  const ids = new Set([...setores.map(({ id }) => id), ...bySetor.keys()])
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
