import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { once } from '#test/realtime/listen.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { givenConta, givenOperador } from '#test/builders.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
})
afterAll(() => app.close())

async function observar(): Promise<{ dono: TestUser; socket: Socket; vistos: (quem: TestUser) => string[] }> {
  const dono = await givenConta(app)
  const { socket, received } = await app.connect(dono)
  return {
    dono,
    socket,
    vistos: ({ usuario }) =>
      received.flatMap(([name, { operadorId, status, operador }]) =>
        name === 'operadorStatusChange' && operadorId === usuario.id ? [`${String(operador)} ${String(status)}`] : [],
      ),
  }
}

it('reports online for the first window and offline after the last one', async () => {
  const { dono, socket, vistos } = await observar()
  const pessoa = await givenOperador(app, dono, { nome: 'Olga' })
  const { socket: first } = await app.connect(pessoa)
  const { socket: second } = await app.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  first.disconnect()
  // A later event proves that closing the first window published none.
  const other = await givenOperador(app, dono, { nome: 'Rui' })
  await app.connect(other)
  await waitUntil(() => vistos(other).length > 0)
  expect(vistos(pessoa)).toEqual(['Olga online'])
  second.disconnect()
  expect(await once(socket, 'operadorStatusChange')).toMatchObject({ operadorId: pessoa.usuario.id, status: 'offline' })
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
})

it('sends the usuarios already online to a new socket, only of its conta', async () => {
  const { dono, vistos } = await observar()
  const neighbour = await givenConta(app, 'Vizinho')
  const pessoa = await givenOperador(app, dono, { nome: 'Olga' })
  const { received: deOlga } = await app.connect(pessoa)
  await app.connect(neighbour)
  await waitUntil(() => vistos(pessoa).length > 0)
  await waitUntil(() => deOlga.length > 1)
  const { contaId } = dono.usuario
  expect(deOlga).toMatchObject([
    ['operadorStatusChange', { operador: 'Dona Ana', status: 'online', userId: contaId }],
    ['operadorStatusChange', { operador: 'Olga', status: 'online', userId: contaId }],
  ])
  expect(vistos(neighbour)).toEqual([])
})

it.each([
  ['deleted', (dono: TestUser, id: string) => dono.request('DELETE', `/conta/operadores/${id}`)],
  ['deactivated', (dono: TestUser, id: string) => dono.request('PUT', `/conta/operadores/${id}`, { ativo: false })],
])('reports a %s operador offline and hides them from new sockets', async (_nome, leave) => {
  const { dono, vistos } = await observar()
  const pessoa = await givenOperador(app, dono, { nome: 'Olga' })
  await app.connect(pessoa)
  await app.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  await leave(dono, pessoa.usuario.id)
  await waitUntil(() => vistos(pessoa).length > 1)
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
  const { received: fresh } = await app.connect(await givenOperador(app, dono, { nome: 'Rui' }))
  await waitUntil(() => fresh.some(([, data]) => data['operador'] === 'Rui'))
  expect(fresh.map(([, data]) => data['operador'])).toEqual(['Dona Ana', 'Rui'])
})

it('reports the new nome after a change', async () => {
  const { dono, vistos } = await observar()
  const pessoa = await givenOperador(app, dono, { nome: 'Olga' })
  await app.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  await dono.request('PUT', `/conta/operadores/${pessoa.usuario.id}`, { nome: 'Olga Souza' })
  await waitUntil(() => vistos(pessoa).at(-1) === 'Olga Souza online')
})
