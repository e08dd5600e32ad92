import { once } from 'node:events'
import { createServer, connect, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { connectDirect } from '#db/nodes/direct-connection.ts'
import { Primary } from '#db/nodes/primary.ts'
import { startForwarder } from '#test/fleet/forwarder.ts'
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
    primary.onChange(() => void changes.push(primary.url()))
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
    await expect(primary.connect('teste')).rejects.toThrow('não aceita escrita')
    await expect(pool.query('select 1')).rejects.toThrow('não aceita escrita')
    await pool.end()
  })
})

it('uses a managed service that refuses to name its timeline', async () => {
  const { database: name } = database.target
  await database.owner.query(`create schema gerenciado;
    create function gerenciado.pg_walfile_name(pg_lsn) returns text language plpgsql
      as $$ begin raise feature_not_supported; end $$;
    alter database ${name} set search_path = gerenciado, pg_catalog, public`)
  const client = await new Primary(url(database.target.host)).connect('teste')
  expect((await client.query('select 1 as um')).rows).toEqual([{ um: 1 }])
  await client.end()
  await database.owner.query(`alter database ${name} reset search_path`)
})

it('a connection ends within seconds on a network that does not answer', async () => {
  const forwarder = await startForwarder(database)
  const client = await connectDirect({ ...database.target, host: '127.0.0.1', port: forwarder.port })
  forwarder.cut()
  const startedAt = performance.now()
  await client.end()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  forwarder.close()
})

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('server without a port')
  return address.port
}

/** A server that resets each connection at the first statement, like one that ends during a promotion. */
function createResetting({ host, port = 5432 }: TestDatabase['target']): Server {
  return createServer((near) => {
    const far = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    far.pipe(near)
    for (const end of [near, far]) end.on('error', () => undefined)
    near.on('close', () => far.destroy())
    near.on('data', (sent) => (sent.includes('pg_is_in_recovery') ? near.resetAndDestroy() : far.write(sent)))
  })
}

it('a connection that breaks during its check fails the statement and not the process', async () => {
  const server = createResetting(database.target).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { user, password = '', database: name } = database.target
  const primary = new Primary(`postgres://${user}:${password}@127.0.0.1:${portOf(server)}/${name}`)
  const pool = createPool({ primary }, { role: APP_ROLE, max: 1 })
  await expect(pool.query('select 1')).rejects.toThrow(/ECONNRESET|terminated/)
  await pool.end()
  server.close()
})
