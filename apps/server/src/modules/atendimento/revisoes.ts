import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { readable, readerValues } from '#modules/leitores/index.ts'

const revisoesSchema = z.object({ total: z.number(), revisoes: z.number() })

const countRevisoes = oneRow(
  'revisoes',
  revisoesSchema,
  sql`select count(*)::int as total, coalesce(sum(v.revisao), 0) as revisoes from conversas v
    where v.conta_id = ${contaId} and v.protocolo is not null and v.status in ('aguardando', 'em_atendimento')
      and v.ultima_atividade >= coalesce(${value('desde', 'timestamptz?')}, '-infinity') and ${readable('v')}`,
  { prepared: true },
)

export async function readRevisoes(
  tx: Tx,
  {
    contaId,
    reader,
    desde,
  }: { readonly contaId: string; readonly reader: ConversaReader; readonly desde?: string | undefined },
): Promise<z.output<typeof revisoesSchema>> {
  const since = desde === undefined ? null : new Date(desde)
  const counted = await countRevisoes(tx, { contaId, desde: since, ...readerValues(reader) })
  return counted ?? { total: 0, revisoes: 0 }
}
