import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLine } from '#db/statement/line.ts'
import { waitUntil } from '#test/app.ts'
import { recordStatements } from '#test/recorded-database.ts'
import {
  connectBot,
  createCustomer,
  createTestRuntime,
  MUTE_BUS,
  textsOf,
  type TestNode,
  type TestRuntime,
} from './test-runtime.ts'

const NEVER = { renewMs: 3_600_000, searchMs: 3_600_000 }
const POLLING = { ...NEVER, pollMs: 50 }
const POLL = 'trabalho-atrasado'
const WAITING = 10_000

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

/** Adds rows of `saida` that wait for a later attempt. */
async function addWaitingRows(contaId: string, telefone: string, count: number): Promise<void> {
  await runtime.database.owner.query(
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

/** Stops the bot too, which the node of the next test would take otherwise. */
async function stop(contaId: string, ...nodes: readonly TestNode[]): Promise<void> {
  await nodes[0]?.runtime.bots.stop(firstLine(contaId))
  for (const node of nodes) await node.stop()
}

describe('wake-up about new messages', () => {
  it('reads only the rows that it names and writes none', async () => {
    const recorded = recordStatements(runtime.database.db)
    const holder = await runtime.startNode('holder', { timings: NEVER, db: () => recorded.db })
    const other = await runtime.startNode('other', { timings: NEVER })
    const contaId = await runtime.givenConta()
    await connectBot(holder, contaId)
    const [ana, bia] = [createCustomer(holder, contaId), createCustomer(other, contaId, 'Bia')]
    await ana.says('oi')
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
    await holder.runtime.idle()
    await addWaitingRows(contaId, ana.phone, WAITING)
    recorded.transactions.length = 0
    await bia.says('oi')
    await waitUntil(() => textsOf(runtime, bia.phone).length === 2)
    await holder.runtime.idle()
    const names = recorded.transactions.flat().filter((name) => /saida|outbox|mensagem/.test(name))
    expect(names.filter((name) => name === 'conversas: list outbox')).toHaveLength(1)
    const reads = ['conversas: list outbox', 'conversas: list waiting of outbox']
    // The rows of the two sent messages are deleted.
    expect(new Set(names.filter((name) => !reads.includes(name)))).toEqual(new Set(['saida-marcada']))
    expect(textsOf(runtime, ana.phone)).toHaveLength(2)
    await stop(contaId, holder, other)
  })

  it('reads a backlog of several pages when the link is up', async () => {
    const node = await runtime.startNode('backlog', { timings: NEVER })
    const contaId = await runtime.givenConta()
    await connectBot(node, contaId)
    const ana = createCustomer(node, contaId)
    await ana.says('oi')
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
    await node.runtime.simulador.disconnect(firstLine(contaId))
    await addWaitingRows(contaId, ana.phone, 1_200)
    await connectBot(node, contaId)
    await waitUntil(() => textsOf(runtime, ana.phone).length === 1_202)
    const { rows } = await runtime.database.owner.query<{ texto: string; id: string }>(
      `select id from mensagens where conta_id = $1 and texto = 'ESPERA' order by id`,
      [contaId],
    )
    const sent = runtime.delivered.filter(({ texto, endereco }) => texto === 'ESPERA' && endereco === ana.phone)
    expect(sent.map(({ idExterno }) => idExterno)).toEqual(rows.map(({ id }) => id))
    await stop(contaId, node)
  })
})

describe('WorkPoll', () => {
  it('sends messages whose wake-up is lost', async () => {
    const holder = await runtime.startNode('polls', { timings: POLLING, bus: MUTE_BUS })
    const other = await runtime.startNode('silent', { timings: NEVER, bus: MUTE_BUS })
    const contaId = await runtime.givenConta()
    await connectBot(holder, contaId)
    const { phone } = createCustomer(other, contaId)
    const message = { id: 'unseen', endereco: phone, telefone: phone, nome: 'Ana', texto: 'oi', enviadaEm: new Date() }
    await other.runtime.receive(firstLine(contaId), 'simulador', message)
    await waitUntil(() => textsOf(runtime, phone).length === 2)
    await stop(contaId, holder, other)
  })

  it('finds a row with the lowest id behind several pages of known rows', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: pageRead, resolve: sending } = Promise.withResolvers<void>()
    let stuck = ''
    const node = await runtime.startNode('pages', {
      timings: POLLING,
      connector: (base) => ({
        ...base,
        send: async (message) => {
          if (message.endereco === stuck) {
            sending()
            await released
          }
          await base.send(message)
        },
      }),
    })
    const contaId = await runtime.givenConta()
    await connectBot(node, contaId)
    const [ana, bia] = [createCustomer(node, contaId), createCustomer(node, contaId, 'Bia')]
    for (const customer of [ana, bia]) await customer.says('oi')
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2 && textsOf(runtime, bia.phone).length === 2)
    stuck = ana.phone
    await addWaitingRows(contaId, ana.phone, 1_200)
    const due = `update saida set proxima_em = now() - interval '1 minute' where conta_id = $1`
    await runtime.database.owner.query(due, [contaId])
    await pageRead
    const lowest = '00000000-0000-7000-8000-000000000001'
    await runtime.database.owner.query(
      `with m as (
         insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
         select conta_id, $3, conversa_id, 'saida', 'bot', 'ULTIMA', 'simulador', 'enviada', now()
         from contatos where conta_id = $1 and telefone = $2
       )
       insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, proxima_em)
       select conta_id, $3, id, $2, '{}', $3::text, now() - interval '1 minute'
       from contatos where conta_id = $1 and telefone = $2`,
      [contaId, bia.phone, lowest],
    )
    await waitUntil(() => textsOf(runtime, bia.phone).includes('ULTIMA'))
    const stopped = stop(contaId, node)
    release()
    await stopped
  })

  it('sends no statement while the node has no bot', async () => {
    const recorded = recordStatements(runtime.database.db)
    const node = await runtime.startNode('idle', { timings: POLLING, db: () => recorded.db })
    const polls = (): number => recorded.transactions.filter((statements) => statements.includes(POLL)).length
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(polls()).toBe(0)
    const contaId = await runtime.givenConta()
    await connectBot(node, contaId)
    await waitUntil(() => polls() > 0)
    await stop(contaId, node)
  })
})
