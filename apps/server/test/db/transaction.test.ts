import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPool } from '#db/connection.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { POOL_TIMEOUT_MESSAGE } from '#db/connection-turns.ts'
import { createDatabase, type Tx } from '#db/transaction.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createSilentProxy } from '#test/db/fixtures/silent-proxy.ts'

let database: TestDatabase
const contaA = randomUUID()
const contaB = randomUUID()

beforeAll(async () => {
  database = await createTestDatabase()
  for (const conta of [contaA, contaB]) {
    await database.owner.query(
      `INSERT INTO contas (id, empresa, limite_mensagens_dia, componentes_permitidos) VALUES ($1, 'Loja', 10, '{}')`,
      [conta],
    )
    await database.owner.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:1')`, [
      conta,
      randomUUID(),
    ])
  }
})
afterAll(() => database.drop())

const seen = async (contas: string | string[]): Promise<string[]> =>
  database.db.transaction(contas, async (tx) => {
    const { rows } = await tx.query<{ conta_id: string }>('select conta_id from contatos')
    return rows.map((row) => row.conta_id).toSorted()
  })

describe('row-level security of a transaction', () => {
  it('shows only the contas of the transaction', async () => {
    expect(await seen(contaA)).toEqual([contaA])
    expect(await seen([contaA, contaB])).toEqual([contaA, contaB].toSorted())
    expect(await seen('*')).toHaveLength(2)
  })

  it('rejects a write for another conta', async () => {
    const escrita = database.db.transaction(contaA, (tx) =>
      tx.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:2')`, [contaB, randomUUID()]),
    )
    await expect(escrita).rejects.toThrow(/row-level security/)
  })

  it('shows no rows without a conta', async () => {
    const { rows } = await database.owner
      .query('SET ROLE balcao_app; SELECT count(*)::int AS n FROM contatos; RESET ROLE')
      .then((respostas) => (Array.isArray(respostas) ? respostas[1] : respostas))
    expect(rows).toEqual([{ n: 0 }])
  })

  it('rejects an invalid conta id', async () => {
    await expect(seen(`x'; DROP TABLE contatos; --`)).rejects.toThrow('not an account id')
  })
})

describe('afterCommit', () => {
  it('runs callbacks in order after the rows are visible to other connections', async () => {
    const vistos: unknown[] = []
    await database.db.transaction(contaA, async (tx) => {
      await tx.query(`UPDATE contatos SET nome = 'Marina' WHERE conta_id = $1`, [contaA])
      tx.afterCommit(async () => {
        const { rows } = await database.owner.query('SELECT nome FROM contatos WHERE conta_id = $1', [contaA])
        vistos.push(rows)
      })
      tx.afterCommit(() => void vistos.push('second'))
      expect(vistos).toEqual([])
    })
    expect(vistos).toEqual([[{ nome: 'Marina' }], 'second'])
  })

  it('runs no callback if the transaction fails', async () => {
    let ran = false
    const failure = database.db.transaction(contaA, async (tx) => {
      tx.afterCommit(() => void (ran = true))
      await tx.query('SELECT 1/0')
    })
    await expect(failure).rejects.toThrow(/division by zero/)
    expect(ran).toBe(false)
  })
})

describe('createDatabase, errors inside a transaction', () => {
  it('throws if a failed statement was ignored, because the COMMIT saved nothing', async () => {
    let ran = false
    const engolida = database.db.transaction(contaA, async (tx) => {
      tx.afterCommit(() => void (ran = true))
      await tx.query('SELECT 1/0').catch(() => undefined)
    })
    await expect(engolida).rejects.toThrow('swallowed')
    expect(ran).toBe(false)
  })

  it('throws if its connection dies and uses another one afterwards', async () => {
    const morta = database.db.transaction(contaA, async (tx) => {
      const [line] = (await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows
      await database.owner.query('SELECT pg_terminate_backend($1)', [line?.pid])
      await tx.query('SELECT 1')
    })
    await expect(morta).rejects.toThrow()
    expect(await seen(contaA)).toEqual([contaA])
  })

  it('rejects queries after the end of the transaction', async () => {
    const vazada = await database.db.transaction(contaA, (tx) => Promise.resolve({ tx }))
    await expect(vazada.tx.query('SELECT 1')).rejects.toThrow('transaction is over')
  })

  it('names the failed statement when the COMMIT left together with it', async () => {
    const failed = database.db.transaction(contaA, (tx) => tx.query('SELECT 1/0'), { oneTrip: true })
    await expect(failed).rejects.toThrow(/division by zero/)
    expect(await seen(contaA)).toEqual([contaA])
  })

  it('rejects a statement that starts after the COMMIT left', async () => {
    const late = database.db.transaction(
      contaA,
      async (tx) => {
        await tx.query('SELECT 1')
        await tx.query('SELECT 2')
      },
      { oneTrip: true },
    )
    await expect(late).rejects.toThrow('transaction is over')
  })

  it('sends BEGIN, one statement and COMMIT in one write', async () => {
    const pool = createPool(database.target, { role: APP_ROLE, max: 1 })
    try {
      const client = await pool.connect()
      client.release()
      const { stream } = client.connection
      const writes = [vi.spyOn(stream, '_write'), vi.spyOn(stream, '_writev')]
      const db = createDatabase({ pool, log: { error: (): void => undefined } })
      await db.read(contaA, (tx) => tx.query('select 1'), { oneTrip: true })
      expect(writes.map(({ mock }) => mock.calls.length)).toEqual([0, 1])
    } finally {
      await pool.end()
    }
  })

  it('retries a deadlock until both transactions commit', async () => {
    const order = [contaA, contaB]
    let arrived = 0
    let open: () => void = () => undefined
    const encontro = new Promise<void>((resolve) => (open = resolve))
    let times = 0
    const lado = (first: readonly string[]): Promise<void> => {
      let repeated = false
      return database.db.transaction('*', async (tx) => {
        // A repetition takes the rows in one order. If PostgreSQL cancels both sides, they do not meet again.
        const contas = repeated ? order : first
        repeated = true
        times += 1
        for (const conta of contas) {
          await tx.query('SELECT 1 FROM contatos WHERE conta_id = $1 FOR UPDATE', [conta])
          if (conta !== contas[0]) continue
          arrived += 1
          if (arrived >= 2) open()
          await encontro
        }
      })
    }
    await Promise.all([lado(order), lado(order.toReversed())])
    expect(times).toBeGreaterThanOrEqual(3)
  })

  it('logs an error of a callback and runs the next one', async () => {
    const registro: string[] = []
    const pool = createPool(database.target, { role: 'balcao_app', max: 1 })
    const db = createDatabase({ pool, log: { error: (_dados, mensagem) => void registro.push(mensagem) } })
    const result = await db.transaction(contaA, (tx) => {
      tx.afterCommit(() => Promise.reject(new Error('no wire')))
      tx.afterCommit(() => void registro.push('next'))
      return Promise.resolve('done')
    })
    await db.end()
    expect(result).toBe('done')
    expect(registro).toEqual(['after-commit callback failed', 'next'])
  })
})

describe('connections', () => {
  it('gives connections to the waiting contas in turn', async () => {
    const pool = createPool(database.target, { role: 'balcao_app', max: 2 })
    const db = createDatabase({ pool, log: { error: () => undefined } })
    const order: string[] = []
    const work = (conta: string, name: string): Promise<unknown> =>
      db.transaction(conta, (tx) => tx.query('select pg_sleep(0.005)')).then(() => order.push(name))
    const flood = Array.from({ length: 60 }, (_, n) => work(contaA, `A${n}`))
    await work(contaB, 'B')
    expect(order.length).toBeLessThan(10)
    await Promise.all(flood)
    await db.end()
  })

  it('keeps connections free for another conta while one conta runs slow statements', async () => {
    const pool = createPool(database.target, { role: 'balcao_app', max: 4 })
    const db = createDatabase({ pool, log: { error: () => undefined } })
    const order: string[] = []
    const work = (conta: string, name: string, sql: string): Promise<unknown> =>
      db.transaction(conta, (tx) => tx.query(sql)).then(() => order.push(name))
    const slow = Array.from({ length: 8 }, (_, n) => work(contaA, `A${n}`, 'select pg_sleep(0.5)'))
    await work(contaB, 'B', 'select 1')
    expect(order).toEqual(['B'])
    await Promise.all(slow)
    await db.end()
  })

  it('refuses a transaction that waits longer than the pool allows', async () => {
    const pool = createPool(database.target, { role: 'balcao_app', max: 1, waitMs: 500 })
    const db = createDatabase({ pool, log: { error: () => undefined } })
    const held = db.transaction(contaA, (tx) => tx.query('select pg_sleep(1)'))
    await expect(db.transaction(contaB, (tx) => tx.query('select 1'))).rejects.toThrow(POOL_TIMEOUT_MESSAGE)
    await held
    await db.transaction(contaB, (tx) => tx.query('select 1'))
    await db.end()
  })
})

describe('read', () => {
  it('reads rows of its contas and rejects writes', async () => {
    const { rows } = await database.db.read(contaA, (tx) =>
      tx.query(
        `SELECT conta_id AS id, now() AS agora, count(*) AS grande, date '2026-03-01' AS dia FROM contatos GROUP BY conta_id`,
      ),
    )
    expect(rows).toMatchObject([{ id: contaA, agora: expect.any(Date), grande: 1, dia: '2026-03-01' }])
    await expect(database.db.read(contaA, (tx) => tx.query('DELETE FROM contatos'))).rejects.toThrow('read-only')
  })

  it('reads one snapshot during commits of other transactions', async () => {
    const count = async (tx: Tx): Promise<number> => (await tx.query('SELECT 1 FROM contatos')).rows.length
    const [before, after] = await database.db.read(contaA, async (tx) => {
      const first = await count(tx)
      await database.db.transaction(contaA, (other) =>
        other.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:9')`, [contaA, randomUUID()]),
      )
      return [first, await count(tx)]
    })
    expect(after).toBe(before)
    expect(await database.db.read(contaA, count)).toBe(before + 1)
  })
})

describe('createPool, a network that drops packets', () => {
  it('fails the transaction within the limit and replaces the connection', async () => {
    const { target } = database
    const proxy = await createSilentProxy(`${target.host}/.s.PGSQL.${target.port}`)
    const pool = createPool({ ...target, ...proxy.address }, { role: APP_ROLE, max: 1, answerMs: 300 })
    const db = createDatabase({ pool, log: { error: () => undefined } })
    const ask = async (tx: Tx): Promise<unknown> => (await tx.query('SELECT 1 AS n')).rows
    expect(await db.read('*', ask)).toEqual([{ n: 1 }])
    const cut = db.transaction('*', async (tx) => {
      await ask(tx)
      proxy.silence()
      await Promise.all([ask(tx), ask(tx)])
    })
    await expect(cut).rejects.toThrow('Query read timeout')
    expect(await db.read('*', ask)).toEqual([{ n: 1 }])
    await db.end()
    proxy.close()
  })
})
