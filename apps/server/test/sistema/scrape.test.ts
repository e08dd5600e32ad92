import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#db/transaction.ts'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { seriesIn } from '#test/metrics.ts'
import { recordStatements, type RecordedDatabase } from '#test/recorded-database.ts'

let database: TestDatabase
let recorded: RecordedDatabase
let app: TestApp
/** The statements of the metrics wait for it. */
let held: Promise<void> | null = null
beforeAll(async () => {
  database = await createTestDatabase()
  recorded = recordStatements(database.db)
  const transaction: Database['transaction'] = async (contas, fn, plano) => {
    if (contas === '*') await held
    return recorded.db.transaction(contas, fn, plano)
  }
  const reservedDb = database.db
  app = await createTestApp({ database, db: { ...recorded.db, transaction }, reservedDb, background: false })
  app.deps.metrics.leadsDatabase(3_600_000, {})
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
})

async function scrape(): Promise<string> {
  const { status, text } = await app.send('GET', '/metrics')
  expect(status).toBe(200)
  return text
}

describe('GET /metrics', () => {
  it('runs one statement per scrape with 10,000 idle accounts', async () => {
    await database.owner.query(`
      with novas as (
        insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos)
        select gen_random_uuid(), 'Loja', 100, '{}' from generate_series(1, 10000) returning id
      ), parados as (insert into bots (conta_id) select id from novas)
      insert into uso_diario (conta_id, dia, total) select id, current_date, 3 from novas`)
    const [small, few] = [(await scrape()).length, recorded.transactions.length]
    await waitUntil(async () => {
      const large = (await scrape()).length
      expect(large).toBeLessThan(small + 1_000)
      return recorded.transactions.length > few
    })
    expect(recorded.transactions.slice(few)).toHaveLength(1)
    expect(recorded.transactions.at(-1)).toHaveLength(1)
  })

  it('shows the process while the database does not answer', async () => {
    const loose = Promise.withResolvers<void>()
    held = loose.promise
    try {
      const text = await waitUntil(async () => {
        const scraped = await scrape()
        return seriesIn(scraped, 'balcao_fila_de_saida') === null ? scraped : null
      })
      expect(seriesIn(text, 'process_uptime_seconds')).toBeGreaterThan(0)
      expect(seriesIn(text, 'balcao_banco_conexoes_maximo')).toBeGreaterThan(0)
    } finally {
      held = null
      loose.resolve()
    }
    await waitUntil(async () => seriesIn(await scrape(), 'balcao_fila_de_saida') === 0)
  })

  it('shows transactions that wait for a connection', async () => {
    const { max } = app.deps.db.connections()
    const loose = Promise.withResolvers<void>()
    const running = Array.from({ length: max + 2 }, () => app.deps.db.read([], () => loose.promise))
    try {
      const text = await scrape()
      expect(seriesIn(text, 'balcao_banco_conexoes_em_uso')).toBe(max)
      expect(seriesIn(text, 'balcao_banco_esperando')).toBeGreaterThanOrEqual(2)
    } finally {
      loose.resolve()
      await Promise.all(running)
    }
  })
})
