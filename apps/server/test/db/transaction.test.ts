import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createPool } from '#db/connection.ts'
import { createDatabase, type Tx } from '#db/transaction.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let banco: TestDatabase
const contaA = randomUUID()
const contaB = randomUUID()

beforeAll(async () => {
  banco = await createTestDatabase()
  for (const conta of [contaA, contaB]) {
    await banco.owner.query(
      `INSERT INTO contas (id, empresa, limite_mensagens_dia, componentes_permitidos) VALUES ($1, 'Loja', 10, '{}')`,
      [conta],
    )
    await banco.owner.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:1')`, [
      conta,
      randomUUID(),
    ])
  }
})
afterAll(() => banco.drop())

const seen = async (contas: string | string[]): Promise<string[]> =>
  banco.db.transaction(contas, async (tx) => {
    const linhas = await tx.kysely.selectFrom('contatos').select('contaId').execute()
    return linhas.map(({ contaId }) => contaId).toSorted()
  })

describe('row-level security of a transaction', () => {
  it('shows only the contas of the transaction', async () => {
    expect(await seen(contaA)).toEqual([contaA])
    expect(await seen([contaA, contaB])).toEqual([contaA, contaB].toSorted())
    expect(await seen('*')).toHaveLength(2)
  })

  it('rejects a write for another conta', async () => {
    const escrita = banco.db.transaction(contaA, (tx) =>
      tx.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:2')`, [contaB, randomUUID()]),
    )
    await expect(escrita).rejects.toThrow(/row-level security/)
  })

  it('shows no rows without a conta', async () => {
    const { rows } = await banco.owner
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
    await banco.db.transaction(contaA, async (tx) => {
      await tx.query(`UPDATE contatos SET nome = 'Marina' WHERE conta_id = $1`, [contaA])
      tx.afterCommit(async () => {
        const { rows } = await banco.owner.query('SELECT nome FROM contatos WHERE conta_id = $1', [contaA])
        vistos.push(rows)
      })
      tx.afterCommit(() => void vistos.push('second'))
      expect(vistos).toEqual([])
    })
    expect(vistos).toEqual([[{ nome: 'Marina' }], 'second'])
  })

  it('runs no callback if the transaction fails', async () => {
    let ran = false
    const falha = banco.db.transaction(contaA, async (tx) => {
      tx.afterCommit(() => void (ran = true))
      await tx.query('SELECT 1/0')
    })
    await expect(falha).rejects.toThrow(/division by zero/)
    expect(ran).toBe(false)
  })
})

describe('createDatabase, errors inside a transaction', () => {
  it('throws if a failed statement was ignored, because the COMMIT saved nothing', async () => {
    let ran = false
    const engolida = banco.db.transaction(contaA, async (tx) => {
      tx.afterCommit(() => void (ran = true))
      await tx.query('SELECT 1/0').catch(() => undefined)
    })
    await expect(engolida).rejects.toThrow('swallowed')
    expect(ran).toBe(false)
  })

  it('throws if its connection dies and uses another one afterwards', async () => {
    const morta = banco.db.transaction(contaA, async (tx) => {
      const [linha] = (await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows
      await banco.owner.query('SELECT pg_terminate_backend($1)', [linha?.pid])
      await tx.query('SELECT 1')
    })
    await expect(morta).rejects.toThrow()
    expect(await seen(contaA)).toEqual([contaA])
  })

  it('rejects queries after the end of the transaction', async () => {
    const vazada = await banco.db.transaction(contaA, (tx) => Promise.resolve({ tx }))
    await expect(vazada.tx.query('SELECT 1')).rejects.toThrow('transaction is over')
    await expect(vazada.tx.kysely.selectFrom('contatos').selectAll().execute()).rejects.toThrow('transaction is over')
  })

  it('retries a deadlock until both transactions commit', async () => {
    const ordem = [contaA, contaB]
    let chegaram = 0
    let abrir: () => void = () => undefined
    const encontro = new Promise<void>((resolve) => (abrir = resolve))
    let vezes = 0
    const lado = (contas: readonly string[]): Promise<void> =>
      banco.db.transaction('*', async (tx) => {
        vezes += 1
        for (const conta of contas) {
          await tx.query('SELECT 1 FROM contatos WHERE conta_id = $1 FOR UPDATE', [conta])
          if (conta !== contas[0]) continue
          chegaram += 1
          if (chegaram >= 2) abrir()
          await encontro
        }
      })
    await Promise.all([lado(ordem), lado(ordem.toReversed())])
    // PostgreSQL cancels one side; on a busy machine possibly both.
    expect([3, 4]).toContain(vezes)
  })

  it('logs an error of a callback and runs the next one', async () => {
    const registro: string[] = []
    const pool = createPool(banco.target, { role: 'balcao_app', max: 1 })
    const db = createDatabase({ pool, log: { error: (_dados, mensagem) => void registro.push(mensagem) } })
    const resultado = await db.transaction(contaA, (tx) => {
      tx.afterCommit(() => Promise.reject(new Error('no wire')))
      tx.afterCommit(() => void registro.push('next'))
      return Promise.resolve('done')
    })
    await db.end()
    expect(resultado).toBe('done')
    expect(registro).toEqual(['after-commit callback failed', 'next'])
  })
})

describe('read', () => {
  it('reads rows of its contas and rejects writes', async () => {
    const linhas = await banco.db.read(contaA, (tx) =>
      tx.rows(
        z.object({ id: z.string(), agora: z.date(), grande: z.number(), dia: z.string() }),
        `SELECT conta_id AS id, now() AS agora, count(*) AS grande, date '2026-03-01' AS dia FROM contatos GROUP BY conta_id`,
      ),
    )
    expect(linhas).toMatchObject([{ id: contaA, grande: 1, dia: '2026-03-01' }])
    await expect(banco.db.read(contaA, (tx) => tx.query('DELETE FROM contatos'))).rejects.toThrow('read-only')
  })

  it('reads one snapshot during commits of other transactions', async () => {
    const contar = async (tx: Tx): Promise<number> => (await tx.query('SELECT 1 FROM contatos')).rows.length
    const [antes, depois] = await banco.db.read(contaA, async (tx) => {
      const primeira = await contar(tx)
      await banco.db.transaction(contaA, (outra) =>
        outra.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:9')`, [contaA, randomUUID()]),
      )
      return [primeira, await contar(tx)]
    })
    expect(depois).toBe(antes)
    expect(await banco.db.read(contaA, contar)).toBe(antes + 1)
  })
})
