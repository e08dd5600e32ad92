import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ate } from '#test/bot/house.ts'
import { once } from '#test/realtime/listen.ts'
import { createEquipe, type Equipe, type Pessoa } from './casa.ts'

let casa: Equipe
beforeAll(async () => {
  casa = await createEquipe()
})
afterAll(() => casa.close())

async function observar(): Promise<{ dono: Pessoa; socket: Socket; vistos: (quem: Pessoa) => string[] }> {
  const dono = await casa.dono()
  const { socket, ouvidos } = await casa.conectar(dono)
  return {
    dono,
    socket,
    vistos: ({ usuario }) =>
      ouvidos.flatMap(([nome, { operadorId, status, operador }]) =>
        nome === 'operadorStatusChange' && operadorId === usuario.id ? [`${String(operador)} ${String(status)}`] : [],
      ),
  }
}

it('reports online for the first window and offline after the last one', async () => {
  const { dono, socket, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  const { socket: primeira } = await casa.conectar(pessoa)
  const { socket: segunda } = await casa.conectar(pessoa)
  await ate(() => vistos(pessoa).length > 0)
  primeira.disconnect()
  // A later event proves that closing the first window published none.
  const outra = await casa.operador(dono, { nome: 'Rui' })
  await casa.conectar(outra)
  await ate(() => vistos(outra).length > 0)
  expect(vistos(pessoa)).toEqual(['Olga online'])
  segunda.disconnect()
  expect(await once(socket, 'operadorStatusChange')).toMatchObject({ operadorId: pessoa.usuario.id, status: 'offline' })
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
})

it('sends the usuarios already online to a new socket, only of its conta', async () => {
  const { dono, vistos } = await observar()
  const vizinho = await casa.dono('Vizinho')
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  const { ouvidos: deOlga } = await casa.conectar(pessoa)
  await casa.conectar(vizinho)
  await ate(() => vistos(pessoa).length > 0)
  await ate(() => deOlga.length > 1)
  const { contaId } = dono.usuario
  expect(deOlga).toMatchObject([
    ['operadorStatusChange', { operador: 'Dona Ana', status: 'online', userId: contaId }],
    ['operadorStatusChange', { operador: 'Olga', status: 'online', userId: contaId }],
  ])
  expect(vistos(vizinho)).toEqual([])
})

it.each([
  ['deleted', (dono: Pessoa, id: string) => dono.pedir('DELETE', `/conta/operadores/${id}`)],
  ['deactivated', (dono: Pessoa, id: string) => dono.pedir('PUT', `/conta/operadores/${id}`, { ativo: false })],
])('reports a %s operador offline and hides them from new sockets', async (_nome, sair) => {
  const { dono, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  await casa.conectar(pessoa)
  await casa.conectar(pessoa)
  await ate(() => vistos(pessoa).length > 0)
  await sair(dono, pessoa.usuario.id)
  await ate(() => vistos(pessoa).length > 1)
  expect(vistos(pessoa)).toEqual(['Olga online', 'Olga offline'])
  const { ouvidos: nova } = await casa.conectar(await casa.operador(dono, { nome: 'Rui' }))
  await ate(() => nova.some(([, dados]) => dados['operador'] === 'Rui'))
  expect(nova.map(([, dados]) => dados['operador'])).toEqual(['Dona Ana', 'Rui'])
})

it('reports the new nome after a change', async () => {
  const { dono, vistos } = await observar()
  const pessoa = await casa.operador(dono, { nome: 'Olga' })
  await casa.conectar(pessoa)
  await ate(() => vistos(pessoa).length > 0)
  await dono.pedir('PUT', `/conta/operadores/${pessoa.usuario.id}`, { nome: 'Olga Souza' })
  await ate(() => vistos(pessoa).at(-1) === 'Olga Souza online')
})
