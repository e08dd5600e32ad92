import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { givenConta, givenOperador } from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let vera: TestUser
beforeAll(async () => {
  app = await createTestApp({ background: false })
  dona = await givenConta(app)
  vera = await givenOperador(app, dona, { nome: 'Vera', setores: [] })
})
afterAll(() => app.close())

const usuarioOf = async ({ request }: TestUser) => (await request('GET', '/auth/eu')).body['usuario']

describe('PUT /auth/eu', () => {
  it('changes the name and keeps an absent phone', async () => {
    expect((await vera.request('PUT', '/auth/eu', { telefone: '11 98888-7777' })).status).toBe(200)
    const { status, body } = await vera.request('PUT', '/auth/eu', { nome: '  Vera Lúcia ' })
    expect({ status, body }).toMatchObject({ status: 200, body: { usuario: { nome: 'Vera Lúcia' } } })
    expect(await usuarioOf(vera)).toMatchObject({ nome: 'Vera Lúcia', telefone: '11 98888-7777' })
  })

  it('reconnects the sockets of a renamed person', async () => {
    const socket = await app.connect(vera)
    const closed = new Promise((resolve) => socket.socket.once('disconnect', resolve))
    expect((await vera.request('PUT', '/auth/eu', { nome: 'Vera L.' })).status).toBe(200)
    await closed
  })

  it('changes only the own data', async () => {
    const before = await usuarioOf(dona)
    expect((await vera.request('PUT', '/auth/eu', { nome: 'Outra', id: dona.usuario.id })).status).toBe(200)
    expect(await usuarioOf(dona)).toEqual(before)
  })

  it.each([
    [{}, ''],
    [{ nome: '   ' }, 'nome'],
    [{ nome: 'a'.repeat(121) }, 'nome'],
    [{ nome: null }, 'nome'],
    [{ telefone: 'meu número' }, 'telefone'],
    [{ telefone: '1'.repeat(26) }, 'telefone'],
  ])('rejects %j with 400', async (body, caminho) => {
    const answer = await vera.request('PUT', '/auth/eu', body)
    expect(answer).toMatchObject({ status: 400, body: { detalhes: [{ caminho }] } })
  })

  it('writes the changed fields into the audit trail', async () => {
    expect((await dona.request('PUT', '/auth/eu', { nome: 'Ana Nova' })).status).toBe(200)
    const rows = await app.sql("select detalhe from auditoria where acao = 'dadosPropriosAlterados' and quem_id = $1", [
      dona.usuario.id,
    ])
    expect(rows).toEqual([{ detalhe: 'nome' }])
  })
})
