import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '#db/transaction.ts'
import { createReadTogether } from '#modules/atendimento/read-together.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { recordStatements } from '#test/recorded-database.ts'

let database: TestDatabase
const contaId = randomUUID()
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

type Read = (tx: Tx) => Promise<unknown>

const double =
  (n: number): Read =>
  async (tx) => {
    const { rows } = await tx.query<{ n: number }>('select 2 * $1::int as n', [n])
    return rows[0]?.n
  }
const broken: Read = (tx) => tx.query('select 1 / 0')

describe('createReadTogether', () => {
  it('answers 40 waiting reads of one conta with at most 5 transactions', async () => {
    const { db, transactions } = recordStatements(database.db)
    const readTogether = createReadTogether(db)
    const results = await Promise.all(Array.from({ length: 40 }, (_, n) => readTogether(contaId, double(n))))
    expect(results).toEqual(Array.from({ length: 40 }, (_, n) => 2 * n))
    expect(transactions.length).toBeLessThanOrEqual(5)
  })

  it('repeats the other reads when a statement of one fails', async () => {
    const readTogether = createReadTogether(database.db)
    const reads = await Promise.allSettled([double(1), broken, double(3)].map((read) => readTogether(contaId, read)))
    expect(reads).toMatchObject([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: { code: '22012' } },
      { status: 'fulfilled', value: 6 },
    ])
  })

  it('rejects one read whose function throws and keeps the others', async () => {
    const readTogether = createReadTogether(database.db)
    const refused = (): Promise<never> => Promise.reject(new Error('not found'))
    const reads = await Promise.allSettled([readTogether(contaId, refused), readTogether(contaId, double(2))])
    expect(reads).toMatchObject([
      { status: 'rejected', reason: { message: 'not found' } },
      { status: 'fulfilled', value: 4 },
    ])
  })
})
