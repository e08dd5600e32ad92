import type { QueryResult, QueryResultRow } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#db/transaction.ts'
import { createActBatcher, type RunAct } from '#modules/atendimento/conversa/act-batch.ts'
import type { ConversaRef } from '#modules/atendimento/conversa/change.ts'
import { endConversa } from '#modules/atendimento/conversa/end.ts'
import { takeConversa } from '#modules/atendimento/conversa/take.ts'
import type { TestDatabase } from '#test/database.ts'
import type { RecordedDatabase } from '#test/recorded-database.ts'
import { type AtendimentoApp, createRecordedAtendimento } from './atendimento-app.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

let database: TestDatabase
let shop: AtendimentoApp
let recorded: RecordedDatabase
let run: RunAct
let close = (): Promise<void> => Promise.resolve()
beforeAll(async () => {
  ;({ database, recorded, shop, close } = await createRecordedAtendimento())
  run = createActBatcher(shop.app.deps)
})
afterAll(() => close())

function refTo(id: string): ConversaRef {
  const { contaId, id: usuarioId } = shop.dona
  return { contaId, id, reader: { usuarioId, setores: [], linhas: [] } }
}

async function waitingIds(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await shop.newWaitingCustomer()).id)
  await shop.app.idle()
  recorded.transactions.length = 0
  return ids
}

const finish = (id: string): ReturnType<RunAct> =>
  run(refTo(id), (tx) => endConversa(tx, shop.app.deps, refTo(id), { tipo: 'finalizar', por: shop.dona.id }))
const take = (id: string): ReturnType<RunAct> => {
  const { id: usuarioId, nome } = shop.dona
  return run(refTo(id), (tx) =>
    takeConversa(tx, shop.app.deps, refTo(id), { usuarioId, nome, setores: [], linhas: [] }),
  )
}

function readAll<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<QueryResult<Row>> {
  return database.db.transaction('*', (tx) => tx.query<Row>(text, values))
}

async function countLockWaits(): Promise<number> {
  const { rows } = await readAll<{ waits: number }>(
    `select count(*) as waits from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`,
  )
  return rows[0]?.waits ?? 0
}

describe('createActBatcher', () => {
  it('finishes waiting conversas in one transaction that locks all contatos first', async () => {
    const ids = await waitingIds(3)
    const conversas = await Promise.all(ids.map(finish))
    expect(conversas.map(({ id, status }) => ({ id, status }))).toEqual(ids.map((id) => ({ id, status: 'finalizada' })))
    const [names, ...others] = recorded.transactions.filter((one) => one.includes('contatos-travar'))
    expect(others).toEqual([])
    expect(names?.slice(0, 4)).toEqual([...ids.map(() => 'conversa-atendida'), 'conversas-travar'])
    expect(names?.filter((name) => name === 'lote-gravar')).toHaveLength(3)
  })

  it('repeats the other acts alone when one fails', async () => {
    const [first = '', last = ''] = await waitingIds(2)
    expect(await Promise.allSettled([take(first), take(UNKNOWN_ID), take(last)])).toMatchObject([
      { status: 'fulfilled', value: { id: first, status: 'em_atendimento' } },
      { status: 'rejected', reason: { codigo: 'naoEncontrado' } },
      { status: 'fulfilled', value: { id: last, status: 'em_atendimento' } },
    ])
  })

  it('applies acts on one conversa in their order', async () => {
    const [id = ''] = await waitingIds(1)
    const results = await Promise.allSettled([take(id), finish(id), take(id)])
    expect(results).toMatchObject([
      { value: { status: 'em_atendimento' } },
      { value: { status: 'finalizada' } },
      { reason: { codigo: 'conversaFinalizada' } },
    ])
  })

  it('finishes conversas whose customers write at the same time', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => shop.newWaitingCustomer()))
    const ended = customers.map(({ id }) => finish(id))
    const answered = customers.toReversed().map(({ telefone }) => shop.customerSays(telefone, 'obrigada'))
    await Promise.all([...ended, ...answered])
    const finished = await shop.dona.list('status=finalizada&limite=200')
    expect(finished.map(({ id }) => id)).toEqual(expect.arrayContaining(customers.map(({ id }) => id)))
  })

  it('repeats no act when the answer to the COMMIT is lost', async () => {
    const ids = await waitingIds(2)
    const lost = new Error('Connection terminated unexpectedly')
    const { deps } = shop.app
    const transaction: Database['transaction'] = async (contas, fn, planner) => {
      await deps.db.transaction(contas, fn, planner)
      throw lost
    }
    const runLosing = createActBatcher({ ...deps, db: { ...deps.db, transaction } })
    const ends = ids.map((id) =>
      runLosing(refTo(id), (tx) => endConversa(tx, deps, refTo(id), { tipo: 'finalizar', por: shop.dona.id })),
    )
    expect(await Promise.allSettled(ends)).toEqual(ids.map(() => ({ status: 'rejected', reason: lost })))
    expect(recorded.transactions.filter((names) => names.includes('contatos-travar'))).toHaveLength(1)
  })

  it('locks the contatos in id order for acts in another order', async () => {
    const ids = await waitingIds(2)
    const { rows } = await readAll<{ id: string; contato_id: string }>(
      'select id, contato_id from conversas where id = any ($1) order by contato_id desc',
      [ids],
    )
    const [last, first] = rows.map(({ contato_id: contatoId }) => contatoId)
    let ended: Promise<unknown> = Promise.resolve()
    await database.db.transaction('*', async (tx) => {
      await tx.query('select 1 from contatos where id = $1 for update', [first])
      ended = Promise.all(rows.map(({ id }) => finish(id)))
      await expect.poll(countLockWaits).toBe(1)
      // The batch waits for the first contato and has not locked the last one.
      const free = await readAll('select 1 from contatos where id = $1 for update skip locked', [last])
      expect(free.rowCount).toBe(1)
    })
    await ended
  })
})
