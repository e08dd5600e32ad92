import type { PoolClient } from 'pg'

/** Role of every ordinary connection. It owns nothing, so row-level security binds it. */
export const APP_ROLE = 'balcao_app'

/** Creates the role if it is missing. Throws with the command for the administrator of the database. */
export async function ensureRole(client: PoolClient): Promise<void> {
  if (await mayWorkAs(client)) return
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE])
    if (rowCount === 0) await client.query(`CREATE ROLE ${APP_ROLE} NOLOGIN NOBYPASSRLS`)
    await client.query(`GRANT ${APP_ROLE} TO CURRENT_USER`)
  } catch (error) {
    const { rows } = await client.query<{ usuario: string }>('SELECT quote_ident(current_user) AS usuario')
    const command = `CREATE ROLE ${APP_ROLE} NOLOGIN; GRANT ${APP_ROLE} TO ${rows[0]?.usuario ?? ''};`
    throw new Error(`O usuário do banco não pode criar papéis. Peça a um administrador do banco: ${command}`, {
      cause: error,
    })
  }
}

/** True if the role exists and this user may take it. Then the right to create roles is not needed. */
async function mayWorkAs(client: PoolClient): Promise<boolean> {
  try {
    await client.query(`SET ROLE ${APP_ROLE}`)
    await client.query('RESET ROLE')
    return true
  } catch {
    return false
  }
}

export async function lacksRights(client: PoolClient): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_tables WHERE schemaname = 'public'
       AND NOT has_table_privilege($1, format('%I.%I', schemaname, tablename), 'SELECT') LIMIT 1`,
    [APP_ROLE],
  )
  return rowCount !== 0
}

/** Grants all rights to the working role, except update and delete where a migration says `-- append-only: tabela`. */
export async function grantRights(client: PoolClient, migrations: readonly { readonly sql: string }[]): Promise<void> {
  const somenteInclui = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/^-- append-only: (\w+)$/gm)].map(([, name = '']) => name),
  )
  // Grants and revokes in one transaction, so that running nodes never lack a right.
  await client.query(`BEGIN;
    GRANT USAGE ON SCHEMA public TO ${APP_ROLE};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${APP_ROLE};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${APP_ROLE};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${APP_ROLE};
    REVOKE INSERT, UPDATE, DELETE ON migracoes FROM ${APP_ROLE};
    ${somenteInclui.map((table) => `REVOKE UPDATE, DELETE ON ${table} FROM ${APP_ROLE};`).join(' ')}
    COMMIT`)
}
