import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { givenConta, openConversas } from '#test/builders.ts'
import { createFleet, type TestFleet } from '#test/nodes/fleet.ts'
import { openStream, type StreamEvent } from './read-stream.ts'
import { createVisitor, openChat } from './visitor.ts'

let fleet: TestFleet
beforeAll(async () => {
  fleet = await createFleet(2)
})
afterAll(() => fleet.close())

const idsOf = (events: readonly StreamEvent[]): string[] => events.map(({ id }) => id)

it('gives a stream the same events on every node, and continues on another one', async () => {
  const [a, b] = fleet.nodes
  if (a === undefined || b === undefined) throw new Error('a fleet of two has two nodes')
  const dona = await givenConta(a.app)
  const { chave } = await openChat(dona, 'https://www.loja.test')
  const visitor = await createVisitor(b.app, { chave }, { nome: 'Ivo' })
  const { token } = visitor
  const streams = [await openStream(a.app, chave, { token }), await openStream(b.app, chave, { token })] as const
  await visitor.says(b.app, 'atendente')
  const { id } = await waitUntil(async () => (await openConversas(dona))[0] ?? null)
  for (let n = 0; n < 10; n += 1) {
    await dona.request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem: `resposta ${n}` })
    if (n % 3 === 0) await visitor.says(n % 2 === 0 ? a.app : b.app, `pergunta ${n}`)
  }
  await Promise.all(streams.map(({ until }) => until(({ data }) => data['texto'] === 'resposta 9')))
  await Promise.all(streams.map(({ until }) => until(({ data }) => data['texto'] === 'pergunta 9')))
  const [first, second] = streams
  await waitUntil(() => first.events.length === second.events.length)
  expect(idsOf(second.events)).toEqual(idsOf(first.events))

  const half = first.events[Math.floor(first.events.length / 2)]
  const resumed = await openStream(b.app, chave, { token, last: half?.id })
  await waitUntil(() => resumed.events.at(-1)?.id === first.events.at(-1)?.id)
  const before = first.events.slice(0, first.events.findIndex(({ id: one }) => one === half?.id) + 1)
  expect(idsOf([...before, ...resumed.events])).toEqual(idsOf(first.events))
  for (const stream of [...streams, resumed]) stream.close()
})
