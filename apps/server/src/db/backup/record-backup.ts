import { stat } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'
import type { HeaderTable } from './format.ts'

/** Records a backup in `copias_seguranca`. Does nothing in an older database without this table. */
export async function recordBackup(
  owner: Pool | PoolClient,
  file: string,
  { tabelas, cifrada }: { readonly tabelas: readonly Pick<HeaderTable, 'linhas'>[]; readonly cifrada: boolean },
): Promise<void> {
  const { rows } = await owner.query<{ tem: boolean }>("select to_regclass('copias_seguranca') is not null as tem")
  if (rows[0]?.tem !== true) return
  const { size } = await stat(file)
  const lines = tabelas.reduce((sum, table) => sum + table.linhas, 0)
  await owner.query('insert into copias_seguranca (linhas, tabelas, bytes, cifrada) values ($1, $2, $3, $4)', [
    lines,
    tabelas.length,
    size,
    cifrada,
  ])
}
