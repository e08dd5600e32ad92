import * as z from 'zod/mini'
import { CONECTORES, CORES_SETOR } from '@balcao/contract/constants'
import { contaId, sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'

export const lineFactsSchema = z.object({
  id: z.string(),
  nome: z.string(),
  /** Null for the main line: `whatsapp.conector` of the settings. */
  conector: z.nullable(z.enum(CONECTORES)),
  principal: z.boolean(),
  cor: z.enum(CORES_SETOR),
  setor: z.string(),
  ativa: z.boolean(),
  removida: z.boolean(),
})
export type LineFacts = z.output<typeof lineFactsSchema>

/** The lines of an account, also deleted ones, which are inactive. */
export const listLineFacts = manyRows(
  'linhas: list facts',
  lineFactsSchema,
  sql`
select id, nome, conector, principal, cor, setor, ativa, removida_em is not null as removida from linhas where conta_id = ${contaId}
union all
select ${contaId}, 'Principal', null, true, 'blue', '', true, false
where not exists (select from linhas where conta_id = ${contaId} and id = ${contaId})`,
  { prepared: true },
)
