/** Rules for a migration that runs beside nodes of the version before: no statement of theirs waits for long. */

interface Rule {
  readonly reason: string
  readonly pattern: RegExp
}

const TABLE = String.raw`(?:only )?(?:if exists )?"?(\w+)"?`

/** The first group of each pattern is the table. Tables that the file creates are empty and unknown to other nodes. */
const RULES: readonly Rule[] = [
  {
    reason: 'generated … stored rewrites the table',
    pattern: new RegExp(`alter table ${TABLE}[^;]*\\bstored\\b`, 'g'),
  },
  {
    reason: 'an index needs concurrently',
    pattern: /create (?:unique )?index (?!concurrently)(?:if not exists )?\w+ on (?:only )?"?(\w+)"?/g,
  },
  { reason: 'a change of type rewrites the table', pattern: new RegExp(`alter table ${TABLE}[^;]*\\btype\\b`, 'g') },
  {
    reason: 'a column that is not null needs a default',
    pattern: new RegExp(`alter table ${TABLE}[^;]*add column (?![^,;]*default)[^,;]*not null`, 'g'),
  },
  {
    reason: 'a volatile default rewrites the table',
    pattern: new RegExp(
      `alter table ${TABLE}[^;]*default (?:gen_random_uuid|uuidv7|random|clock_timestamp|nextval)`,
      'g',
    ),
  },
  {
    reason: 'a constraint needs not valid',
    pattern: new RegExp(`alter table ${TABLE}[^;]*add (?:constraint|check|foreign)(?![^;]*not valid)`, 'g'),
  },
  { reason: 'set not null reads the table', pattern: new RegExp(`alter table ${TABLE}[^;]*set not null`, 'g') },
  { reason: 'lock table stops running nodes', pattern: new RegExp(`lock table ${TABLE}`, 'g') },
  { reason: 'vacuum full and cluster rewrite the table', pattern: new RegExp(`(?:vacuum full|cluster) ${TABLE}`, 'g') },
]
const WRITES = new RegExp(`(?:update|delete from) ${TABLE}`, 'g')

/** Comments and bodies of functions say nothing about locks. */
function statementsOf(sql: string): string {
  return sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .trim()
}

export function createdTables(sql: string): string[] {
  return [...statementsOf(sql).matchAll(/create table (?:if not exists )?"?(\w+)"?/g)].map(([, name = '']) => name)
}

/** The reasons why the file may not run beside nodes of the version before. */
export function refusalsOf(sql: string, existing: ReadonlySet<string>): string[] {
  const statements = statementsOf(sql)
  const mode = sql.split('\n')[1]?.trimEnd() ?? ''
  const isExisting = (match: RegExpMatchArray): boolean => existing.has(match[1] ?? '')
  const broken = RULES.filter(({ pattern }) => [...statements.matchAll(pattern)].some(isExisting))
  const single = !/;./.test(statements)
  return [
    ...broken.map(({ reason }) => reason),
    ...(mode !== '-- em partes' && [...statements.matchAll(WRITES)].some(isExisting)
      ? ['rows are written "-- em partes"']
      : []),
    ...(mode !== '-- concorrente' && statements.includes(' concurrently ')
      ? ['the second line is "-- concorrente"']
      : []),
    ...(mode.startsWith('-- concorrente') || mode.startsWith('-- em partes')
      ? single
        ? []
        : ['has one statement only']
      : []),
  ]
}
