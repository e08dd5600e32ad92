import * as z from 'zod/mini'
import { isRestricted, SETOR_GERAL } from '@balcao/contract/conversa-access'
import { plainArray, textArray } from '#db/arrays.ts'
import type { Tx } from '#db/transaction.ts'
import { bindTo, readableSql } from '#modules/conversas/index.ts'
import { type FoundRow, foundSchema } from './found.ts'
import { type NameGroup, namePatterns } from './names.ts'
import { foldedSql, hasAllSql, type SearchPlan } from './plan.ts'
import { listGroups } from './spread.ts'
import { allOfTerms } from './vectors.ts'

/** Newest notas that are read without the index if they lack it. */
const UNREAD_MAX = 2_000

const notaSchema = z.extend(foundSchema, { origem: z.literal('nota') })
const idRow = z.object({ id: z.string() })

interface FoundNotas {
  readonly rows: readonly FoundRow[]
  /** Notas with smaller ids were not read. Null: all were. */
  readonly until: string | null
}

/** Finds notas by the index, and the newest ones that it lacks. `complete`: the task read all older ones. */
export async function findNotas(
  tx: Tx,
  plan: SearchPlan,
  names: readonly NameGroup[],
  complete: boolean,
): Promise<FoundNotas> {
  const groups = listGroups(plan, names).map(({ words, inName }) => ({ words, patterns: namePatterns(inName) }))
  const queries = [{ words: allOfTerms(plan.contaId, plan.terms), patterns: null }, ...groups]
  const [unread, until, ...indexed] = await Promise.all([
    findUnread(tx, plan),
    complete ? null : endOfUnread(tx, plan),
    ...queries.map(({ words, patterns }) => findIndexed(tx, plan, words, patterns)),
  ])
  const ids = [...new Set(indexed.flat())].toSorted((one, other) => (one < other ? 1 : -1)).slice(0, plan.limit)
  return { rows: [...unread, ...(await readNotas(tx, plan.contaId, ids))], until }
}

/** Reads the index as `mayReadConversa` allows. */
async function findIndexed(
  tx: Tx,
  { contaId, reader, before, limit }: SearchPlan,
  words: string,
  patterns: readonly string[] | null,
): Promise<string[]> {
  const setores = isRestricted(reader) ? textArray([...reader.setores, SETOR_GERAL]) : null
  const rows = await tx.rows(
    idRow,
    'select id from busca_notas_ids($1::uuid, $2::tsquery, $3::uuid, $4::int, $5::text[], $6::uuid, $7::text[]) as id',
    [contaId, words, before, limit, setores, reader.usuarioId, patterns === null ? null : textArray(patterns)],
  )
  return rows.map(({ id }) => id)
}

const COLUMNS_SQL = `n.id, n.conversa_id, n.texto, 'nota' as origem, n.criada_em, c.nome, c.telefone, c.nome_usuario`
const CUSTOMER_SQL = `join conversas v on v.conta_id = n.conta_id and v.id = n.conversa_id
 join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id`

function findUnread(tx: Tx, { contaId, reader, terms, before, limit }: SearchPlan): Promise<FoundRow[]> {
  const values: unknown[] = [contaId, before]
  const bind = bindTo(values)
  return tx.rows(
    notaSchema,
    `select ${COLUMNS_SQL} from (
       select * from (
         select * from notas where conta_id = $1 and id < $2::uuid order by id desc limit ${UNREAD_MAX}
       ) w where not exists (select from busca_notas b where b.conta_id = $1 and b.nota_id = w.id) offset 0
     ) n ${CUSTOMER_SQL}
     cross join lateral (select ${foldedSql('n.texto')} as dobrado offset 0) d
     where ${hasAllSql({ text: 'd.dobrado', name: 'c.busca' }, terms, bind)}
       and v.protocolo is not null and ${readableSql(reader, 'v', bind)}
     order by n.id desc limit ${bind(limit)}`,
    values,
  )
}

async function endOfUnread(tx: Tx, { contaId, before }: SearchPlan): Promise<string | null> {
  const sql = `select id from notas where conta_id = $1 and id < $2 order by id desc offset ${UNREAD_MAX - 1} limit 1`
  const [row] = await tx.rows(idRow, sql, [contaId, before])
  return row?.id ?? null
}

async function readNotas(tx: Tx, contaId: string, ids: readonly string[]): Promise<FoundRow[]> {
  if (ids.length === 0) return []
  const sql = `select ${COLUMNS_SQL} from notas n ${CUSTOMER_SQL} where n.conta_id = $1 and n.id = any ($2::uuid[])`
  return tx.rows(notaSchema, sql, [contaId, plainArray(ids)])
}
