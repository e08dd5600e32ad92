import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  const { body } = await app.request('GET', '/config')
  const config = Object(body['config'])
  const salvo = { ...config, whatsapp: { ...config.whatsapp, conector: 'simulador', clientId: 'loja' } }
  expect((await app.request('PUT', '/config', salvo)).status).toBe(200)
  await app.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await app.request('GET', '/bot/status')).body['status'] === 'AGUARDANDO_QR')
  expect((await app.request('POST', '/simulador/escanear')).status).toBe(200)
})
afterAll(() => app.close())

const list = async (status = 'todos') =>
  conversasHumanasRoute.response.parse((await app.request('GET', `/atendimento/conversas?status=${status}`)).body)
    .conversas

async function chegar(telefone: string): Promise<string> {
  for (const texto of ['oi', 'atendente']) {
    const { status } = await app.request('POST', '/simulador/mensagens', { telefone, nome: 'Bia', texto })
    expect(status).toBeLessThan(300)
  }
  const conversa = await waitUntil(
    async () => (await list()).find(({ cliente }) => cliente.telefone === telefone) ?? null,
  )
  expect(conversa).toMatchObject({ status: 'aguardando', naoLidas: 1 })
  return conversa.id
}

const agir = (id: string, action: string) => app.request('POST', `/atendimento/conversas/${id}/${action}`)

describe('POST /atendimento/conversas/:id/assumir and /finalizar', () => {
  it('takes a waiting conversa idempotently, finishes it and refuses further acts', async () => {
    const id = await chegar('5511911110001')
    for (let vez = 0; vez < 2; vez += 1) {
      const { status, body } = await agir(id, 'assumir')
      expect(status).toBe(200)
      expect(body['conversa']).toMatchObject({ id, status: 'em_atendimento', naoLidas: 0 })
    }
    expect((await agir(id, 'finalizar')).body['conversa']).toMatchObject({ id, status: 'finalizada' })
    expect((await list()).map((conversa) => conversa.id)).not.toContain(id)
    expect((await list('finalizada')).map((conversa) => conversa.id)).toContain(id)
    for (const action of ['assumir', 'finalizar']) {
      expect(await agir(id, action)).toMatchObject({ status: 409, body: { codigo: 'conversaFinalizada' } })
    }
  })

  it('answers 409 with the current operador and changes nothing', async () => {
    const id = await chegar('5511911110002')
    const other = '01900000-0000-7000-8000-000000000001'
    await app.sql(
      `update conversas set status = 'em_atendimento', operador_id = '${other}', operador = 'Rui' where id = '${id}'`,
    )
    expect(await agir(id, 'assumir')).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAssumida', operadorId: other, operador: 'Rui' },
    })
    expect((await list()).find((conversa) => conversa.id === id)).toMatchObject({ operador: 'Rui' })
  })

  it.each(['assumir', 'finalizar'])('answers 404 to %s for an unknown conversa', async (action) => {
    for (const id of ['nada', '01900000-0000-7000-8000-000000000002']) expect((await agir(id, action)).status).toBe(404)
  })
})
