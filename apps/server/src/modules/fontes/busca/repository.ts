import * as z from 'zod/mini'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'

const now = value('now', 'timestamptz')

/** Words of the sources with their pieces, and of all pieces. Empty: no source has one of the words. */
export const listKnownWords = manyRows(
  'fontes: list known words',
  z.object({ palavra: z.string(), trechos: z.int(), total: z.int() }),
  sql`select p.palavra, sum(p.trechos)::int as trechos, (
      select coalesce(sum(f.trechos), 0)::int from fontes f where f.conta_id = ${contaId}
    ) as total
    from fontes_palavras p where p.conta_id = ${contaId} and p.palavra = any (${value('words', 'text[]')})
    group by p.palavra`,
  { prepared: true },
)

export const listSimilarWords = manyRows(
  'fontes: list similar words',
  z.object({ procurada: z.string(), palavra: z.string(), trechos: z.int() }),
  sql`select procurada, palavra, trechos from fontes_parecidas(${contaId}, ${value('words', 'text[]')})`,
  { prepared: true },
)

const pieceKey = { fonteId: z.string(), ordem: z.int() }

/** Expired sources are left out. */
export const listMatches = manyRows(
  'fontes: list matches',
  z.object({ ...pieceKey, exato: z.number(), amplo: z.number() }),
  sql`select a.fonte_id, a.ordem, a.exato, a.amplo
    from fontes_achar(${contaId}, ${value('rare', 'text')}, ${value('words', 'text[]')}, ${value('exact', 'float8[]')},
      ${value('broad', 'float8[]')}, ${value('max', 'int')}) a
    join fontes f on f.conta_id = ${contaId} and f.id = a.fonte_id
    where f.expira_em is null or f.expira_em > ${now}`,
  { prepared: true },
)

export const listTrechos = manyRows(
  'fontes: list found pieces',
  z.object({ ...pieceKey, titulo: z.string(), pagina: z.nullable(z.int()), secao: z.string(), texto: z.string() }),
  sql`select t.fonte_id, t.ordem, f.titulo, t.pagina, t.secao, t.texto from ${columns('i', { fonteId: 'uuid', ordem: 'int' })}
    join fontes_trechos t on t.conta_id = ${contaId} and t.fonte_id = i.fonte_id and t.ordem = i.ordem
    join fontes f on f.conta_id = t.conta_id and f.id = t.fonte_id
    where f.expira_em is null or f.expira_em > ${now}`,
  { prepared: true },
)

/** Of these accounts, those with a source that can be searched. */
export const listWithFontes = manyRows(
  'fontes: list contas with sources',
  z.object({ contaId: z.string() }),
  sql`select c.id as conta_id from unnest(${value('contas', 'uuid[]')}) as c (id) where exists (
      select from fontes f where f.conta_id = c.id and f.trechos > 0 and (f.expira_em is null or f.expira_em > ${now})
    )`,
  { prepared: true, planner: 'indexes' },
)
