import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, FIXED_DAY } from '#test/app.ts'
import { givenPerson, getConfig, type TestPerson } from '#test/builders.ts'

let app: TestApp
let pessoa: TestPerson
let config: Awaited<ReturnType<typeof getConfig>>
beforeAll(async () => {
  app = await createTestApp(FIXED_DAY)
  pessoa = await givenPerson(app)
  config = await getConfig(app, pessoa)
})
afterAll(() => app.close())

const PUT = (raw: string): ReturnType<TestApp['send']> => app.send('PUT', '/config', { token: pessoa.token, raw })

describe('PUT /config with an invalid body', () => {
  const ruins: readonly [string, () => unknown, string][] = [
    [
      'a text where a number belongs',
      () => ({ ...config, menu: { ...config.menu, tentativas: '3' } }),
      'menu.tentativas',
    ],
    ['a list instead of a section', () => ({ ...config, ia: [] }), 'ia'],
    ['a missing section', () => ({ ...config, menu: undefined }), 'menu'],
    [
      'a temperature above one',
      () => ({ ...config, ia: { ...config.ia, temperaturaResposta: 1.1 } }),
      'ia.temperaturaResposta',
    ],
    ['an empty menu text', () => ({ ...config, menu: { ...config.menu, menuPrincipal: '  ' } }), 'menu.menuPrincipal'],
    ['an empty list of options', () => ({ ...config, menu: { ...config.menu, opcoes: [] } }), 'menu.opcoes'],
    [
      'a repeated option number',
      () => ({
        ...config,
        menu: { ...config.menu, opcoes: config.menu.opcoes.map((opcao) => ({ ...opcao, numero: '1' })) },
      }),
      'menu.opcoes.1.numero',
    ],
    [
      'a clientId that is a path',
      () => ({ ...config, whatsapp: { ...config.whatsapp, clientId: '../etc' } }),
      'whatsapp.clientId',
    ],
    [
      'a text longer than 4096 characters',
      () => ({ ...config, menu: { ...config.menu, menuPrincipal: 'a'.repeat(4097) } }),
      'menu.menuPrincipal',
    ],
    [
      'an unknown connector',
      () => ({ ...config, whatsapp: { ...config.whatsapp, conector: 'fax' } }),
      'whatsapp.conector',
    ],
    ...['SST', '-03:00', 'CET'].map((fuso): [string, () => unknown, string] => [
      `the time zone ${fuso}, which PostgreSQL rejects or reads differently`,
      () => ({
        ...config,
        atendimento: { ...config.atendimento, horario: { ...config.atendimento.horario, fuso } },
      }),
      'atendimento.horario.fuso',
    ]),
    [
      'an unknown time zone',
      () => ({
        ...config,
        atendimento: { ...config.atendimento, horario: { ...config.atendimento.horario, fuso: 'Marte/Sul' } },
      }),
      'atendimento.horario.fuso',
    ],
  ]
  it.each(ruins)('rejects %s with 400 and the path of the field', async (_nome, corpo, path) => {
    const { status, body } = await PUT(JSON.stringify(corpo()))
    expect(status).toBe(400)
    expect(body).toMatchObject({ codigo: 'dadosInvalidos' })
    expect(JSON.stringify(body['detalhes'])).toContain(`"${path}"`)
    expect(await getConfig(app, pessoa)).toEqual(config)
  })

  const crus: readonly [string, () => string, number][] = [
    ['invalid JSON', () => '{', 400],
    ['null', () => 'null', 400],
    ['a bare list', () => '[]', 400],
    ['JSON with 1,000 levels', () => '['.repeat(1000) + ']'.repeat(1000), 400],
    ['a __proto__ key', () => JSON.stringify(config).replace('{', '{"__proto__":{"admin":true},'), 400],
    [
      'a nested constructor key',
      () => JSON.stringify(config).replace('"menu":{', '"menu":{"constructor":{"prototype":{}},'),
      400,
    ],
    ['a body above 256 KB', () => JSON.stringify({ ...config, lixo: 'x'.repeat(300_000) }), 413],
  ]
  it.each(crus)('rejects %s and keeps the configuration', async (_nome, cru, expected) => {
    const { status, body } = await PUT(cru())
    expect(status).toBe(expected)
    expect(typeof body['erro']).toBe('string')
    expect(await getConfig(app, pessoa)).toEqual(config)
  })

  it('rejects an XML body with 400 or 415', async () => {
    const reply = await fetch(`${app.url}/api/config`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${pessoa.token}`, 'content-type': 'text/xml' },
      body: '<config/>',
    })
    expect([400, 415]).toContain(reply.status)
  })
})

describe('PUT /config with unusual text', () => {
  it('removes NUL, replaces a lone surrogate and drops unknown keys', async () => {
    const cru = JSON.stringify({ ...config, versao: undefined, intruso: 1 }).replace(
      JSON.stringify(config.menu.menuPrincipal),
      String.raw`"antes\u0000depois \ud800 fim"`,
    )
    const { status, text } = await PUT(cru)
    expect(status).toBe(200)
    expect(text).not.toContain('intruso')
    expect((await getConfig(app, pessoa)).menu.menuPrincipal).toBe('antesdepois \ufffd fim')
  })

  it('stores braces, markers, emoji and markup unchanged', async () => {
    const menuPrincipal = '*{nome}* <script>alert(1)</script> 👋 \u202e {outro} {{nome}}'
    const current = await getConfig(app, pessoa)
    await PUT(JSON.stringify({ ...current, menu: { ...current.menu, menuPrincipal } }))
    expect((await getConfig(app, pessoa)).menu.menuPrincipal).toBe(menuPrincipal)
  })
})
