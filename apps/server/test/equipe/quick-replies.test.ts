import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { givenConta, givenOperador } from '#test/builders.ts'

let app: TestApp
let dona: TestUser
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
  dona = await givenConta(app)
})
afterAll(() => app.close())

const ROTA = '/atendimento/respostas-rapidas'
const read = async ({ request }: TestUser = dona) => (await request('GET', ROTA)).body['respostas']
const save = (respostas: unknown, { request }: TestUser = dona) => request('PUT', ROTA, { respostas })
const OI = { atalho: 'oi', texto: 'Oi! Como posso ajudar?', setores: [] }
const PIX = { atalho: 'pix', texto: 'Nossa chave é pix@loja.test', setores: [] }

it('starts empty, keeps the order and is shared within the conta', async () => {
  expect(await read()).toEqual([])
  const operadora = await givenOperador(app, dona)
  expect(await save([PIX, { atalho: ' OI ', texto: `  ${OI.texto} ` }], operadora)).toMatchObject({
    status: 200,
    body: { respostas: [PIX, OI] },
  })
  expect(await read()).toEqual([PIX, OI])
  expect(await read(await givenConta(app))).toEqual([])
  await save([OI])
  expect(await read(operadora)).toEqual([OI])
})

it('rejects repeated and invalid atalhos with their path and changes nothing', async () => {
  await save([OI, PIX])
  expect(await save([OI, PIX, { ...PIX, atalho: 'Oi' }])).toMatchObject({
    status: 400,
    body: { codigo: 'dadosInvalidos', detalhes: [{ caminho: 'respostas.2.atalho' }] },
  })
  const muitas = Array.from({ length: 101 }, (_, i) => ({ atalho: `r${i}`, texto: 'x' }))
  for (const wrong of [[{ atalho: 'olá', texto: 'x' }], [{ atalho: 'x', texto: ' ' }], muitas, 'oi']) {
    expect((await save(wrong)).status).toBe(400)
  }
  expect(await read()).toEqual([OI, PIX])
})

it('stores one of several simultaneous lists completely', async () => {
  const a = [OI, PIX]
  const b = [{ ...PIX, texto: 'outra' }, OI]
  const respostas = await Promise.all([save(a), save(b), save(a), save(b)])
  expect(respostas.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect([a, b]).toContainEqual(await read())
})

it('rejects an outdated versao, also for simultaneous saves', async () => {
  await save([OI])
  const parsed = await dona.request('GET', ROTA)
  const { versao } = parsed.body
  const comVersao = (respostas: unknown) => dona.request('PUT', ROTA, { respostas, versao })
  const respostas = await Promise.all([comVersao([OI, PIX]), comVersao([{ ...OI, texto: 'Olá!' }]), comVersao([PIX])])
  expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  const salva = respostas.find(({ status }) => status === 200)
  expect(await read()).toEqual(salva?.body['respostas'])
  expect(respostas.find(({ status }) => status === 409)?.body).toMatchObject({ codigo: 'conflito' })

  const now = await dona.request('GET', ROTA)
  expect(now.body['versao']).toBe(salva?.body['versao'])
  const denovo = await dona.request('PUT', ROTA, { respostas: [PIX], versao: now.body['versao'] })
  expect(denovo.status).toBe(200)
  // The versao depends on the content, so the earlier list accepts its earlier versao.
  await save([OI])
  expect((await comVersao([OI, PIX])).status).toBe(200)
})

it('gives an operador the replies of their setores and those for all, and keeps the others on a save', async () => {
  const vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] })
  const only = (setores: string[], atalho: string) => ({ atalho, texto: 'x', setores })
  const [vendas, both] = [only(['vendas'], 'promo'), only(['suporte', 'vendas'], 'troca')]
  const [suporte, geral] = [only(['suporte'], 'senha'), only(['geral'], 'endereco')]
  expect((await save([OI, suporte, vendas, both, geral])).status).toBe(200)
  expect(await read(vera)).toEqual([OI, vendas, both, geral])
  expect(await read()).toEqual([OI, suporte, vendas, both, geral])
  const taken = await save([OI, { ...PIX, atalho: 'senha' }], vera)
  expect(taken.body).toMatchObject({ codigo: 'dadosInvalidos', detalhes: [{ caminho: 'respostas.1.atalho' }] })
  expect(await save([PIX, vendas], vera)).toMatchObject({ status: 200, body: { respostas: [PIX, vendas] } })
  expect(await read()).toEqual([PIX, suporte, vendas])

  expect(await save([OI, only(['vendas', 'lua'], 'mar')])).toMatchObject({
    status: 400,
    body: { codigo: 'setorDesconhecido', detalhes: [{ caminho: 'respostas.1.setores.1' }] },
  })
  await save([vendas, both])
  expect((await dona.request('DELETE', '/atendimento/setores/vendas')).status).toBe(200)
  expect(await read()).toEqual([
    { ...vendas, setores: [] },
    { ...both, setores: ['suporte'] },
  ])
})
