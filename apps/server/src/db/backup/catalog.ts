import { escapeIdentifier, type PoolClient } from 'pg'

export interface TableInfo {
  readonly nome: string
  readonly colunas: readonly string[]
  /** FORCE ROW LEVEL SECURITY is set: the table's policies bind its owner too. */
  readonly forcada: boolean
}

/**
 * Lists the tables of schema `public`, each after the tables its foreign keys point at. Leaves out `migracoes`, the tasks
 * of nodes, the packets between them, the files of the panel, which each start stores again, the words of the search,
 * which a task reads again, and logins between two steps, which last five minutes.
 */
export async function listTables(client: PoolClient): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo & { depende: string[] }>(
    `SELECT c.relname::text AS nome, c.relforcerowsecurity AS forcada,
       array(SELECT a.attname::text FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
              ORDER BY a.attnum) AS colunas,
       array(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
              WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS depende
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('migracoes', 'tarefas', 'recados', 'painel_versoes', 'painel_arquivos',
       'busca_mensagens', 'busca_contas', 'busca_palavras', 'busca_notas', 'desafios')
     ORDER BY c.relname`,
  )
  const sorted: TableInfo[] = []
  const done = new Set<string>()
  while (sorted.length < rows.length) {
    const prontas = rows.filter(({ nome, depende }) => !done.has(nome) && depende.every((other) => done.has(other)))
    if (prontas.length === 0) throw new Error('foreign keys form a cycle')
    for (const { nome, colunas, forcada } of prontas) {
      sorted.push({ nome, colunas, forcada })
      done.add(nome)
    }
  }
  return sorted
}

export async function listSequences(client: PoolClient): Promise<{ nome: string; ultimo: number | null }[]> {
  const { rows } = await client.query<{ nome: string; ultimo: number | null }>(
    `SELECT sequencename::text AS nome, last_value AS ultimo FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  )
  return rows
}

export function copyTarget({ nome, colunas }: Pick<TableInfo, 'nome' | 'colunas'>): string {
  return `${escapeIdentifier(nome)} (${colunas.map((column) => escapeIdentifier(column)).join(', ')})`
}
