import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '#test/bot/house.ts'
import { once } from '#test/realtime/listen.ts'
import { createEquipeApp, type EquipeApp, type EquipeUser } from './casa.ts'

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
      received.flatMap(([nome, { operadorId, status, operador }]) =>
        nome === 'operadorStatusChange' && operadorId === usuario.id ? [`${String(operador)} ${String(status)}`] : [],
      ),
  }
}

it('reports online for the first window and offline after the last one', async () => {
  const { dono, socket, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  const { socket: primeira } = await casa.connect(pessoa)
  const { socket: segunda } = await casa.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  primeira.disconnect()
  // A later event proves that closing the first window published none.
  const outra = await casa.operador(dono, { nome: 'Rui' })
  await casa.connect(outra)
  await waitUntil(() => vistos(outra).length > 0)
  expect(vistos(pessoa)).toEqual(['Olga online'])
  segunda.disconnect()
  expect(await once(socket, 'operadorStatusChange')).toMatchObject({ operadorId: pessoa.usuario.id, status: 'offline' })
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
})

it('sends the usuarios already online to a new socket, only of its conta', async () => {
  const { dono, vistos } = await observar()
  const vizinho = await casa.dono('Vizinho')
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  const { received: deOlga } = await casa.connect(pessoa)
  await casa.connect(vizinho)
  await waitUntil(() => vistos(pessoa).length > 0)
  await waitUntil(() => deOlga.length > 1)
  const { contaId } = dono.usuario
  expect(deOlga).toMatchObject([
    ['operadorStatusChange', { operador: 'Dona Ana', status: 'online', userId: contaId }],
    ['operadorStatusChange', { operador: 'Olga', status: 'online', userId: contaId }],
  ])
  expect(vistos(vizinho)).toEqual([])
})

it.each([
  ['deleted', (dono: EquipeUser, id: string) => dono.request('DELETE', `/conta/operadores/${id}`)],
  ['deactivated', (dono: EquipeUser, id: string) => dono.request('PUT', `/conta/operadores/${id}`, { ativo: false })],
])('reports a %s operador offline and hides them from new sockets', async (_nome, sair) => {
  const { dono, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  await casa.connect(pessoa)
  await casa.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  await sair(dono, pessoa.usuario.id)
  await waitUntil(() => vistos(pessoa).length > 1)
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
  const { received: nova } = await casa.connect(await casa.operador(dono, { nome: 'Rui' }))
  await waitUntil(() => nova.some(([, dados]) => dados['operador'] === 'Rui'))
  expect(nova.map(([, dados]) => dados['operador'])).toEqual(['Dona Ana', 'Rui'])
})

it('reports the new nome after a change', async () => {
  const { dono, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  await casa.connect(pessoa)
  await waitUntil(() => vistos(pessoa).length > 0)
  await dono.request('PUT', `/conta/operadores/${pessoa.usuario.id}`, { nome: 'Olga Souza' })
  await waitUntil(() => vistos(pessoa).at(-1) === 'Olga Souza online')
})
