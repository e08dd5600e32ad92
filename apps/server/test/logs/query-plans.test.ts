import { afterAll, beforeAll, expect, it } from 'vitest'
import { firstIdAt } from '#ids.ts'
import { listLogRows } from '#modules/logs/repository.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { explained } from '#test/explained.ts'

/** Ninety days of two busy contas. The queries ask for 100 entries of one. */
const CONTAS = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'] as const
const [CONTA] = CONTAS
const ANTES = '01950000-0000-7000-8000-000000000000'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const dono = await database.owner.connect()
  for (const conta of CONTAS) {
    await dono.query(
      `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', 1000, '{}')`,
      [conta],
    )
    await dono.query(
      `insert into logs (conta_id, id, tipo, mensagem, timestamp)
       select $1, (lpad(to_hex((extract(epoch from em) * 1000)::bigint), 12, '0') || '7000800000000000' || lpad(to_hex(i % 65536), 4, '0'))::uuid,
              case when i % 1000 = 0 then 'error' else 'bot' end, 'Um cliente espera para falar com uma pessoa.', em
         from generate_series(1, 60000) i, lateral (select timestamptz '2026-01-01' + i * interval '1 minute' as em) t`,
      [conta],
    )
  }
  await dono.query('analyze')
  dono.release(true)
}, 120_000)
afterAll(() => database.drop())

type Filtro = Parameters<typeof listLogRows>[1]
const TUDO: Filtro = {
  contaId: CONTA,
  linha: null,
  before: null,
  tipo: null,
  from: null,
  until: null,
  busca: '',
  max: 101,
}
const FROM = firstIdAt(new Date('2026-01-20T03:00:00Z'))

async function plano(filter: Filtro): Promise<string> {
  const plans: unknown[] = []
  await database.db.transaction(CONTA, (tx) => listLogRows(explained(tx, plans), filter))
  return JSON.stringify(plans)
}

it('reads a page from the primary key without sort or sequential scan', async () => {
  for (const parsed of [
    await plano(TUDO),
    await plano({ ...TUDO, before: ANTES }),
    await plano({ ...TUDO, busca: 'cliente' }),
    await plano({ ...TUDO, from: FROM, until: firstIdAt(new Date('2026-01-21T03:00:00Z')) }),
  ]) {
    expect(parsed).toContain('logs_pkey')
    expect(parsed).not.toContain('Seq Scan')
    expect(parsed).not.toContain('"Sort"')
  }
})

it('reads one tipo from its index, with or without a period', async () => {
  for (const filter of [
    { ...TUDO, tipo: 'error' },
    { ...TUDO, tipo: 'error', from: FROM },
  ]) {
    const parsed = await plano(filter)
    expect(parsed).toContain('logs_tipo')
    expect(parsed).not.toContain('Seq Scan')
  }
})
