import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

const planSchema = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: z.unknown() })]) })])
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value)

/**
 * A transaction that runs each statement that returns rows with EXPLAIN ANALYZE first and adds its plan to `plans`.
 * Only for reads. The planner settings and the plan are those of a prepared statement of the product.
 */
export function explained(tx: Tx, plans: unknown[]): Tx {
  const explain: Tx['send'] = async (statement, values) => {
    // Changes a setting, which has no plan.
    if (statement.row === null) return tx.send(statement, values)
    const { planner } = statement.plan
    const plan = planner === undefined ? {} : { planner }
    const run = async (text: string) => (await tx.send({ ...statement, plan, text }, [])).rows
    await run(`prepare explained as ${statement.text}`)
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
    const [row] = planSchema.parse(await run(`explain (analyze, format json) execute explained${given}`))
    await run('deallocate explained')
    plans.push(row['QUERY PLAN'][0].Plan)
    return tx.send(statement, values)
  }
  // Statements that are sent together share the name of the prepared one.
  let before: Promise<unknown> = Promise.resolve()
  return {
    ...tx,
    send: (statement, values) => {
      const sent = before.then(() => explain(statement, values))
      before = sent.catch(() => undefined)
      return sent
    },
  }
}

interface PlanNode {
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number | undefined
  readonly Plans?: readonly PlanNode[] | undefined
}
const planNode: z.ZodMiniType<PlanNode> = z.object({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.optional(z.number()),
  Plans: z.optional(z.array(z.lazy(() => planNode))),
})

/** The largest number of rows that one node of a plan read. */
export function mostRead(plan: unknown): number {
  const {
    'Actual Rows': rows,
    'Actual Loops': loops,
    'Rows Removed by Filter': removed = 0,
    Plans = [],
  } = planNode.parse(plan)
  return Math.max(Math.round((rows + removed) * loops), ...Plans.map(mostRead))
}
