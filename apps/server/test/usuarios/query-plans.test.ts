import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { COMPONENTES } from '@balcao/contract/constants'
import type { ContaScope, Tx } from '#db/transaction.ts'
import { readAdminStats } from '#modules/usuarios/hourly-numbers.ts'
import { listUsuarios, type UsuarioPage } from '#modules/usuarios/list-usuarios.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const NOW = new Date('2026-03-28T15:00:00Z')
const CONTAS = 100
const PAGE_SIZE = 10

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.owner.query(
    `with c as (
       insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos)
       select gen_random_uuid(), 'Loja', 1000, $1::jsonb
       from generate_series(1, ${CONTAS}) returning id),
     u as (
       insert into usuarios (id, conta_id, nome, email, tipo, status)
       select gen_random_uuid(), id, 'Ana', id || '@loja.test', 'usuario', 'ativo' from c)
     insert into uso_diario (conta_id, dia, usadas, total) select id, date '2026-03-01' + d, d, d from c
     cross join generate_series(0, 27) d`,
    [JSON.stringify(Object.fromEntries(COMPONENTES.map((name) => [name, true])))],
  )
  await database.owner.query('analyze')
})
afterAll(() => database.drop())

interface PlanNode {
  readonly relation: string
  readonly loops: number
  /** Of all loops. */
  readonly rows: number
}

/** The nodes of a plan that read a table. */
function readsOf(plan: unknown): PlanNode[] {
  if (Array.isArray(plan)) return plan.flatMap(readsOf)
  if (typeof plan !== 'object' || plan === null) return []
  const below = Object.values(plan).flatMap(readsOf)
  const found = z
    .object({ 'Relation Name': z.string(), 'Actual Rows': z.number(), 'Actual Loops': z.number() })
    .safeParse(plan)
  if (!found.success) return below
  const { 'Relation Name': relation, 'Actual Rows': rows, 'Actual Loops': loops } = found.data
  return [{ relation, loops, rows: rows * loops }, ...below]
}

/** Runs `read` with its statements explained. Returns the nodes that read `uso_diario`. */
async function usageReads(read: (tx: Tx) => Promise<void>): Promise<readonly PlanNode[]> {
  const plans: unknown[] = []
  await database.db.transaction('*', (tx) =>
    read({
      ...tx,
      send: async (statement, values) => {
        const { rows } = await tx.send(
          { ...statement, text: `explain (analyze, format json) ${statement.text}` },
          values,
        )
        plans.push(...rows)
        return tx.send(statement, values)
      },
    }),
  )
  return readsOf(plans).filter(({ relation }) => relation === 'uso_diario')
}

async function rowsOfList(page: UsuarioPage): Promise<number> {
  const reads = await usageReads(async (tx) => {
    const found = await listUsuarios(tx, NOW, { busca: '', status: null }, page)
    expect(found).toHaveLength(PAGE_SIZE + 1)
    expect(found[0]).toMatchObject({ mensagensHoje: 27 })
  })
  return reads.reduce((sum, { rows }) => sum + rows, 0)
}

it('sums the month of the contas of the page only', async () => {
  const monthOfPage = 28 * (PAGE_SIZE + 1)
  expect(await rowsOfList({ limite: PAGE_SIZE, before: null })).toBeLessThanOrEqual(monthOfPage)
  const numbered = { direcao: 'desc', pagina: 2, limite: PAGE_SIZE } as const
  expect(await rowsOfList({ ...numbered, ordem: 'nome' })).toBeLessThanOrEqual(monthOfPage)
  // The order reads today's row of each conta, and again for the page.
  expect(await rowsOfList({ ...numbered, ordem: 'uso' })).toBeLessThanOrEqual(monthOfPage + CONTAS + PAGE_SIZE + 1)
})

it('reads the two weeks of all contas without a lookup for each', async () => {
  const reads = await usageReads(async (tx) => {
    const db = { ...database.db, read: <T>(_contas: ContaScope, work: (same: Tx) => Promise<T>) => work(tx) }
    expect(await readAdminStats({ db, clock: { now: () => NOW } })).toMatchObject({ mensagensHoje: 27 * CONTAS })
  })
  const [most = 0, next = 0] = reads.map(({ loops }) => loops).toSorted((a, b) => b - a)
  // Today's row is one lookup for each conta.
  expect([most, next]).toEqual([CONTAS, 1])
})
