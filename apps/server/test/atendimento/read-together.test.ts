import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { createReadTogether, readAtOnce, type ReadAtOnce } from '#modules/atendimento/read-together.ts'
import { createDatabase } from '#db/transaction.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { recordStatements } from '#test/recorded-database.ts'

let database: TestDatabase
const contaId = randomUUID()
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const double =
  (n: number): ReadAtOnce<unknown> =>
  async (tx) => {
    const { rows } = await tx.query<{ n: number }>('select 2 * $1::int as n', [n])
    return rows[0]?.n
  }
const broken: ReadAtOnce<unknown> = (tx) => tx.query('select 1 / 0')

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

describe('readAtOnce', () => {
  it('rejects a statement that is sent behind the COMMIT', async () => {
    const late = readAtOnce(database.db, contaId, async (tx) => {
      await tx.query('select 1')
      return tx.query('select 2')
    })
    await expect(late).rejects.toThrow('this transaction is over')
  })

  it('rejects with the error of the statement', async () => {
    await expect(readAtOnce(database.db, contaId, broken)).rejects.toMatchObject({ code: '22012' })
  })

  it('sends BEGIN, statements and COMMIT in one write', async () => {
    const pool = createPool(database.target, { role: APP_ROLE, max: 1 })
    try {
      const client = await pool.connect()
      client.release()
      const { stream } = client.connection
      const writes = [vi.spyOn(stream, '_write'), vi.spyOn(stream, '_writev')]
      const log = { error: (): void => undefined }
      await readAtOnce(createDatabase({ pool, log }), contaId, double(1))
      expect(writes.map(({ mock }) => mock.calls.length)).toEqual([0, 1])
    } finally {
      await pool.end()
    }
  })
})
