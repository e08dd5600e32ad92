import * as z from 'zod/mini'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'

/** Null: the conversa was deleted. */
export const storeSummary = oneRow(
  'conversas: store resumo of the AI',
  z.object({
    linhaId: z.string(),
    setor: z.nullable(z.string()),
    status: z.enum(['bot', 'aguardando', 'em_atendimento', 'finalizada']),
    operadorId: z.nullable(z.string()),
  }),
  sql`update conversas v set resumo_ia = ${value('ia', 'text')} where v.conta_id = ${contaId} and v.id = ${value('id', 'uuid')}
      returning ${lineOf('v')} as linha_id, v.setor, v.status, v.operador_id`,
)
