import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    await banco.owner.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:1')`, [conta, randomUUID()])
  }
})
afterAll(() => banco.drop())

const seen = async (contas: string | string[]): Promise<string[]> =>
  banco.db.transaction(contas, async (tx) => {
    const linhas = await tx.kysely.selectFrom('contatos').select('contaId').execute()
    return linhas.map(({ contaId }) => contaId).toSorted()
  })

describe('the wall between accounts', () => {
  it('shows a transaction only the accounts it names', async () => {
    expect(await seen(contaA)).toEqual([contaA])
    expect(await seen([contaA, contaB])).toEqual([contaA, contaB].toSorted())
    expect(await seen('*')).toHaveLength(2)
  })

  it('refuses to write for another account', async () => {
    const escrita = banco.db.transaction(contaA, (tx) =>
      tx.query(`INSERT INTO contatos (conta_id, id, endereco) VALUES ($1, $2, 'tel:2')`, [contaB, randomUUID()]),
    )
    await expect(escrita).rejects.toThrow(/row-level security/)
  })

  it('shows nothing when no account is named', async () => {
    const { rows } = await banco.owner.query('SET ROLE balcao_app; SELECT count(*)::int AS n FROM contatos; RESET ROLE').then(
      (respostas) => (Array.isArray(respostas) ? respostas[1] : respostas),
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  it('refuses what is not an account id', async () => {
    await expect(seen(`x'; DROP TABLE contatos; --`)).rejects.toThrow('not an account id')
  })
})

describe('after the commit', () => {
  it('runs callbacks in order, once the rows are visible to others', async () => {
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

  it('runs none when the transaction fails', async () => {
    let ran = false
    const falha = banco.db.transaction(contaA, async (tx) => {
      tx.afterCommit(() => void (ran = true))
      await tx.query('SELECT 1/0')
    })
    await expect(falha).rejects.toThrow(/division by zero/)
    expect(ran).toBe(false)
  })
})
