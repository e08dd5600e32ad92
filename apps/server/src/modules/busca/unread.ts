import * as z from 'zod/mini'
import { hasAllTerms } from '@balcao/engine/search/words'
import type { Tx } from '#db/transaction.ts'
import { bindTo, type BindValue, readableSql } from '#modules/conversas/index.ts'
import { foldedSql, hasAllSql, type SearchPlan } from './plan.ts'

/** Text after the last edit. */
export const TEXT_SQL = `coalesce(m.extras ->> 'edicao', m.texto)`
/** Messages that the task did not read yet are at most those of its interval. */
const FRESH_MAX = 5_000
/** Messages of one statement, far below its time limit. */
const STEP_ROWS = 10_000
/** After this time a search answers with the messages that it read. */
const STEPS_MS = 700

const textRow = z.object({ id: z.string(), texto: z.string(), busca: z.string() })

/** Reads the newest messages, which the task may not have read. */
export async function findFresh(tx: Tx, plan: SearchPlan, above: string): Promise<string[]> {
  return findIn(tx, plan, (bind) => `m.id > ${bind(above)}::uuid`)
}

interface ReadPart {
  readonly ids: readonly string[]
  /** Messages with smaller ids were not read. Null: all were. */
  readonly until: string | null
}

/**
 * Reads older messages that the index lacks, the newest first, until the page is full or the time is over. Reads one step
 * at least.
 */
export async function findOlder(tx: Tx, plan: SearchPlan, below: string): Promise<ReadPart> {
  const end = performance.now() + STEPS_MS
  const ids: string[] = []
  let from = below < plan.before ? below : plan.before
  do {
    const until = await endOfStep(tx, plan.contaId, from)
    const [first, last] = [from, until]
    ids.push(
      ...(await findIn(tx, plan, (bind) =>
        [`m.id < ${bind(first)}::uuid`, ...(last === null ? [] : [`m.id >= ${bind(last)}::uuid`])].join(' and '),
      )),
    )
    if (until === null) return { ids, until: null }
    from = until
  } while (ids.length < plan.limit && performance.now() < end)
  return { ids, until: from }
}

async function endOfStep(tx: Tx, contaId: string, below: string): Promise<string | null> {
  const [row] = await tx.rows(
    z.object({ id: z.string() }),
    `select id from mensagens where conta_id = $1 and id < $2::uuid order by id desc offset ${STEP_ROWS - 1} limit 1`,
    [contaId, below],
  )
  return row?.id ?? null
}

async function findIn(tx: Tx, plan: SearchPlan, rangeOf: (bind: BindValue) => string): Promise<string[]> {
  const { contaId, reader, terms, before, limit } = plan
  const values: unknown[] = [contaId, before]
  const bind = bindTo(values)
  const rows = await tx.rows(
    textRow,
    `select m.id, ${TEXT_SQL} as texto, c.busca from (
       select * from mensagens m where m.conta_id = $1 and m.id < $2::uuid and ${rangeOf(bind)}
         and not exists (select from busca_mensagens b where b.conta_id = $1 and b.mensagem_id = m.id)
       order by m.id desc limit ${Math.max(FRESH_MAX, STEP_ROWS)}
     ) m cross join lateral (select ${foldedSql(TEXT_SQL)} as dobrado offset 0) d
     join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
     where ${hasAllSql({ text: 'd.dobrado', name: 'c.busca' }, terms, bind)}
       and v.protocolo is not null and ${readableSql(reader, 'v', bind)}
     order by m.id desc limit ${bind(2 * limit)}`,
    values,
  )
  return rows.filter(({ texto, busca }) => hasAllTerms(texto, terms, terms.length > 1 ? busca : '')).map(({ id }) => id)
}
