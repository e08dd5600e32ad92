import * as z from 'zod/mini'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { SearchTerm } from '@balcao/engine/search/words'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import { firstIdAt } from '#ids.ts'
import { readerValues } from '#modules/leitores/index.ts'

export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** Greater than every UUIDv7. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export interface SearchPlan {
  readonly contaId: string
  readonly reader: ConversaReader
  /** Only conversas of this line. */
  readonly linha?: string | undefined
  readonly terms: readonly SearchTerm[]
  /** Only texts with smaller ids. */
  readonly before: string
  readonly limit: number
}

export const before = value('before', 'uuid')
export const limit = sql`limit ${value('limit', 'int')}`

export const valuesOf = ({ reader, linha, terms: _, ...page }: SearchPlan) => ({
  ...page,
  ...readerValues(reader, linha),
})

export function newest(ids: readonly string[], max: number): string[] {
  return [...new Set(ids)].toSorted((one, other) => (one < other ? 1 : -1)).slice(0, max)
}

/**
 * The task read the texts up to `ate`, except those below `oldestBelow`. The first check that stores the words of notas
 * reads all texts that the index lacks.
 */
export const findProgress = oneRow(
  'busca: find progress',
  z.object({ ate: z.string(), oldestBelow: z.nullable(z.string()) }),
  sql`select ate, case when notas_rodada is null then '${rawSql(LAST_ID)}'
     when notas_rodada = rodada or completa_em is null then desde end as oldest_below
   from busca_contas where conta_id = ${contaId}`,
  { prepared: true, planner: 'indexes' },
)

export function idBefore(id: string, ms: number): string {
  return firstIdAt(new Date(Math.max(0, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - ms)))
}
