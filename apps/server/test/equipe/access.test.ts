import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPONENTES } from '@balcao/contract/constants'
import type { RouteShape } from '@balcao/contract/define-route'
import { apiRoutes } from '@balcao/contract/routes/all'
import { createTestApp, PASSWORD, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { connectBot, givenConta, givenOperador, givenWaitingCustomer, withVendas } from '#test/builders.ts'

let app: TestApp
let dona: TestUser
let operadora: TestUser
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
  dona = await givenConta(app)
  operadora = await givenOperador(app, dona, { setores: ['vendas'] })
})
afterAll(() => app.close())

const rows: [string, RouteShape][] = Object.entries(apiRoutes)
/** A search without words is refused. */
const QUERY: Readonly<Record<string, string>> = { '/busca': '?q=bolo', '/atendimento/busca': '?q=bolo' }
const caminho = ({ path }: RouteShape): string =>
  path.replace(/:n\b/, '1').replace(/:\w+/g, crypto.randomUUID()) + (QUERY[path] ?? '')
const chamar = ({ request }: TestUser, row: RouteShape) =>
  request(row.method, caminho(row), row.method === 'GET' ? undefined : {})
const abre = ({ permission, deniesOperators }: RouteShape): boolean =>
  deniesOperators !== true &&
  (permission === 'publico' ||
    permission === 'logado' ||
    [permission].flat().some((componente) => componente === 'atendimentoHumano'))
const permissoes = (quem: TestUser, changed: Partial<Record<(typeof COMPONENTES)[number], boolean>>) =>
  app.admin.request('POST', `/admin/usuarios/${quem.usuario.id}/permissoes`, {
    componentesPermitidos: { ...Object.fromEntries(COMPONENTES.map((componente) => [componente, true])), ...changed },
  })

describe('an operador', () => {
  it('logs in with their setores and only atendimentoHumano', async () => {
    const expected = {
      tipo: 'operador',
      setores: ['vendas'],
      componentesPermitidos: {
        ...Object.fromEntries(COMPONENTES.map((componente) => [componente, false])),
        atendimentoHumano: true,
      },
    }
    expect(operadora.usuario).toMatchObject(expected)
    expect((await operadora.request('GET', '/auth/eu')).body).toMatchObject({ usuario: expected })
    expect((await operadora.request('GET', '/usuario/estatisticas')).body).toMatchObject({ usuario: expected })
    expect(dona.usuario).not.toHaveProperty('setores')
  })

  it.each(rows.filter(([, row]) => !abre(row)))('%s: answers 403 before validation', async (_nome, row) => {
    expect(await chamar(operadora, row)).toMatchObject({
      status: 403,
      body: { codigo: 'semPermissao' },
    })
  })

  it.each(rows.filter(([, row]) => abre(row) && row.permission !== 'publico' && row.method === 'GET'))(
    '%s: allows reading',
    async (_nome, row) => {
      expect([200, 404, 501]).toContain((await operadora.request(row.method, caminho(row))).status)
    },
  )

  it('reads the names of the people who may serve, without pending invitations', async () => {
    await dona.request('POST', '/conta/operadores', { nome: 'Convidada', email: 'convidada@loja.test', setores: [] })
    const people = [
      { id: dona.usuario.id, nome: dona.usuario.nome, setores: [], linhas: [] },
      { id: operadora.usuario.id, nome: operadora.usuario.nome, setores: ['vendas'], linhas: [] },
    ].toSorted((a, b) => a.nome.toLowerCase().localeCompare(b.nome.toLowerCase()))
    for (const { request } of [dona, operadora]) {
      expect(await request('GET', '/atendimento/atendentes')).toEqual({ status: 200, body: { atendentes: people } })
    }
  })

  it('may not change the configuracao or the setores', async () => {
    const config = Object((await operadora.request('GET', '/config')).body['config'])
    const attempts = [
      ['PUT', '/config', config],
      ['POST', '/bot/configuracao', { configuracao: config }],
      ['PUT', '/config/setores', { setores: config.atendimento.setores }],
      ['POST', `/config/versoes/${config.versao}/restaurar`, undefined],
      ['POST', '/atendimento/setores', { nome: 'Entregas' }],
      ['PUT', '/atendimento/setores/vendas', { nome: 'Compras' }],
      ['DELETE', '/atendimento/setores/vendas', undefined],
    ] as const
    for (const [metodo, onde, body] of attempts) {
      // An invalid body also answers 403, so that it does not reveal the expected shape.
      for (const corpo of body === undefined ? [body] : [body, {}]) {
        expect([onde, (await operadora.request(metodo, onde, corpo)).status]).toEqual([onde, 403])
      }
    }
    expect(Object((await dona.request('GET', '/config')).body['config'])).toEqual(config)
  })

  it('reads the configuracao with a masked key', async () => {
    const config = Object((await dona.request('GET', '/config')).body['config'])
    const key = 'AIzaSy-segredo-de-verdade-1234'
    const salva = await dona.request('PUT', '/config', { ...config, gemini: { apiKey: key } })
    expect(salva.status).toBe(200)
    for (const onde of ['/config', '/config/versoes', '/bot/status', '/sistema/status', '/auth/eu']) {
      const { status, body } = await operadora.request('GET', onde)
      expect([onde, status]).toEqual([onde, 200])
      expect(JSON.stringify(body)).not.toContain('segredo-de-verdade')
    }
    expect((await operadora.request('GET', '/config')).body).toMatchObject({
      config: { gemini: { apiKey: '••••••••1234' }, ia: { apiKey: '••••••••1234' } },
    })
  })

  it('changes their own senha and keeps only the current session', async () => {
    const pessoa = await givenOperador(app, dona)
    const other = await app.login(pessoa.usuario.email)
    const trocar = (senhaAtual: string) => pessoa.request('PUT', '/auth/senha', { senhaAtual, novaSenha: 'bem-outra' })
    expect((await trocar('errada')).status).toBe(403)
    expect((await trocar(PASSWORD)).status).toBe(204)
    expect((await pessoa.request('GET', '/auth/eu')).status).toBe(200)
    expect((await other.request('GET', '/auth/eu')).status).toBe(401)
    await app.login(pessoa.usuario.email, 'bem-outra')
  })
})

describe('permissions of the conta and its operadores', () => {
  it('blocks operadores from the next request after atendimentoHumano is removed', async () => {
    // Separate session, because the rate limit counts per token.
    const pessoa = await app.login(operadora.usuario.email)
    expect((await permissoes(dona, { atendimentoHumano: false })).status).toBe(200)
    for (const [name, row] of rows) {
      if (row.permission === 'publico' || row.permission === 'logado') continue
      // Routes with a second componente belong to the configuracao, which no operador may change.
      expect([name, (await chamar(pessoa, row)).status]).toEqual([name, 403])
    }
    const { usuario } = await app.login(operadora.usuario.email)
    expect(Object.values(usuario.componentesPermitidos)).not.toContain(true)
    await permissoes(dona, {})
    expect((await operadora.request('GET', '/atendimento/conversas')).status).toBe(200)
  })

  it('blocks operadores while the owner is inactive and allows a new login afterwards', async () => {
    const dono = await givenConta(app, 'Rui')
    const pessoa = await givenOperador(app, dono)
    const change = (ativo: boolean) => app.admin.request('PUT', `/admin/usuarios/${dono.usuario.id}/status`, { ativo })
    const login = () =>
      app.send('POST', '/auth/login', { body: { email: pessoa.usuario.email, senha: PASSWORD, lembrar: true } })
    await change(false)
    expect((await pessoa.request('GET', '/auth/eu')).status).toBe(401)
    expect(await login()).toMatchObject({ status: 403, body: { erro: 'Sua conta está inativa.' } })
    await change(true)
    expect((await pessoa.request('GET', '/auth/eu')).status).toBe(401)
    expect((await login()).status).toBe(200)
    expect((await app.admin.request('DELETE', `/admin/usuarios/${dono.usuario.id}`)).status).toBe(200)
    expect((await login()).status).toBe(401)
  })
})

describe('socket of an operador', () => {
  it('receives only conversa, presence and status events, never the QR code', async () => {
    const loja = await givenConta(app)
    const pessoa = await givenOperador(app, loja)
    const { received: doDono } = await app.connect(loja)
    const { received: dela } = await app.connect(pessoa)
    await connectBot(loja, withVendas)
    await givenWaitingCustomer(loja, '5511922220001')
    const names = (ouvidos: readonly [string, unknown][]): Set<string> => new Set(ouvidos.map(([name]) => name))
    await waitUntil(() => names(dela).has('novaConversaHumana'))
    await waitUntil(() => ['botMensagem', 'botQrCode', 'botConversaAtiva'].every((name) => names(doDono).has(name)))
    await loja.request('POST', '/bot/parar')
    await waitUntil(() => dela.some(([name, data]) => name === 'botStatusChange' && data['status'] === 'PARADO'))

    const allowed = new Set([
      'botStatus',
      'botStatusChange',
      'novaConversaHumana',
      'mensagemConversaHumana',
      'contagensMudaram',
    ])
    expect([...names(dela)].filter((name) => !allowed.has(name) && name !== 'operadorStatusChange')).toEqual([])
    const codes = doDono.flatMap(([name, data]) => (name === 'botQrCode' ? [String(data['qrCode'])] : []))
    for (const code of codes) expect(JSON.stringify(dela)).not.toContain(code)
  })
})
