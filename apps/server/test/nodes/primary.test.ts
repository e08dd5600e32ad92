import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate.ts'
import { Primary } from '#db/nodes/primary.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const DEAD = '127.0.0.1:1'
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const url = (hosts: string, name = database.target.database): string => {
  const { user, password = '' } = database.target
  return `postgresql://${user}:${password}@/${name}?target_session_attrs=read-write&host=${encodeURIComponent(hosts)}`
}

describe('DATABASE_URL with several hosts', () => {
  it('uses the first host that can be written to', async () => {
    const primary = new Primary(url(`/no/socket,${database.target.host}`))
    const before = primary.url()
    const changes: string[] = []
    primary.onChange((now) => void changes.push(now))
    const client = await primary.connect('teste')
    expect((await client.query('select 1 as um')).rows).toEqual([{ um: 1 }])
    await client.end()
    expect(primary.url()).not.toBe(before)
    expect(changes).toEqual([primary.url()])
  })

  it.each([
    `postgres://u:p@${DEAD},[::1]:2/loja?sslmode=disable`,
    `postgres://u:p@/loja?host=127.0.0.1,::1&port=1,2&sslmode=disable`,
  ])('tries every host of %s and reports the last failure', async (given) => {
    await expect(new Primary(given).connect('teste')).rejects.toThrow('ECONNREFUSED ::1:2')
  })

  it('moves the pool to the host that was found', async () => {
    const primary = new Primary(url(`/no/socket,${database.target.host}`))
    const pool = createPool({ primary }, { role: APP_ROLE, max: 1 })
    await expect(pool.query('select 1')).rejects.toThrow()
    await (await primary.connect('teste')).end()
    expect((await pool.query('select current_user as quem')).rows).toEqual([{ quem: APP_ROLE }])
    await pool.end()
  })
})

describe('a server that is not the primary', () => {
  afterEach(() =>
    database.owner.query(`alter database ${database.target.database} reset default_transaction_read_only`),
  )

  it('is refused when it is read-only, by the pool too', async () => {
    const primary = new Primary(url(database.target.host))
    const pool = createPool({ primary }, { role: APP_ROLE, max: 1 })
    await database.owner.query(`alter database ${database.target.database} set default_transaction_read_only = on`)
    await expect(primary.connect('teste')).rejects.toThrow('not writable')
    await expect(pool.query('select 1')).rejects.toThrow('not writable')
    await pool.end()
  })
})
