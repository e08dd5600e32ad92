import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '#test/app.ts'
import { getConfig, givenConta } from '#test/builders.ts'
import { addLine, lineWith } from './lines.ts'

let app: TestApp
let dona: TestUser
let vizinha: TestUser
let filial = ''
let foreign = ''

beforeAll(async () => {
  app = await createTestApp({ requestsPerConta: 100_000 })
  dona = await withThreeLogins(await givenConta(app))
  vizinha = await givenConta(app, 'Vizinha')
  await app.request('POST', `/admin/usuarios/${dona.usuario.id}/limite-linhas`, { limiteLinhas: 20 })
  filial = (await addLine(dona, 'Filial')).id
  foreign = (await addLine(vizinha, 'Da vizinha')).id
})
afterAll(() => app.close())

/** Sends each request with the next of three logins: a login may send 100 requests a second. */
async function withThreeLogins(user: TestUser): Promise<TestUser> {
  const { email } = user.usuario
  const logins = [user, await app.login(email), await app.login(email)]
  let turn = 0
  return { ...user, request: (...request) => (logins[(turn += 1) % logins.length] ?? user).request(...request) }
}

/** All that the routes of lines may change, read without requests, which a person has a limited number of. */
const state = async () => [
  await app.sql('select * from linhas order by conta_id, id'),
  await app.sql('select conta_id, max(versao) as versao from configuracoes group by conta_id order by conta_id'),
  await app.sql('select * from webchats'),
  await app.sql('select * from linhas_oficial'),
  await app.sql('select linha_id, desejado, status from linhas_bots order by linha_id'),
]

async function refuses(expected: readonly number[], method: string, path: string, body?: unknown): Promise<void> {
  const before = await state()
  const answer = await dona.request(method, path, body)
  const what = `${method} ${path} ${JSON.stringify(body)} → ${JSON.stringify(answer.body)}`
  expect(expected, what).toContain(answer.status)
  expect(answer.body['erro'], what).toMatch(/^[A-ZÀ-Ú].*[A-Za-zà-ú.)!]$/s)
  expect(String(answer.body['erro']), what).not.toMatch(/invalid|expected|undefined|null|zod/i)
  expect(await state(), what).toEqual(before)
}

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  nome: ['', '   ', 'x'.repeat(41), 7, null, ['Filial'], {}, true],
  conector: ['', 'fax', 'WHATSAPP', 7, null, ['simulador']],
  cor: ['', 'reddish', '#ff0000', 7, null, 'red;background:url(x)'],
  setor: ['x'.repeat(81), 7, null, ['vendas']],
}
const cases = (fields: Readonly<Record<string, readonly unknown[]>>): [string, unknown][] =>
  Object.entries(fields).flatMap(([field, values]) => values.map((wrong): [string, unknown] => [field, wrong]))

describe('POST /linhas', () => {
  it.each(cases(WRONG))('refuses %s = %j', async (field, wrong) => {
    await refuses([400], 'POST', '/linhas', { nome: 'Nova', conector: 'simulador', [field]: wrong })
  })

  it.each([undefined, [], 'texto', { nome: 'Nova' }, { conector: 'simulador' }])(
    'refuses the body %j',
    async (body) => {
      await refuses([400], 'POST', '/linhas', body)
    },
  )

  it.each(['<script>alert(1)</script>', `'; drop table linhas; --`, '{nome}', '🧁'.repeat(10), '=cmd()'])(
    'stores the name %s as it is',
    async (nome) => {
      const { id } = await addLine(dona, nome)
      expect((await lineWith(dona, id)).nome).toBe(nome)
      expect((await dona.request('DELETE', `/linhas/${id}`)).status).toBe(204)
    },
  )
})

describe('PUT /linhas/:id', () => {
  it.each(
    cases({
      ...WRONG,
      ativa: ['true', 1, null],
      principal: [false, 'true', 1, null],
      versao: [0, -1, 1.5, '1', null, undefined, 2 ** 53],
    }),
  )('refuses %s = %j', async (field, wrong) => {
    const { versao } = await lineWith(dona, filial)
    await refuses([400], 'PUT', `/linhas/${filial}`, { versao, [field]: wrong })
  })

  it('refuses a setor that does not exist', async () => {
    const { versao } = await lineWith(dona, filial)
    await refuses([400], 'PUT', `/linhas/${filial}`, { versao, setor: 'nenhum' })
  })
})

describe('ids of lines', () => {
  const ROUTES = [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/status'],
    ['POST', '/iniciar'],
    ['POST', '/parar'],
    ['POST', '/limpar-sessao'],
    ['POST', '/codigo'],
    ['GET', '/oficial'],
    ['PUT', '/oficial'],
    ['GET', '/config'],
    ['PUT', '/config'],
    ['GET', '/webchat'],
    ['PUT', '/webchat'],
    ['POST', '/webchat/segredo'],
  ] as const

  it.each(ROUTES)(
    'are refused for another account, an unknown and a malformed one: %s /linhas/:id%s',
    async (method, act) => {
      const { versao } = await getConfig(app, dona)
      const bodies: Readonly<Record<string, unknown>> = {
        'PUT ': { versao: 1, nome: 'Roubada' },
        'PUT /config': { menu: null, horario: null, iaAtiva: null, versao },
        'PUT /oficial': { telefoneId: '1', contaWhatsappId: '1', token: 'x', segredo: 'y' },
        'PUT /webchat': { saudacao: 'Oi' },
        'POST /codigo': { telefone: '11987654321' },
      }
      for (const id of [foreign, crypto.randomUUID()])
        expect((await dona.request(method, `/linhas/${id}${act}`, bodies[`${method} ${act}`])).status).toBe(404)
      for (const id of [foreign, crypto.randomUUID(), 'x', '%00', '..%2f..', "'%20or%201=1", 'a'.repeat(200)])
        await refuses([400, 404], method, `/linhas/${id}${act}`, bodies[`${method} ${act}`])
      expect((await lineWith(vizinha, foreign)).nome).toBe('Da vizinha')
    },
  )
})

describe('PUT /linhas/:id/config', () => {
  it.each([
    ['menu', 7],
    ['menu', {}],
    ['menu', []],
    ['horario', 'sempre'],
    ['horario', { fuso: 'Lua/Cratera' }],
    ['iaAtiva', 'sim'],
    ['iaAtiva', true],
    ['versao', 0],
    ['versao', '1'],
    ['versao', undefined],
  ])('refuses %s = %j', async (field, wrong) => {
    const { versao } = await getConfig(app, dona)
    const body = { menu: null, horario: null, iaAtiva: null, versao, [field]: wrong }
    await refuses([400], 'PUT', `/linhas/${filial}/config`, body)
  })
})

describe('PUT /linhas/:id/webchat', () => {
  it.each([
    ['origens', 'https://loja.test'],
    ['origens', [7]],
    ['origens', ['javascript:alert(1)']],
    ['cor', '#12345'],
    ['cor', 7],
    ['saudacao', 7],
    ['saudacao', 'a'.repeat(301)],
    ['pedirNome', 'sim'],
  ])('refuses %s = %j', async (field, wrong) => {
    await dona.request('GET', `/linhas/${filial}/webchat`)
    await refuses([400], 'PUT', `/linhas/${filial}/webchat`, { [field]: wrong })
  })
})

describe('POST /linhas/:id/codigo', () => {
  it.each([{}, { telefone: '' }, { telefone: 'abc' }, { telefone: 7 }])('refuses %j', async (body) => {
    await refuses([400], 'POST', `/linhas/${filial}/codigo`, body)
  })
})

describe('POST /admin/usuarios/:id/limite-linhas', () => {
  it.each([0, 21, 1.5, '3', null, undefined])('refuses %j', async (limiteLinhas) => {
    const path = `/admin/usuarios/${dona.usuario.id}/limite-linhas`
    const answer = await app.request('POST', path, { limiteLinhas })
    expect(answer).toMatchObject({ status: 400, body: { codigo: 'dadosInvalidos' } })
    expect((await dona.request('POST', path, { limiteLinhas: 20 })).status).toBe(403)
  })
})

describe('linhaId of /simulador', () => {
  it.each(['x', 7, '', 'vizinha'])('refuses %j', async (given) => {
    const linhaId = given === 'vizinha' ? foreign : given
    const body = { telefone: '11987654321', texto: 'oi', linhaId }
    const answer = await dona.request('POST', '/simulador/mensagens', body)
    expect([400, 404]).toContain(answer.status)
    expect(await app.sql(`select 1 from mensagens where texto = 'oi'`)).toEqual([])
  })
})
