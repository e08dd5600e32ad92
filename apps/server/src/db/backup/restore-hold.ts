import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'

const TABLE_MIGRATION = join(import.meta.dirname, '..', '..', '..', 'migrations', '0077_restauracoes.sql')

/** SQL condition: the import of a backup has no decision yet. Then nothing leaves: no bot starts, and no mail, notice or timer is due. */
export const RESTORE_PENDING_SQL = 'exists (select 1 from restauracoes where decidida_em is null)'

/** SQL condition: a mail is neither sent nor given up. The tenth failed attempt is the last one. */
export const MAIL_WAITING_SQL = 'enviado_em is null and tentativas < 10'

export interface RestoredWork {
  readonly mensagens: number
  readonly emails: number
  readonly bots: number
}

/**
 * Marks the import in its own transaction, so that no server starts with the rows and without the mark. The database
 * still has the version of the file, which may lack newer tables. With `consent` the import
 * counts as decided: send. Returns the work that the backup contained.
 */
export async function markImport(
  client: PoolClient,
  { madeAt, consent }: { readonly madeAt: string; readonly consent: boolean },
): Promise<RestoredWork> {
  if (!(await hasTable(client, 'restauracoes'))) await client.query(await readFile(TABLE_MIGRATION, 'utf8'))
  // The decision applies to the rows up to `importada_em`, in milliseconds as JavaScript reads it. A deferred row has a
  // later instant.
  const now = "date_trunc('milliseconds', now())"
  await client.query(`update saida set proxima_em = ${now} where proxima_em > ${now}`)
  // The processes of the backup do not run here.
  const bots = (await hasTable(client, 'linhas_bots')) ? 'linhas_bots' : 'bots'
  await client.query(`update ${bots} set no = null where no is not null`)
  if (await hasTable(client, 'nos')) await client.query('delete from nos')
  // Each task is due again, such as the comparison of the marks of erased customers.
  if (await hasTable(client, 'tarefas')) await client.query('delete from tarefas')
  await client.query(`insert into restauracoes (copia_de, importada_em) values ($1, ${now})`, [madeAt])
  if (consent) {
    await client.query("update restauracoes set decidida_em = now(), decisao = 'enviar' where decidida_em is null")
  }
  const { rows } = await client.query<RestoredWork & Record<string, unknown>>(
    `select (select count(*) from saida) as mensagens,
       (select count(*) from emails where ${MAIL_WAITING_SQL} and criado_em > now() - interval '3 days') as emails,
       (select count(*) from ${bots} where desejado) as bots`,
  )
  const [work] = rows
  if (work === undefined) throw new Error('counts query without a row')
  return work
}

/** Marks a database that was restored by other means, such as to a point in time. No server may use it. */
export async function markRestored(owner: Pool, madeAt: string): Promise<RestoredWork> {
  const client = await owner.connect()
  try {
    await client.query("begin; set local statement_timeout = 0; set local app.contas = '*'")
    if (!(await hasTable(client, 'migracoes'))) throw new Error('O banco de dados nunca foi usado.')
    const work = await markImport(client, { madeAt, consent: false })
    await client.query('commit')
    return work
  } finally {
    client.release(true)
  }
}

async function hasTable(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name])
  return rows[0]?.exists === true
}
