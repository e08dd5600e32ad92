import type { PoolClient } from 'pg'

/** Extensions of the search. The working role uses them in this schema. */
const EXTENSIONS = ['unaccent', 'pg_trgm', 'btree_gin']
const SCHEMA = 'public'

/** Creates the extensions that are missing. Throws with the commands for the administrator of the database. */
export async function ensureExtensions(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ nome: string; esquema: string }>(
    'SELECT extname AS nome, extnamespace::regnamespace::text AS esquema FROM pg_extension WHERE extname = ANY ($1)',
    [EXTENSIONS],
  )
  const schemas = new Map(rows.map(({ nome, esquema }) => [nome, esquema]))
  const commands = EXTENSIONS.filter((name) => schemas.get(name) !== SCHEMA).map((name) =>
    schemas.has(name)
      ? `ALTER EXTENSION ${name} SET SCHEMA ${SCHEMA};`
      : `CREATE EXTENSION IF NOT EXISTS ${name} SCHEMA ${SCHEMA};`,
  )
  try {
    for (const command of commands) await client.query(command)
  } catch (error) {
    throw new Error(
      'A busca precisa de extensões que o usuário do banco não pode criar; peça a um administrador do banco que execute ' +
        `nele como superusuário: ${commands.join(' ')}`,
      { cause: error },
    )
  }
}
