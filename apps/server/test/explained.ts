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
  return {
    ...tx,
    send: async (statement, values) => {
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
    },
  }
}
