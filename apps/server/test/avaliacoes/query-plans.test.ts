import { readerValues, SERVER_READER } from '#modules/leitores/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '#db/transaction.ts'
import { countOpen, countToday } from '#modules/relatorio/estatisticas.ts'
import { readNumbers } from '#modules/relatorio/numbers.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { explained } from '#test/explained.ts'

/** Three years of two busy contas. The queries ask for one month or one day of one conta. */
const CONTAS = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'] as const
const [CONTA] = CONTAS
const FUSO = 'America/Sao_Paulo'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const dono = await database.owner.connect()
  // Bulk insert: no statement timeout and no foreign key checks. The generated rows satisfy the foreign keys.
  await dono.query('set statement_timeout = 0; set session_replication_role = replica')
  for (const conta of CONTAS) {
    await dono.query(
      `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', 1000, '{}')`,
      [conta],
    )
    await dono.query(
      `insert into contatos (conta_id, id, endereco)
       select $1, lpad(to_hex(i), 32, '0')::uuid, i::text from generate_series(1, 2000) i`,
      [conta],
    )
    await dono.query(
      `insert into conversas (conta_id, id, contato_id, status, setor, protocolo, operador_id, iniciada_em, aguardando_desde,
                              primeira_resposta_em, finalizada_em)
       select $1, gen_random_uuid(), lpad(to_hex(1 + i % 2000), 32, '0')::uuid,
              case when i > 49800 then 'aguardando' else 'finalizada' end, 'geral',
              case when i % 2 = 0 or i > 49800 then 'P' || i end, lpad(to_hex(i % 20), 32, '0')::uuid, em, em,
              em + interval '5 minutes', case when i <= 49800 then em + interval '1 hour' end
         from generate_series(1, 50000) i, lateral (select timestamptz '2024-01-01' + i * interval '30 minutes' as em) t
        order by md5(i::text)`,
      [conta],
    )
    await dono.query(
      `insert into avaliacoes (conta_id, id, conversa_id, contato_id, nota, criada_em)
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), i % 6,
              timestamptz '2024-01-01' + i * interval '1 hour'
         from generate_series(1, 20000) i order by md5(i::text)`,
      [conta],
    )
  }
  await dono.query('analyze')
  dono.release(true)
}, 120_000)
afterAll(() => database.drop())

async function plano(read: (tx: Tx) => Promise<unknown>): Promise<string> {
  const plans: unknown[] = []
  await database.db.transaction(CONTA, (tx) => read(explained(tx, plans)))
  return JSON.stringify(plans)
}

const OF_ALL = { contaId: CONTA, usuarioId: '', setores: [], linhas: [] }

it('reads a month of the relatorio from ranges of three indexes', async () => {
  const span = { de: '2026-03-01', ateFora: '2026-04-01', fuso: FUSO }
  const parsed = await plano((tx) => readNumbers(tx, OF_ALL, span))
  for (const index of ['conversas_entregues', 'conversas_encerradas', 'avaliacoes_data'])
    expect(parsed).toContain(index)
  expect(parsed).not.toContain('Seq Scan')
})

it('reads the estatisticas from open conversas and today’s rows only', async () => {
  const values = { contaId: CONTA, hoje: '2026-10-01', fuso: FUSO, ...readerValues(SERVER_READER) }
  expect(await plano((tx) => countOpen(tx, values))).not.toContain('Seq Scan')
  const today = await plano((tx) => countToday(tx, values))
  for (const index of ['conversas_entregues', 'conversas_encerradas']) expect(today).toContain(index)
  expect(today).not.toContain('Seq Scan')
})
