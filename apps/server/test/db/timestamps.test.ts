import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instant } from '#db/statement/fields.ts'
import { sql, value } from '#db/statement/sql.ts'
import { oneValue } from '#db/statement/statement.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function read(text: string): Promise<unknown> {
  const { rows } = await database.db.transaction('*', (tx) =>
    tx.query<{ em: unknown }>('select $1::text::timestamptz as em', [text]),
  )
  return rows[0]?.em
}

const readInstant = oneValue('test: instant', instant, sql`select ${value('text', 'text')}::timestamptz as value`)

describe('timestamptz', () => {
  it.each([
    ['2026-11-21 13:40:07.123456+00', '2026-11-21T13:40:07.123Z'],
    ['2026-11-21 13:40:07.5+00', '2026-11-21T13:40:07.500Z'],
    ['2026-11-21 13:40:07.02+00', '2026-11-21T13:40:07.020Z'],
    ['1999-12-31 23:59:59.999999+00', '1999-12-31T23:59:59.999Z'],
    ['2024-02-29 00:00:00+00', '2024-02-29T00:00:00.000Z'],
    ['2026-11-21 22:30:00-03', '2026-11-22T01:30:00.000Z'],
    ['0099-01-01 00:00:00+00', '0099-01-01T00:00:00.000Z'],
    ['12026-01-01 00:00:00+00', '+012026-01-01T00:00:00.000Z'],
    ['0044-03-15 00:00:00+00 BC', '-000043-03-15T00:00:00.000Z'],
  ])('reads %s in milliseconds, as a date and as ISO text', async (text, iso) => {
    expect(await read(text)).toEqual(new Date(iso))
    expect(await database.db.transaction('*', (tx) => readInstant(tx, { text }))).toBe(iso)
  })

  it('reads infinity as a number', async () => {
    expect([await read('infinity'), await read('-infinity')]).toEqual([Infinity, -Infinity])
  })
})
