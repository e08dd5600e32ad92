import { afterAll, beforeAll, expect, it } from 'vitest'
import { NODES_CHANNEL } from '#bot/session/ask-owner.ts'
import { canonicalAddress } from '#modules/enderecos/contatos.ts'
import { type TestRuntime, connectBot, createTestRuntime, createCustomer, textsOf } from './test-runtime.ts'
import { waitUntil } from '#test/app.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime?.close())

/** Deletes the rows of a contato, as an erasure on another node does. */
async function apagar(contaId: string, telefone: string): Promise<{ contatoId: string; enderecos: string[] }> {
  const address = canonicalAddress(telefone, telefone)
  const { rows } = await runtime.database.owner.query<{ contato_id: string }>(
    'select contato_id from enderecos where conta_id = $1 and endereco = $2',
    [contaId, address],
  )
  const contatoId = rows[0]?.contato_id ?? ''
  await runtime.database.owner.query('delete from saida where conta_id = $1 and contato_id = $2', [contaId, contatoId])
  await runtime.database.owner.query('delete from contatos where conta_id = $1 and id = $2', [contaId, contatoId])
  return { contatoId, enderecos: [address] }
}

it('drops waiting messages of an erased contato on every node', async () => {
  const contaId = await runtime.givenConta()
  let fora = true
  const no = await runtime.startNode('com-a-sessao', {
    timings: { retryWaitsMs: [200, 200, 200, 200] },
    connector: (base) => ({
      ...base,
      send: async (mensagem) => {
        if (fora) throw new Error('offline')
        await base.send(mensagem)
      },
    }),
  })
  await connectBot(no, contaId)
  const other = await runtime.startNode('outro')
  const [ana, bia] = [createCustomer(no, contaId), createCustomer(no, contaId, 'Bia')]
  await ana.says('oi')
  await bia.says('oi')
  other.runtime.bots.forgetContato(contaId, await apagar(contaId, ana.phone))
  // The bus keeps its order, so this event arrives after the erasure.
  await new Promise<void>((resolve) => {
    const leave = no.deps.bus.subscribe(NODES_CHANNEL, (data) => {
      if (!data.includes('contextChanged')) return
      leave()
      resolve()
    })
    other.runtime.bots.contextChanged(contaId)
  })
  fora = false
  await waitUntil(() => textsOf(runtime, bia.phone).length === 2)
  expect(textsOf(runtime, ana.phone)).toEqual([])
  // Otherwise this node could take the bot of the next test.
  await no.stop()
  await other.stop()
})

it('sends no waiting message of an erased contato after a lost notice', async () => {
  const contaId = await runtime.givenConta()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let fora = true
  const no = await runtime.startNode('sem-recado', {
    timings: { retryWaitsMs: Array.from({ length: 100 }, () => 200) },
    connector: (base) => ({
      ...base,
      send: async (mensagem) => {
        if (mensagem.endereco === caio.phone) await released
        else if (fora) throw new Error('offline')
        await base.send(mensagem)
      },
    }),
  })
  await connectBot(no, contaId)
  const [ana, bia, caio] = [
    createCustomer(no, contaId),
    createCustomer(no, contaId, 'Bia'),
    createCustomer(no, contaId),
  ]
  for (const customer of [ana, bia, caio]) await customer.says('oi')
  await apagar(contaId, ana.phone)
  await apagar(contaId, caio.phone)
  // The second message of Caio waits longer than a fresh one behind the first, which is being sent.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  fora = false
  release()
  await waitUntil(() => textsOf(runtime, bia.phone).length === 2 && textsOf(runtime, caio.phone).length === 1)
  await no.stop()
  expect(textsOf(runtime, ana.phone)).toEqual([])
  expect(textsOf(runtime, caio.phone)).toEqual(['OLA Ana'])
})

it('creates a new contato for an erased customer still in the cache', async () => {
  const contaId = await runtime.givenConta()
  const no = await runtime.startNode('surdo')
  await connectBot(no, contaId)
  const ana = createCustomer(no, contaId)
  await ana.says('oi')
  const { contatoId } = await apagar(contaId, ana.phone)
  await ana.says('oi de novo')
  const { rows } = await runtime.database.owner.query(
    `select c.id <> $2 as outro, m.texto from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id where m.conta_id = $1 and m.direcao = 'entrada'`,
    [contaId, contatoId],
  )
  expect(rows).toEqual([{ outro: true, texto: 'oi de novo' }])
})
