import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteShape } from '@balcao/contract/define-route'
import { sessoesRoute } from '@balcao/contract/routes/sessoes'
import { apiRoutes } from '@balcao/contract/routes/all'
import { weaknessOf } from '#modules/auth/senha/password-rule.ts'
import { createTestApp, PASSWORD, type TestApp, type TestUser } from '#test/app.ts'
import { getConfig, givenConta, givenOperador } from '#test/builders.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type RecordedDatabase, recordStatements } from '#test/recorded-database.ts'
import { codeAt } from './code-at.ts'
import { enrolTotp, openDesafio } from './identity.ts'

const MINUTE_MS = 60_000
const rows: [string, RouteShape][] = Object.entries(apiRoutes)

let database: TestDatabase
let recorded: RecordedDatabase
let app: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  recorded = recordStatements(database.db)
  app = await createTestApp({ database, db: recorded.db, now: '2026-03-10T15:00:00.000Z', background: false })
})
afterAll(async () => {
  await app?.close()
  await database?.drop()
})

type Reply = Awaited<ReturnType<typeof ask>>

function ask({ method, path }: RouteShape, { token }: Pick<TestUser, 'token'>) {
  const url = `/api${path.replace(/:\w+/g, randomUUID())}`
  // Not parsed by a route that refuses before its body.
  return app.server.http.inject({ method, url, headers: { authorization: `Bearer ${token}` } })
}

const codeOf = (reply: Reply): unknown => {
  const isJson = String(reply.headers['content-type']).includes('json')
  return isJson && reply.statusCode >= 400 ? reply.json().codigo : null
}

/** Fewer than the 200 requests that a token may send in 2 s. The routes are more. */
const ROWS_OF_A_TOKEN = 150

const enrol = (user: Pick<TestUser, 'token'>) => enrolTotp(app.send, user.token, () => app.deps.clock.now())

const confirm = async (user: TestUser, body: object): Promise<readonly [number, unknown]> => {
  const answer = await user.request('POST', '/auth/confirmar', body)
  return [answer.status, answer.body['codigo']]
}

async function refusedSocket({ token }: Pick<TestUser, 'token'>): Promise<string> {
  const socket = app.openSocket(token)
  const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve))
  socket.disconnect()
  return String(Reflect.get(Object(Reflect.get(error, 'data')), 'codigo'))
}

describe('a demanded second factor', () => {
  it('leaves only enrolment and logout to owners and operadores without one, over sockets too', async () => {
    const dono = await givenConta(app)
    const operador = await givenOperador(app, dono)
    const { socket } = await app.connect(operador)
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    const saved = await dono.request('PUT', '/conta/seguranca', { exigirSegundoFator: 'todos', versao: 1 })
    expect(saved).toMatchObject({ status: 200, body: { exigirSegundoFator: 'todos', sessaoHoras: 720, versao: 2 } })
    await closed
    for (const user of [dono, operador]) {
      expect(await refusedSocket(user)).toBe('segundoFatorObrigatorio')
      const logIn = async (): Promise<string> => {
        const login = await app.send('POST', '/auth/login', { body: { email: user.usuario.email, senha: PASSWORD } })
        expect(login.body).toMatchObject({ cadastrarSegundoFator: true })
        return String(login.body['token'])
      }
      const open = new Set<string>()
      let token = ''
      // The logout ends the session itself, so it comes last.
      const asked = rows.filter(([name, { permission }]) => permission !== 'publico' && name !== 'logout')
      for (const [at, [name, row]] of asked.entries()) {
        if (at % ROWS_OF_A_TOKEN === 0) token = await logIn()
        if (codeOf(await ask(row, { token })) !== 'segundoFatorObrigatorio') open.add(name)
      }
      expect([...open].toSorted()).toEqual(
        ['confirmar', 'confirmarTotp', 'criarPasskey', 'eu', 'iniciarTotp', 'opcoesNovaPasskey', 'passkeys'].toSorted(),
      )
      expect((await ask(apiRoutes.logout, { token })).statusCode).toBe(204)
    }
    await enrol(operador)
    expect((await operador.request('GET', '/atendimento/conversas')).status).toBe(200)
    const { socket: reopened } = await app.connect(operador)
    reopened.disconnect()
  })

  it('of owners does not bind operadores', async () => {
    const dono = await givenConta(app)
    const operador = await givenOperador(app, dono)
    await dono.request('PUT', '/conta/seguranca', { exigirSegundoFator: 'donos' })
    expect((await operador.request('GET', '/atendimento/conversas')).status).toBe(200)
    expect((await dono.request('GET', '/conta/operadores')).body['codigo']).toBe('segundoFatorObrigatorio')
  })

  it('of administrators binds them and no owner, and ends when it is switched off', async () => {
    const dono = await givenConta(app)
    const save = (exigirSegundoFatorAdmin: boolean) =>
      app.request('PUT', '/admin/configuracoes', { exigirSegundoFatorAdmin })
    expect((await save(true)).status).toBe(200)
    expect((await save(false)).body['codigo']).toBe('segundoFatorObrigatorio')
    expect((await dono.request('GET', '/config')).status).toBe(200)
    await app.sql('update configuracoes_admin set exigir_segundo_fator_admin = false')
    await app.deps.forgetSessions()
    expect((await app.request('GET', '/admin/configuracoes')).status).toBe(200)
  })

  it('is changed only by owners, from the version that they saw', async () => {
    const dono = await givenConta(app)
    const operador = await givenOperador(app, dono)
    expect((await operador.request('GET', '/conta/seguranca')).status).toBe(403)
    expect((await dono.request('PUT', '/conta/seguranca', { sessaoHoras: 24, versao: 9 })).body).toMatchObject({
      codigo: 'versaoDesatualizada',
      versao: 1,
    })
    for (const bad of [
      {},
      { sessaoHoras: 0 },
      { sessaoHoras: 721 },
      { sessaoHoras: 1.5 },
      { exigirSegundoFator: 'eu' },
    ])
      expect((await dono.request('PUT', '/conta/seguranca', bad)).status).toBe(400)
    expect((await dono.request('GET', '/conta/seguranca')).body).toEqual({
      ...{ exigirSegundoFator: 'ninguem', sessaoHoras: 720, versao: 1 },
    })
  })
})

/** Sensitive acts of the design. Some rows check only when a key, an e-mail or a password changes. */
const GUARDED = [
  'apagarTitular',
  'confirmarTotp',
  'criarPasskey',
  'encerrarSessoesOperador',
  'excluirLinha',
  'excluirOperador',
  'excluirUsuario',
  'exportarContatos',
  'iniciarTotp',
  'liberarCopia',
  'limparConversas',
  'manutencao',
  'novosCodigos',
  'opcoesNovaPasskey',
  'removerPasskey',
  'removerSegundoFatorOperador',
  'removerSegundoFatorUsuario',
  'removerTotp',
  'restaurarConfig',
  'restaurarUsuario',
  'salvarHostsIa',
  'salvarSegurancaConta',
  'segredoWebchat',
  'trocarSenha',
]

describe('a confirmation', () => {
  it('is asked before every sensitive act, 10 minutes after the login, of a person with a second factor', async () => {
    expect(rows.flatMap(([name, { stepUp }]) => (stepUp === true ? [name] : [])).toSorted()).toEqual(GUARDED)
    const { body } = await app.request('POST', '/admin/usuarios', {
      ...{ nome: 'Rita', email: 'rita@loja.test', senha: PASSWORD, telefone: '', empresa: '', tipo: 'admin' },
    })
    expect(Reflect.get(Object(body['usuario']), 'segundoFator')).toBe(false)
    const rita = await app.login('rita@loja.test')
    const { segredo } = await enrol(rita)
    expect((await rita.request('POST', '/auth/recuperacao')).status).toBe(200)
    app.advance(10 * MINUTE_MS)
    await app.deps.forgetSessions()
    for (const [name, row] of rows.filter(([, { stepUp }]) => stepUp === true)) {
      const reply = await ask(row, rita)
      expect([name, reply.statusCode, reply.json()]).toMatchObject([
        name,
        403,
        { codigo: 'confirmacaoNecessaria', metodos: ['senha', 'totp'] },
      ])
    }
    expect((await rita.request('GET', '/contatos')).status).toBe(200)
    expect(await confirm(rita, { senha: 'errada' })).toEqual([403, 'senhaAtualIncorreta'])
    expect(await confirm(rita, { codigo: '000000' })).toEqual([403, 'codigoIncorreto'])
    expect(await confirm(rita, { codigo: codeAt(segredo, app.deps.clock.now()) })).toEqual([204, undefined])
    expect((await rita.request('GET', '/contatos/exportar')).status).toBe(200)
    app.advance(10 * MINUTE_MS)
    await app.deps.forgetSessions()
    expect((await rita.request('GET', '/contatos/exportar')).status).toBe(403)
    expect(await confirm(rita, { senha: PASSWORD })).toEqual([204, undefined])
    // The confirmation replaces the password of the maintenance switch.
    expect((await rita.request('POST', '/sistema/manutencao', { ativa: true })).status).toBe(200)
  })

  it('is asked where a key, a password or an e-mail changes, and not for other fields', async () => {
    const dono = await givenConta(app)
    const operador = await givenOperador(app, dono)
    await enrol(dono)
    app.advance(10 * MINUTE_MS)
    await app.deps.forgetSessions()
    const { versao: _, ...config } = await getConfig(app, dono)
    const apiKey = 'AIzaUmaChaveDeTesteQueNaoExiste'
    const path = `/conta/operadores/${operador.usuario.id}`
    const oficial = { telefoneId: '1', contaWhatsappId: '2', token: '', segredo: '' }
    const asked: readonly (readonly [string, string, object])[] = [
      ['PUT', '/config', { ...config, gemini: { apiKey }, ia: { ...config.ia, apiKey } }],
      ['PUT', '/whatsapp-oficial', { ...oficial, token: 'EAAtoken' }],
      ['PUT', path, { senha: 'outra-senha-boa' }],
      ['PUT', path, { email: 'outro@loja.test' }],
    ]
    for (const [method, url, body] of asked) {
      expect([url, (await dono.request(method, url, body)).body['codigo']]).toEqual([url, 'confirmacaoNecessaria'])
    }
    expect((await dono.request('PUT', '/config', config)).status).toBe(200)
    expect((await dono.request('PUT', '/whatsapp-oficial', oficial)).status).toBe(200)
    expect((await dono.request('PUT', path, { nome: 'Olavo', email: operador.usuario.email })).status).toBe(200)
    expect(await confirm(dono, { senha: PASSWORD })).toEqual([204, undefined])
    for (const [method, url, body] of asked)
      expect([url, (await dono.request(method, url, body)).status]).toEqual([url, 200])
  })

  it('is not asked of people without a second factor', async () => {
    const dono = await givenConta(app)
    app.advance(60 * MINUTE_MS)
    expect((await dono.request('GET', '/contatos/exportar')).status).toBe(200)
    expect((await dono.request('DELETE', '/conversas')).status).toBe(200)
    expect((await dono.request('POST', '/sistema/manutencao', { ativa: true })).body['erro']).toBe(
      'Digite a senha para continuar',
    )
  })

  it('takes exactly one proof, and counts a wrong one as a wrong login', async () => {
    const dono = await givenConta(app)
    for (const bad of [
      {},
      { senha: PASSWORD, codigo: '123456' },
      { codigo: 'abcdef' },
      { senha: '' },
      { credencial: {} },
    ])
      expect((await dono.request('POST', '/auth/confirmar', bad)).status).toBe(400)
    for (let i = 0; i < 10; i += 1)
      expect(await confirm(dono, { senha: 'errada' })).toEqual([403, 'senhaAtualIncorreta'])
    expect(await confirm(dono, { senha: PASSWORD })).toEqual([429, 'muitasTentativas'])
    const login = { email: dono.usuario.email, senha: PASSWORD }
    expect((await app.send('POST', '/auth/login', { body: login })).status).toBe(429)
    app.advance(60 * MINUTE_MS)
  })
})

describe('own sessions', () => {
  it('are listed with their device and ended one by one or together', async () => {
    const dono = await givenConta(app)
    const { email } = dono.usuario
    const [second, third] = [await app.login(email), await app.login(email)]
    const listed = async () => sessoesRoute.response.parse((await dono.request('GET', '/auth/sessoes')).body).sessoes
    const sessions = await listed()
    expect(sessions.map(({ atual }) => atual).toSorted((a, b) => Number(a) - Number(b))).toEqual([false, false, true])
    expect(sessions[0]).toMatchObject({ ip: '127.0.0.1', aparelho: 'Aparelho desconhecido', metodo: 'senha' })
    const other = sessions.find(({ atual }) => !atual)
    const stranger = await givenConta(app)
    expect((await stranger.request('DELETE', `/auth/sessoes/${other?.id}`)).status).toBe(404)
    for (const id of ['x', randomUUID(), 'f'.repeat(32)])
      expect((await dono.request('DELETE', `/auth/sessoes/${id}`)).status).toBe(404)
    expect((await dono.request('DELETE', `/auth/sessoes/${other?.id}`)).status).toBe(204)
    expect((await dono.request('DELETE', `/auth/sessoes/${other?.id}`)).status).toBe(404)
    expect(await listed()).toHaveLength(2)
    expect((await dono.request('DELETE', '/auth/sessoes')).status).toBe(204)
    expect(await listed()).toHaveLength(1)
    for (const { request } of [second, third]) expect((await request('GET', '/auth/eu')).status).toBe(401)
    expect((await dono.request('GET', '/auth/eu')).status).toBe(200)
  })

  it('end after the hours of the conta, also those that began before', async () => {
    const dono = await givenConta(app)
    const socket = await app.connect(dono)
    const closed = new Promise((resolve) => socket.socket.once('disconnect', resolve))
    expect((await dono.request('PUT', '/conta/seguranca', { sessaoHoras: 1 })).status).toBe(200)
    await closed
    const fresh = await app.send('POST', '/auth/login', {
      body: { email: dono.usuario.email, senha: PASSWORD, lembrar: true },
    })
    expect(fresh.body['expiraEm']).toBe(new Date(app.deps.clock.now().getTime() + 60 * MINUTE_MS).toISOString())
    app.advance(30 * MINUTE_MS)
    expect((await dono.request('GET', '/auth/eu')).status).toBe(200)
    app.advance(30 * MINUTE_MS)
    expect((await dono.request('GET', '/auth/eu')).status).toBe(401)
    const other = await givenConta(app)
    const { sessoes } = sessoesRoute.response.parse((await other.request('GET', '/auth/sessoes')).body)
    expect(sessoes).toHaveLength(1)
  })

  it('write to the person about a browser that is new, once', async () => {
    const dono = await givenConta(app)
    const { email } = dono.usuario
    const enter = async (agent: string): Promise<void> => {
      const headers = { 'user-agent': agent }
      const url = '/api/auth/login'
      const reply = await app.server.http.inject({ method: 'POST', url, headers, payload: { email, senha: PASSWORD } })
      expect(reply.statusCode).toBe(200)
    }
    const chrome = (version: number): string =>
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`
    await enter(chrome(130))
    await enter(chrome(131))
    const mails = await app.sql(`select texto from emails where para = $1 and tipo = 'seguranca'`, [email])
    expect(mails).toEqual([{ texto: expect.stringContaining('aparelho novo: Chrome no Windows, endereço 127.0.0.1') }])
    const acts = await app.sql(`select detalhe from auditoria where quem_email = $1 and acao = 'entrar' order by id`, [
      email,
    ])
    expect(acts).toEqual([{ detalhe: '' }, { detalhe: 'Aparelho novo: Chrome no Windows' }, { detalhe: '' }])
  })
})

describe('a lost phone', () => {
  it('of an operador is helped by the owner of the same conta', async () => {
    const [dono, stranger] = [await givenConta(app), await givenConta(app)]
    const operador = await givenOperador(app, dono)
    await enrol(operador)
    const path = `/conta/operadores/${operador.usuario.id}/segundo-fator`
    expect((await stranger.request('DELETE', path)).status).toBe(404)
    expect((await operador.request('DELETE', path)).status).toBe(403)
    const { body } = await dono.request('GET', '/conta/operadores')
    expect(Object(body['operadores'])[0]).toMatchObject({ segundoFator: true })
    expect((await dono.request('DELETE', path)).status).toBe(204)
    expect((await dono.request('DELETE', path)).body['codigo']).toBe('semSegundoFator')
    expect((await operador.request('GET', '/auth/eu')).status).toBe(401)
    const again = await app.login(operador.usuario.email)
    expect((await dono.request('DELETE', `/conta/operadores/${operador.usuario.id}/sessoes`)).status).toBe(204)
    expect((await again.request('GET', '/auth/eu')).status).toBe(401)
    const mails = await app.sql(`select assunto from emails where para = $1 order by id`, [operador.usuario.email])
    expect(mails.map(({ assunto }) => assunto)).toEqual([
      'A verificação em duas etapas da sua conta mudou',
      'A verificação em duas etapas da sua conta foi removida',
      'As suas sessões no Balcão foram encerradas',
    ])
  })

  it('of an owner is helped by the administrator alone', async () => {
    const dono = await givenConta(app)
    await enrol(dono)
    const path = `/admin/usuarios/${dono.usuario.id}/segundo-fator`
    expect((await dono.request('DELETE', path)).status).toBe(403)
    const { body } = await app.request('GET', `/admin/usuarios?busca=${dono.usuario.email}`)
    expect(Object(body['usuarios'])[0]).toMatchObject({ segundoFator: true })
    expect((await app.request('DELETE', path)).status).toBe(204)
    const acts = await app.sql(
      `select quem_email from auditoria where alvo_id = $1 and acao = 'segundoFatorRemovido'`,
      [dono.usuario.id],
    )
    expect(acts).toEqual([{ quem_email: app.admin.usuario.email }])
    expect((await app.login(dono.usuario.email)).usuario.id).toBe(dono.usuario.id)
  })
})

describe('the rule for new passwords', () => {
  const owner = {
    nome: 'Mariana Souza',
    email: 'mariana@paoquente.test',
    empresa: 'Padaria Pão Quente',
    tipo: 'usuario' as const,
  }
  const strict = { politicaSenha: 'forte' as const, recusarComuns: false }
  const usual = { politicaSenha: 'padrao' as const, recusarComuns: false }
  const judge = (senha: string, segundoFator: boolean, rule: typeof strict | typeof usual = strict) =>
    weaknessOf(senha, { ...owner, segundoFator }, rule)

  it('forte asks for 15 characters, or 8 with a second factor, and composes nothing', async () => {
    expect(await judge('curta-demais-14', false)).toBeNull()
    expect(await judge('curta-demais-1', false)).toContain('15 caracteres')
    expect(await judge('zkqvwxmp', true)).toBeNull()
    expect(await judge('zkqvwxm', true)).toContain('8 caracteres')
    expect(await judge('çãõáéíóúâêôàüñç', false)).toBeNull()
  })

  it.each(['cachorro', 'Cachorro123!', 'senhasenhasenhasenha', 'aaaaaaaaaaaaaaaa', 'administrator', 'felicidade2024'])(
    'forte refuses %s as common',
    async (senha) => expect(await judge(senha, true)).toContain('muito comum'),
  )

  it.each(['marianasouza123', 'Mariana@PaoQuente.test', 'padaria-pao-quente', 'souza.mariana.2024'])(
    'forte refuses %s as personal',
    async (senha) => expect(await judge(senha, true)).toContain('seu nome'),
  )

  it('padrao refuses the commonest passwords and the e-mail only when switched on', async () => {
    const on = { ...usual, recusarComuns: true }
    for (const senha of ['123456', 'SENHA123', owner.email]) {
      expect(await judge(senha, false)).not.toBeNull()
      expect(await weaknessOf(senha, { ...owner, segundoFator: false }, usual)).toBeNull()
      expect(await weaknessOf(senha, { ...owner, segundoFator: false }, on)).not.toBeNull()
      expect(await weaknessOf(senha, { ...owner, tipo: 'admin', segundoFator: false }, usual)).not.toBeNull()
    }
    expect(await weaknessOf('cachorro', { ...owner, segundoFator: false }, on)).toBeNull()
  })

  it('holds at each place that takes a new password', async () => {
    const dono = await givenConta(app)
    const operador = await givenOperador(app, dono)
    expect((await app.request('PUT', '/admin/configuracoes', { politicaSenha: 'forte' })).status).toBe(200)
    expect((await app.send('GET', '/auth/opcoes')).body).toMatchObject({ politicaSenha: 'forte' })
    await app.send('POST', '/auth/esqueci-senha', { body: { email: dono.usuario.email } })
    const { text } = await app.send('GET', '/admin/emails', { token: app.admin.token })
    const [, token = ''] = /redefinir-senha\?token=([\w-]+)/.exec(text) ?? []
    const weak = 'curta-14-sinais'.slice(0, 14)
    const person = { nome: 'Nina', email: 'nina@loja.test', telefone: '', empresa: '' }
    const places = [
      await app.send('POST', '/auth/register', { body: { ...person, senha: weak } }),
      await app.send('POST', '/auth/redefinir-senha', { body: { token, senha: weak } }),
      await dono.request('PUT', '/auth/senha', { senhaAtual: PASSWORD, novaSenha: weak }),
      await app.request('POST', '/admin/usuarios', { ...person, senha: weak }),
      await dono.request('POST', '/conta/operadores', { nome: 'Nina', email: person.email, setores: [], senha: weak }),
      await dono.request('PUT', `/conta/operadores/${operador.usuario.id}`, { senha: weak }),
    ]
    for (const { status, body } of places) {
      expect([status, body['codigo']]).toEqual([400, 'dadosInvalidos'])
      expect(body['detalhes']).toEqual([
        { caminho: expect.stringMatching(/^(senha|novaSenha)$/), mensagem: expect.stringContaining('15 caracteres') },
      ])
    }
    const good = 'xadrez-turquesa-lampiao'
    expect((await app.send('POST', '/auth/redefinir-senha', { body: { token, senha: good } })).status).toBe(204)
    expect((await app.request('PUT', '/admin/configuracoes', { politicaSenha: 'padrao' })).status).toBe(200)
  })
})

describe('the cost', () => {
  it('of checking a session is one statement, with and without a second factor', async () => {
    const dono = await givenConta(app)
    const statements = async (): Promise<readonly string[]> => {
      await app.deps.forgetSessions()
      const from = recorded.transactions.length
      await dono.request('GET', '/auth/passkeys')
      return recorded.transactions.slice(from)[0] ?? []
    }
    await statements()
    expect(await statements()).toEqual(['sessao-do-token'])
    await enrol(dono)
    expect(await statements()).toEqual(['sessao-do-token'])
  })

  it('of a wrong password is equal for a known and an unknown e-mail', async () => {
    const dono = await givenConta(app)
    const statements = async (email: string): Promise<readonly number[]> => {
      const from = recorded.transactions.length
      await app.send('POST', '/auth/login', { body: { email, senha: 'errada-mesmo' } })
      return recorded.transactions.slice(from).map(({ length }) => length)
    }
    const known = await statements(dono.usuario.email)
    expect(known.at(-1)).toBe(1)
    expect(await statements('ninguem-com-este@loja.test')).toEqual(known)
  })

  it('of a second step ends the first one', async () => {
    const dono = await givenConta(app)
    const { segredo } = await enrol(dono)
    app.advance(MINUTE_MS)
    const { desafio } = await openDesafio(app.send, { email: dono.usuario.email, senha: PASSWORD })
    const body = { desafio, codigo: codeAt(segredo, app.deps.clock.now()) }
    expect((await app.send('POST', '/auth/segundo-fator', { body })).status).toBe(200)
    expect(await app.sql('select count(*)::int as n from desafios where usuario_id = $1', [dono.usuario.id])).toEqual([
      { n: 0 },
    ])
  })
})
