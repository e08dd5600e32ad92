import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { recordStatements } from '#test/recorded-database.ts'
import { connectBot, createCustomer, createTestRuntime, textsOf, type TestRuntime } from './test-runtime.ts'

const NEVER = { renewMs: 3_600_000, searchMs: 3_600_000 }
const WAITING = 10_000

let house: TestRuntime
beforeAll(async () => {
  house = await createTestRuntime()
})
afterAll(() => house.close())

/** Adds rows of `saida` that wait for a later attempt. */
async function addWaitingRows(contaId: string, telefone: string, count: number): Promise<void> {
  await house.database.owner.query(
    `with m as (
       insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       select c.conta_id, gen_random_uuid(), c.conversa_id, 'saida', 'bot', 'ESPERA', 'simulador', 'enviada', now()
       from contatos c, generate_series(1, $3) where c.conta_id = $1 and c.telefone = $2 returning conta_id, id, conversa_id
     )
     insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, proxima_em)
     select m.conta_id, m.id, v.contato_id, $2, '{}', m.id::text, now() + interval '1 hour'
     from m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id`,
    [contaId, telefone, count],
  )
}

describe('wake-up about new messages', () => {
  it('reads only the rows that it names and writes none', async () => {
    const recorded = recordStatements(house.database.db)
    const holder = await house.startNode('holder', { timings: NEVER, db: () => recorded.db })
    const other = await house.startNode('other', { timings: NEVER })
    const contaId = await house.givenConta()
    await connectBot(holder, contaId)
    const [ana, bia] = [createCustomer(holder, contaId), createCustomer(other, contaId, 'Bia')]
    await ana.says('oi')
    await waitUntil(() => textsOf(house, ana.phone).length === 2)
    await holder.runtime.idle()
    await addWaitingRows(contaId, ana.phone, WAITING)
    recorded.transactions.length = 0
    await bia.says('oi')
    await waitUntil(() => textsOf(house, bia.phone).length === 2)
    await holder.runtime.idle()
    const reads = recorded.transactions.filter((statements) => statements.some((text) => text.startsWith('select')))
    const writes = recorded.transactions.filter((statements) => !reads.includes(statements))
    expect(reads).toEqual([[expect.stringContaining('mensagem_id = any')]])
    // The rows of the two sent messages are deleted.
    expect(new Set(writes.flat())).toEqual(new Set(['saida-marcada']))
    expect(textsOf(house, ana.phone)).toHaveLength(2)
    // Otherwise the node of the next test takes this bot and sends the waiting rows.
    await holder.runtime.bots.stop(contaId)
    await holder.stop()
    await other.stop()
  })

  it('reads a backlog of several pages when the link is up', async () => {
    const node = await house.startNode('backlog', { timings: NEVER })
    const contaId = await house.givenConta()
    await connectBot(node, contaId)
    const ana = createCustomer(node, contaId)
    await ana.says('oi')
    await waitUntil(() => textsOf(house, ana.phone).length === 2)
    await node.runtime.simulador.disconnect(contaId)
    await addWaitingRows(contaId, ana.phone, 1_200)
    await connectBot(node, contaId)
    await waitUntil(() => textsOf(house, ana.phone).length === 1_202)
    const { rows } = await house.database.owner.query<{ texto: string; id: string }>(
      `select id from mensagens where conta_id = $1 and texto = 'ESPERA' order by id`,
      [contaId],
    )
    const sent = house.delivered.filter(({ texto, endereco }) => texto === 'ESPERA' && endereco === ana.phone)
    expect(sent.map(({ idExterno }) => idExterno)).toEqual(rows.map(({ id }) => id))
    await node.stop()
  })
})
