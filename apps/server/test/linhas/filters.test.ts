import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import { conversasRoute, logsRoute, mensagensRoute } from '@balcao/contract/routes/registros'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { connectBot, getConfig, givenConta, openConversas } from '#test/builders.ts'
import { addLine, changeLine, connectLine, lineWith, newPhone, shopTexts, waitingOn, writesOn } from './lines.ts'

let app: TestApp
let dona: TestUser
let first = ''
let filial = ''
const [here, there] = [newPhone(), newPhone()]
const ids = { here: '', there: '' }

const get = async (path: string) => {
  const { status, body } = await dona.request('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const act = (id: string, action: string, body?: object) =>
  dona.request('POST', `/atendimento/conversas/${id}/${action}`, body)

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  first = dona.contaId
  await connectBot(dona)
  ;({ id: filial } = await addLine(dona, 'Filial'))
  await connectLine(dona, filial)
  ids.here = await waitingOn(dona, first, here)
  ids.there = await waitingOn(dona, filial, there)
  await writesOn(dona, first, here, 'tem pitanga na principal?')
  await writesOn(dona, filial, there, 'tem pitanga na filial?')
})
afterAll(() => app.close())

describe('GET with linha', () => {
  it('lists conversas with people of the line in every view', async () => {
    const list = async (query: string): Promise<string[]> =>
      (await openConversas(dona, `?limite=200&${query}`)).map(({ id }) => id)
    for (const query of ['', 'status=aguardando', 'visao=todas', 'visao=fila', 'setor=geral', `busca=5511944`]) {
      expect(await list(`${query}&linha=${first}`)).toEqual([ids.here])
      expect(await list(`${query}&linha=${filial}`)).toEqual([ids.there])
      expect(new Set(await list(query))).toEqual(new Set([ids.here, ids.there]))
      expect(await list(`${query}&linha=${crypto.randomUUID()}`)).toEqual([])
    }
  })

  it('finds messages of the line', async () => {
    const texts = async (more: string): Promise<string[]> =>
      buscarMensagensRoute.response
        .parse(await get(`/atendimento/busca?q=pitanga${more}`))
        .resultados.map(({ trecho }) => trecho)
    await waitUntil(async () => (await texts('')).length === 2)
    expect(await texts(`&linha=${first}`)).toEqual(['tem pitanga na principal?'])
    expect(await texts(`&linha=${filial}`)).toEqual(['tem pitanga na filial?'])
    expect(await texts(`&linha=${crypto.randomUUID()}`)).toEqual([])
  })

  it('reports the line, and the parts add up to the whole', async () => {
    await act(ids.there, 'mensagem', { mensagem: 'Temos!' })
    const total = async (more: string) =>
      relatorioRoute.response.parse(await get(`/atendimento/relatorio${more}`)).total.conversas
    const [whole, one, other] = [await total(''), await total(`?linha=${first}`), await total(`?linha=${filial}`)]
    expect([one, other, whole]).toEqual([1, 1, 2])
    expect(await total(`?linha=${crypto.randomUUID()}`)).toBe(0)
  })

  it('lists messages of the line', async () => {
    const texts = async (line: string): Promise<string> =>
      JSON.stringify(mensagensRoute.response.parse(await get(`/mensagens?linha=${line}`)).mensagens)
    expect(await texts(first)).toContain('pitanga na principal')
    expect(await texts(first)).not.toContain('pitanga na filial')
    expect(await texts(filial)).toContain('pitanga na filial')
    expect(await texts(filial)).not.toContain('pitanga na principal')
  })

  it('lists conversas of the bot of the line', async () => {
    const [one, other] = [newPhone(), newPhone()]
    await writesOn(dona, first, one, 'oi')
    await writesOn(dona, filial, other, 'oi')
    const phones = async (more: string): Promise<string> =>
      JSON.stringify(conversasRoute.response.parse(await get(`/conversas${more}`)).conversas)
    expect(await phones(`?linha=${first}`)).toContain(one)
    expect(await phones(`?linha=${first}`)).not.toContain(other)
    expect(await phones(`?linha=${filial}`)).toContain(other)
    expect(await phones(`?linha=${filial}`)).not.toContain(one)
    expect(await phones('')).toContain(other)
  })

  it('lists log entries of the line', async () => {
    const messages = async (more: string): Promise<string[]> =>
      logsRoute.response.parse(await get(`/logs${more}`)).logs.map(({ mensagem }) => mensagem)
    const before = (await messages(`?linha=${first}`)).length
    await dona.request('POST', `/linhas/${filial}/parar`)
    await connectLine(dona, filial)
    const [all, own, other] = [
      await messages(''),
      await messages(`?linha=${filial}`),
      await messages(`?linha=${first}`),
    ]
    expect(own.length).toBeGreaterThan(0)
    expect(other.length).toBe(before)
    expect(all).toEqual(expect.arrayContaining([...own, ...other]))
  })

  it.each([
    '/atendimento/conversas',
    '/atendimento/conversas?status=bot',
    '/atendimento/busca?q=pitanga',
    '/atendimento/relatorio',
    '/mensagens',
    '/logs',
    '/conversas',
  ])('refuses an id that is too long or malformed on %s', async (path) => {
    const glue = path.includes('?') ? '&' : '?'
    expect((await dona.request('GET', `${path}${glue}linha=${'a'.repeat(300)}`)).status).toBe(400)
    const malformed = await dona.request('GET', `${path}${glue}linha=x%27;--`)
    expect(malformed).toMatchObject({ status: 404, body: { codigo: 'naoEncontrado' } })
  })
})

describe('{linha}', () => {
  it('is the name of the line in the menu and follows a new name', async () => {
    const { versao, menu } = await getConfig(app, dona)
    const saved = await dona.request('PUT', '/config', {
      ...(await getConfig(app, dona)),
      menu: { ...menu, digitando: false, mensagens: { ...menu.mensagens, boasVindas: 'Aqui é {linha}, {nome}' } },
      versao,
    })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    const [one, other, renamed] = [newPhone(), newPhone(), newPhone()]
    const greets = (line: string, telefone: string, text: string) =>
      waitUntil(async () => (await shopTexts(dona, line, telefone)).some((texto) => texto.startsWith(text)))
    await writesOn(dona, first, one, 'oi')
    await greets(first, one, 'Aqui é Principal')
    await writesOn(dona, filial, other, 'oi')
    await greets(filial, other, 'Aqui é Filial')
    expect((await changeLine(dona, filial, { nome: 'Loja 2' })).status).toBe(200)
    await writesOn(dona, filial, renamed, 'oi')
    await greets(filial, renamed, 'Aqui é Loja 2')
    expect((await lineWith(dona, filial)).nome).toBe('Loja 2')
  })
})
