import { escapeIdentifier, escapeLiteral, type PoolClient } from 'pg'
import { requireContaId } from '#lib/file-names.ts'
import { listTables, type TableInfo } from '../read-tables.ts'

export interface ContaTable extends TableInfo {
  readonly condition: string
  /** Column that each database numbers itself. It orders the rows. Null: none. */
  readonly numbered: string | null
}

interface ColumnRow {
  readonly tabela: string
  readonly coluna: string
  readonly numerada: boolean
  readonly usuario: boolean
  readonly obrigatoria: boolean
  /** The table of the lines that a foreign key points at. */
  readonly pai: string | null
}

/**
 * Lists the tables that hold rows of one conta, each after the tables its foreign keys point at: `contas`, tables
 * with `conta_id`, and tables that reference `usuarios`. Throws on an invalid id.
 */
export async function listContaTables(client: PoolClient, contaId: string): Promise<ContaTable[]> {
  requireContaId(contaId)
  const { rows } = await client.query<ColumnRow>(
    `select c.relname::text as tabela, a.attname::text as coluna, a.attidentity <> '' as numerada,
       exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
                 and k.conkey = array[a.attnum] and k.confrelid = 'usuarios'::regclass) as usuario,
       a.attnotnull as obrigatoria,
       (select k.confrelid::regclass::text from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'
          and k.conkey = array[a.attnum] and a.attname = 'linha_id') as pai
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  const columns = Map.groupBy(rows, ({ tabela }) => tabela)
  return (await listTables(client)).flatMap((table) => {
    const own = columns.get(table.nome) ?? []
    const condition = conditionOf(table, own, escapeLiteral(contaId))
    const numbered = own.find(({ numerada }) => numerada)?.coluna ?? null
    return condition === null ? [] : [{ ...table, condition, numbered }]
  })
}

function conditionOf({ nome, colunas }: TableInfo, columns: readonly ColumnRow[], id: string): string | null {
  if (nome === 'contas') return `id = ${id}`
  const conta = columns.find(({ coluna }) => coluna === 'conta_id')
  const lines = columns.find(({ pai }) => pai !== null)?.pai ?? null
  if (conta?.obrigatoria === false && lines !== null) {
    // Rows from before there were lines have no account. Their first line has its id.
    const own = `linha_id in (select linha_id from ${lines} where conta_id = ${id})`
    return `${own} and coalesce(conta_id, linha_id) = ${id}`
  }
  if (colunas.includes('conta_id')) return `conta_id = ${id}`
  const person = columns.find(({ usuario }) => usuario)
  if (person === undefined) return null
  return `${escapeIdentifier(person.coluna)} in (select id from usuarios where conta_id = ${id})`
}

export function contaSource({ nome, colunas, condition }: Pick<ContaTable, 'nome' | 'colunas' | 'condition'>): string {
  return `(SELECT ${columnList(colunas)} FROM ${escapeIdentifier(nome)} WHERE ${condition})`
}

export function columnList(columns: readonly string[]): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ')
}
