import { type MockInstance, afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isDeepStrictEqual } from 'node:util'
import { setoresRoute } from '@balcao/contract/routes/atendimento-resumo'
import { createTestApp, type TestApp, FIXED_DAY, waitUntil } from '#test/app.ts'
import { givenConta, givenOperador, givenPerson, getConfig, type TestPerson } from '#test/builders.ts'

let app: TestApp
let notified: MockInstance<TestApp['deps']['bots']['contextChanged']>
beforeAll(async () => {
  app = await createTestApp(FIXED_DAY)
  notified = vi.spyOn(app.deps.bots, 'contextChanged')
})
afterAll(() => app.close())

const ask = async (
  { token }: TestPerson,
  method: string,
  { id, body }: { readonly id?: string; readonly body?: unknown } = {},
): Promise<readonly [number, Record<string, unknown>]> => {
  const path = `/atendimento/setores${id === undefined ? '' : `/${id}`}`
  const reply = await app.send(method, path, { token, ...(body === undefined ? {} : { body }) })
  return [reply.status, reply.body]
}

const ids = async (pessoa: TestPerson): Promise<string[]> =>
  (await getConfig(app, pessoa)).atendimento.setores.map(({ id }) => id)

describe('/atendimento/setores', () => {
  it('lists the setores of the configuration', async () => {
    const pessoa = await givenPerson(app)
    const [status, body] = await ask(pessoa, 'GET')
    expect(status).toBe(200)
    const { setores } = (await getConfig(app, pessoa)).atendimento
    expect(body['setores']).toEqual(setores.map((setor) => expect.objectContaining({ ...setor })))
  })

  it('counts the operadores of each setor, and the owner where no operador serves', async () => {
    const dono = await givenConta(app)
    const counts = async (): Promise<unknown> => {
      const { setores } = setoresRoute.response.parse((await dono.request('GET', '/atendimento/setores')).body)
      return Object.fromEntries(setores.map(({ id, pessoas, online }) => [id, [pessoas, online]]))
    }
    expect(await counts()).toMatchObject({ geral: [1, 0], vendas: [1, 0], financeiro: [1, 0] })
    const vera = await givenOperador(app, dono, { nome: 'Vera', setores: ['vendas'] })
    const fabio = await givenOperador(app, dono, { nome: 'Fábio', setores: ['vendas', 'suporte'] })
    expect(await counts()).toMatchObject({ geral: [2, 0], vendas: [2, 0], suporte: [1, 0], financeiro: [1, 0] })
    app.openSocket(vera.token)
    app.openSocket(dono.token)
    await waitUntil(async () => isDeepStrictEqual(Object(await counts())['vendas'], [2, 1]))
    await waitUntil(async () => isDeepStrictEqual(Object(await counts())['financeiro'], [1, 1]))
    await app.sql(`update usuarios set status = 'inativo' where id = $1`, [fabio.usuario.id])
    expect(await counts()).toMatchObject({ geral: [1, 1], vendas: [1, 1], suporte: [1, 1] })
  })

  it('appends a new setor with an id from its name and notifies the bot', async () => {
    const pessoa = await givenPerson(app)
    const before = await ids(pessoa)
    const [status, body] = await ask(pessoa, 'POST', { body: { nome: '  Pós Venda ' } })
    expect(status).toBe(200)
    expect(body['setor']).toMatchObject({ id: 'pos_venda', nome: 'Pós Venda', cor: 'blue', ativo: true })
    await ask(pessoa, 'POST', { body: { nome: 'pós venda', cor: 'red', ativo: false } })
    expect(await ids(pessoa)).toEqual([...before, 'pos_venda', 'pos_venda_2'])
    expect(notified).toHaveBeenCalledWith(pessoa.contaId)
  })

  it('keeps the id on a rename and fields that are not given', async () => {
    const pessoa = await givenPerson(app)
    const [, before] = await ask(pessoa, 'POST', { body: { nome: 'Trocas', cor: 'pink' } })
    const [status, body] = await ask(pessoa, 'PUT', { id: 'trocas', body: { nome: 'Devoluções' } })
    expect(status).toBe(200)
    expect(body['setor']).toEqual({ ...Object(before['setor']), nome: 'Devoluções' })
    const [, after] = await ask(pessoa, 'PUT', { id: 'trocas', body: { ativo: false } })
    expect(after['setor']).toMatchObject({ id: 'trocas', nome: 'Devoluções', cor: 'pink', ativo: false })
  })

  it('deletes any setor but Geral and redirects its menu options to Geral', async () => {
    const pessoa = await givenPerson(app)
    await ask(pessoa, 'POST', { body: { nome: 'Oficina' } })
    const { menu, versao } = await getConfig(app, pessoa)
    const opcoes = menu.opcoes.map((opcao) => (opcao.tipo === 'humano' ? { ...opcao, setor: 'oficina' } : opcao))
    const config = { ...(await getConfig(app, pessoa)), menu: { ...menu, opcoes }, versao }
    expect((await app.send('PUT', '/config', { token: pessoa.token, body: config })).status).toBe(200)
    const [status, body] = await ask(pessoa, 'DELETE', { id: 'oficina' })
    expect([status, body['sucesso']]).toEqual([200, true])
    const after = await getConfig(app, pessoa)
    expect(body['setores']).toEqual(after.atendimento.setores)
    expect(after.atendimento.setores.map(({ id }) => id)).not.toContain('oficina')
    expect(after.menu.opcoes.find(({ tipo }) => tipo === 'humano')?.setor).toBe('geral')
    expect(await ask(pessoa, 'DELETE', { id: 'geral' })).toMatchObject([409, { codigo: 'setorGeral' }])
  })

  it.each([
    ['POST', {}, 'Nome do setor é obrigatório'],
    ['POST', { nome: '   ' }, 'Nome do setor é obrigatório'],
    ['POST', { nome: 'x'.repeat(61) }, ''],
    ['POST', { nome: 'Cor', cor: 'ciano' }, ''],
  ])('rejects %s %j and changes nothing', async (method, body, sentence) => {
    const pessoa = await givenPerson(app)
    const before = await getConfig(app, pessoa)
    const [status, refusal] = await ask(pessoa, method, { body })
    expect(status).toBe(400)
    expect(JSON.stringify(refusal)).toContain(sentence)
    expect(await getConfig(app, pessoa)).toEqual(before)
  })

  it('answers 404 for another conta’s setor and 403 without atendimentoHumano', async () => {
    const [ana, rui] = [await givenPerson(app), await givenPerson(app)]
    await ask(ana, 'POST', { body: { nome: 'Da Ana' } })
    for (const method of ['PUT', 'DELETE'] as const) {
      const refusal = await ask(rui, method, { id: 'da_ana', ...(method === 'PUT' ? { body: { nome: 'Meu' } } : {}) })
      expect(refusal).toMatchObject([404, { codigo: 'naoEncontrado' }])
    }
    expect(await ids(ana)).toContain('da_ana')
    const semAtendimento = await givenPerson(app, { sem: ['atendimentoHumano'] })
    expect((await ask(semAtendimento, 'GET'))[0]).toBe(403)
  })
})
