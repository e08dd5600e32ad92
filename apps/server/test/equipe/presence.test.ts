import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '#test/bot/test-runtime.ts'
import { once } from '#test/realtime/listen.ts'
import { createEquipeApp, type EquipeApp, type EquipeUser } from './equipe-app.ts'

let casa: EquipeApp
beforeAll(async () => {
  casa = await createEquipeApp()
})
afterAll(() => casa.close())

async function observar(): Promise<{ dono: EquipeUser; socket: Socket; vistos: (quem: EquipeUser) => string[] }> {
  const dono = await casa.dono()
  const { socket, received } = await casa.connect(dono)
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
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  const { socket: first } = await casa.connect(pessoa)
  const { socket: second } = await casa.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  first.disconnect()
  // A later event proves that closing the first window published none.
  const other = await casa.operador(dono, { nome: 'Rui' })
  await casa.connect(other)
  await waitUntil(() => vistos(other).length > 0)
  expect(vistos(pessoa)).toEqual(['Olga online'])
  second.disconnect()
  expect(await once(socket, 'operadorStatusChange')).toMatchObject({ operadorId: pessoa.usuario.id, status: 'offline' })
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
})

it('sends the usuarios already online to a new socket, only of its conta', async () => {
  const { dono, vistos } = await observar()
  const neighbour = await casa.dono('Vizinho')
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  const { received: deOlga } = await casa.connect(pessoa)
  await casa.connect(neighbour)
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
  ['deleted', (dono: EquipeUser, id: string) => dono.request('DELETE', `/conta/operadores/${id}`)],
  ['deactivated', (dono: EquipeUser, id: string) => dono.request('PUT', `/conta/operadores/${id}`, { ativo: false })],
])('reports a %s operador offline and hides them from new sockets', async (_nome, leave) => {
  const { dono, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  await casa.connect(pessoa)
  await casa.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  await leave(dono, pessoa.usuario.id)
  await waitUntil(() => vistos(pessoa).length > 1)
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
  const { received: fresh } = await casa.connect(await casa.operador(dono, { nome: 'Rui' }))
  await waitUntil(() => fresh.some(([, data]) => data['operador'] === 'Rui'))
  expect(fresh.map(([, data]) => data['operador'])).toEqual(['Dona Ana', 'Rui'])
})

it('reports the new nome after a change', async () => {
  const { dono, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  await casa.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  await dono.request('PUT', `/conta/operadores/${pessoa.usuario.id}`, { nome: 'Olga Souza' })
  await waitUntil(() => vistos(pessoa).at(-1) === 'Olga Souza online')
})
