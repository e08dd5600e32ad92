import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiRoutes } from '@balcao/contract/routes/all'
import { ADMIN, type ContasTestApp, createContasTestApp, type TestResponse } from '#test/auth/contas-test-app.ts'

let app: ContasTestApp
let admin: string
beforeAll(async () => {
  app = await createContasTestApp()
})
afterAll(() => app.close())

let n = 0
beforeEach(async () => {
  n += 1
  admin = await app.admin()
  app.calls.length = 0
})

const SENHA = 'senha-de-teste'
const NINGUEM = '00000000-0000-4000-8000-000000000000'

type Metodo = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Metodo, path: string, body?: unknown, token = admin): Promise<TestResponse> =>
  app.request(method, path, body === undefined ? { token } : { token, body })

interface Pessoa {
  readonly id: string
  readonly contaId: string
  readonly email: string
  readonly token: string
}

async function person(): Promise<Pessoa> {
  const email = `pessoa${n}-${Math.random().toString(36).slice(2, 8)}@loja.test`
  const id = await app.register(email)
  await app.approve(id)
  const { rows } = await app.database.owner.query('select conta_id from usuarios where id = $1', [id])
  return { id, email, contaId: String(rows[0]?.conta_id), token: await app.login(email, SENHA) }
}

async function addAdmin(email: string): Promise<string> {
  const fresh = { nome: 'Vice', email, senha: SENHA, tipo: 'admin' }
  const { status } = await call('POST', '/admin/usuarios', fresh)
  expect(status).toBe(201)
  const { rows } = await app.database.owner.query('select id from usuarios where email = $1 and excluido_em is null', [
    email,
  ])
  return String(rows[0]?.id)
}

async function wishBot(contaId: string): Promise<void> {
  await app.database.owner.query("insert into bots (conta_id, desejado, status) values ($1, true, 'CONECTADO')", [
    contaId,
  ])
}

describe('GET /admin/usuarios', () => {
  it('returns whether the bot is connected, and whether only to the simulador', async () => {
    const { contaId, email } = await person()
    await wishBot(contaId)
    const shown = async (): Promise<unknown> => (await call('GET', `/admin/usuarios?busca=${email}`)).body
    expect(await shown()).toMatchObject({ usuarios: [{ botConectado: true, modoTeste: true }] })
    await app.database.owner.query("update bots set conector = 'whatsapp' where conta_id = $1", [contaId])
    expect(await shown()).toMatchObject({ usuarios: [{ botConectado: true, modoTeste: false }] })
  })
})

describe('PUT /admin/usuarios/:id/status', () => {
  it('activates a user once, with a mail', async () => {
    const email = `novo${n}@loja.test`
    const id = await app.register(email)
    const { status, body } = await call('PUT', `/admin/usuarios/${id}/status`, { status: 'ativo' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ usuario: { id, status: 'ativo', ativo: true, mensagensHoje: 0, percentualUso: 0 } })
    await call('PUT', `/admin/usuarios/${id}/status`, { ativo: true })
    const { rows } = await app.database.owner.query(
      "select assunto from emails where para = $1 and tipo = 'ativacao'",
      [email],
    )
    expect(rows).toEqual([{ assunto: 'Sua conta no Balcão está ativa' }])
    await app.login(email, SENHA)
  })

  it('ends sessions, sockets and the bot when set to inactive', async () => {
    const { id, contaId, email, token } = await person()
    await wishBot(contaId)
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(200)
    const { body } = await call('PUT', `/admin/usuarios/${id}/status`, { ativo: false })
    expect(body).toMatchObject({ usuario: { status: 'inativo', ativo: false } })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(401)
    expect(app.calls).toEqual([`disconnect {"contaId":"${contaId}"}`, `parar ${contaId}`])
    const { rows } = await app.database.owner.query('select desejado from bots where conta_id = $1', [contaId])
    expect(rows).toEqual([{ desejado: false }])

    await call('PUT', `/admin/usuarios/${id}/status`, { ativo: true })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(401)
    await app.login(email, SENHA)
  })

  it('applies the owner’s status to every user of the account', async () => {
    const { id, contaId } = await person()
    const email = `atende${n}@loja.test`
    await app.database.owner.query(
      `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
       select $1, $2, 'Olga', $3, 'operador', 'ativo', senha_hash from usuarios where id = $4`,
      [app.deps.ids.uuid(), contaId, email, id],
    )
    const operadora = await app.login(email, SENHA)
    const eu = await call('GET', '/auth/eu', undefined, operadora)
    expect(eu.body).toMatchObject({
      usuario: { tipo: 'operador', componentesPermitidos: { atendimentoHumano: true, iaChatbot: false } },
    })
    await call('PUT', `/admin/usuarios/${id}/status`, { ativo: false })
    expect((await call('GET', '/auth/eu', undefined, operadora)).status).toBe(401)
    expect(await app.request('POST', '/auth/login', { body: { email, senha: SENHA } })).toMatchObject({
      status: 403,
      body: { erro: 'Sua conta está inativa.' },
    })
  })

  it('rejects contradictory, empty and unknown values', async () => {
    const { id } = await person()
    for (const body of [
      { status: 'ativo', ativo: false },
      {},
      { status: 'pendente' },
      { status: 'inativo', ativo: 'não' },
    ]) {
      expect((await call('PUT', `/admin/usuarios/${id}/status`, body)).status).toBe(400)
    }
    const { body } = await call('PUT', `/admin/usuarios/${id}/status`, { status: 'inativo', ativo: false })
    expect(body).toMatchObject({ usuario: { status: 'inativo' } })
  })
})

describe('last active admin', () => {
  const idOf = async (): Promise<string> => {
    const { body } = await call('GET', '/auth/eu')
    return String(Reflect.get(Object(body['usuario']), 'id'))
  }

  it('cannot be deactivated or deleted', async () => {
    const id = await idOf()
    const refusal = { status: 409, body: { codigo: 'ultimoAdmin' } }
    expect(await call('PUT', `/admin/usuarios/${id}/status`, { ativo: false })).toMatchObject(refusal)
    expect(await call('DELETE', `/admin/usuarios/${id}`)).toMatchObject(refusal)
    expect((await call('GET', '/auth/eu')).status).toBe(200)
  })

  it('remains when two admins remove each other in parallel', async () => {
    for (let vez = 0; vez < 5; vez += 1) {
      const um = await idOf()
      const other = await addAdmin(`vice${n}-${vez}@balcao.test`)
      const outroToken = await app.login(`vice${n}-${vez}@balcao.test`, SENHA)
      const respostas = await Promise.all([
        call('DELETE', `/admin/usuarios/${other}`),
        call('PUT', `/admin/usuarios/${um}/status`, { ativo: false }, outroToken),
      ])
      const { rows } = await app.database.owner.query(
        "select id from usuarios where tipo = 'admin' and status = 'ativo' and excluido_em is null",
      )
      expect(rows).toHaveLength(1)
      expect(respostas.filter(({ status }) => status === 200)).toHaveLength(1)
      if (rows[0]?.id !== um) {
        await call('PUT', `/admin/usuarios/${um}/status`, { ativo: true }, outroToken)
        admin = await app.admin()
        await call('DELETE', `/admin/usuarios/${other}`)
      }
    }
  })
})

describe('DELETE /admin/usuarios/:id', () => {
  it('ends sessions, sockets and the bot and hides the account', async () => {
    const { id, contaId, email, token } = await person()
    expect(await call('DELETE', `/admin/usuarios/${id}`)).toMatchObject({ status: 200, body: { sucesso: true } })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(401)
    expect(app.calls).toEqual([`disconnect {"contaId":"${contaId}"}`, `parar ${contaId}`])
    expect((await app.request('POST', '/auth/login', { body: { email, senha: SENHA } })).status).toBe(401)
    expect((await call('DELETE', `/admin/usuarios/${id}`)).status).toBe(404)
    expect((await call('PUT', `/admin/usuarios/${id}/status`, { ativo: true })).status).toBe(404)
    const { body } = await call('GET', `/admin/usuarios?busca=${email}`)
    expect(body).toEqual({ usuarios: [], total: 0 })
  })

  it('answers 409 under a legal hold, which still allows a deactivation', async () => {
    const { id, token } = await person()
    const hold = (guardaLegal: boolean) => call('PUT', '/lgpd/privacidade', { guardaLegal }, token)
    await hold(true)
    expect(await call('DELETE', `/admin/usuarios/${id}`)).toMatchObject({
      status: 409,
      body: { codigo: 'conflito', erro: expect.stringContaining('guarda legal') },
    })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(200)
    await hold(false)
    expect((await call('DELETE', `/admin/usuarios/${id}`)).status).toBe(200)

    const other = await person()
    await call('PUT', '/lgpd/privacidade', { guardaLegal: true }, other.token)
    expect((await call('PUT', `/admin/usuarios/${other.id}/status`, { ativo: false })).status).toBe(200)
  })
})

describe('POST /admin/usuarios/:id/restaurar', () => {
  it('restores the account with its users and reserves the address until then', async () => {
    const { id, contaId, email, token } = await person()
    const saiuAntes = app.deps.ids.uuid()
    const fica = app.deps.ids.uuid()
    for (const [operador, name] of [
      [saiuAntes, 'saiu'],
      [fica, 'fica'],
    ]) {
      await app.database.owner.query(
        `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash, excluido_em)
         select $1::uuid, $2, $3, $4, 'operador', 'ativo', senha_hash, $5::timestamptz from usuarios where id = $6`,
        [operador, contaId, name, `${name}${n}@equipe.test`, name === 'saiu' ? app.deps.clock.now() : null, id],
      )
    }
    app.advance(1000)
    await call('DELETE', `/admin/usuarios/${id}`)
    const deleted = await call('GET', `/admin/usuarios?status=excluido&busca=${email}`)
    const em = app.deps.clock.now()
    expect(deleted.body).toMatchObject({
      total: 1,
      usuarios: [{ id, excluidoEm: em.toISOString(), apagaEm: new Date(em.getTime() + 30 * 86_400_000).toISOString() }],
    })
    const fresh = { nome: 'Outra', email, senha: SENHA, telefone: '', empresa: '' }
    expect(await app.request('POST', '/auth/register', { body: fresh })).toMatchObject({ status: 409 })
    expect(await call('POST', '/admin/usuarios', fresh)).toMatchObject({
      status: 409,
      body: { codigo: 'emailJaCadastrado', erro: expect.stringContaining('conta excluída') },
    })

    expect(await call('POST', `/admin/usuarios/${id}/restaurar`)).toMatchObject({
      status: 200,
      body: { usuario: { id, email, status: 'ativo' } },
    })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(401)
    await app.login(email, SENHA)
    await app.login(`fica${n}@equipe.test`, SENHA)
    const { status } = await app.request('POST', '/auth/login', {
      body: { email: `saiu${n}@equipe.test`, senha: SENHA },
    })
    expect(status).toBe(401)
    expect((await call('GET', `/admin/usuarios?status=excluido&busca=${email}`)).body).toEqual({
      usuarios: [],
      total: 0,
    })
    expect(await call('POST', `/admin/usuarios/${id}/restaurar`)).toMatchObject({
      status: 409,
      body: { codigo: 'naoExcluido' },
    })
  })

  it('rejects a restore after 30 days', async () => {
    const { id } = await person()
    await call('DELETE', `/admin/usuarios/${id}`)
    app.advance(30 * 86_400_000)
    admin = await app.admin()
    expect(await call('POST', `/admin/usuarios/${id}/restaurar`)).toMatchObject({
      status: 409,
      body: { codigo: 'prazoDeRestauracao' },
    })
  })
})

describe('GET /admin/atividade', () => {
  it('returns the latest action of five users, each once', async () => {
    app.advance(60_000)
    const { id } = await person()
    app.advance(1000)
    await call('POST', `/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia: 7 })
    const { body } = await call('GET', '/admin/atividade')
    const { atividades } = apiRoutes.adminAtividade.response.parse(body)
    expect(atividades[0]).toMatchObject({ usuario: { id }, acao: 'limiteAlterado', proprio: false })
    expect(atividades[1]).toMatchObject({ usuario: { email: ADMIN.email }, acao: 'entrar', proprio: true })
    expect(new Set(atividades.map(({ usuario }) => usuario.id)).size).toBe(5)
  })
})

describe('POST /admin/usuarios', () => {
  it('creates an active user with defaults and rejects a known address', async () => {
    const email = `criado${n}@loja.test`
    const fresh = { nome: 'Criado', email: email.toUpperCase(), senha: SENHA, plano: 'doacao', status: 'inativo' }
    const { status, body } = await call('POST', '/admin/usuarios', fresh)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      usuario: { email, status: 'ativo', tipo: 'usuario', plano: 'doacao', limiteMensagensDia: 1000, telefone: '' },
    })
    expect(JSON.stringify(body)).not.toMatch(/senha|argon2/)
    await app.login(email, SENHA)
    expect(await call('POST', '/admin/usuarios', fresh)).toMatchObject({
      status: 409,
      body: { erro: 'Este e-mail já está cadastrado' },
    })
    expect((await call('POST', '/admin/usuarios', { ...fresh, tipo: 'operador' })).status).toBe(400)
  })
})

describe('POST /admin/usuarios with a plan', () => {
  it.each([
    ['doacao', { plano: 'doacao', limite: 1000, ia: true, opcoes: null }],
    ['gratuito', { plano: 'gratuito', limite: 500, ia: false, opcoes: 5 }],
    [undefined, { plano: 'gratuito', limite: 750, ia: true, opcoes: null }],
  ] as const)('stores the limits of the plan %s, or the defaults without one', async (plano, limits) => {
    await call('PUT', '/admin/configuracoes', { mensagensPorDia: 750 })
    const email = `plano-${plano}@loja.test`
    const fresh = { nome: 'Com plano', email, senha: SENHA, ...(plano === undefined ? {} : { plano }) }
    const { body } = await call('POST', '/admin/usuarios', fresh)
    expect(body).toMatchObject({ usuario: { plano: limits.plano, limiteMensagensDia: limits.limite } })
    const { rows } = await app.database.owner.query(
      `select plano, limite_mensagens_dia as limite, ia_permitida as ia, opcoes_menu_maximo as opcoes
         from contas join usuarios on usuarios.conta_id = contas.id where email = $1`,
      [email],
    )
    expect(rows).toEqual([limits])
    const trail = await call('GET', `/admin/auditoria?quem=${email}&acao=planoAplicado`)
    expect(trail.body['atos']).toHaveLength(plano === undefined ? 0 : 1)
    await call('PUT', '/admin/configuracoes', { mensagensPorDia: 1000 })
  })
})

describe('GET /admin/usuarios', () => {
  it('pages newest first without gaps or repeats and searches', async () => {
    const emails: string[] = []
    for (let vez = 0; vez < 5; vez += 1) {
      app.advance(1000)
      const email = `lista${vez}@pagina${n}.test`
      await app.register(email)
      emails.unshift(email)
    }
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await call('GET', `/admin/usuarios?busca=PAGINA${n}.test&limite=2${cursor}`)
      const usuarios = Array.isArray(body['usuarios']) ? body['usuarios'] : []
      seen.push(...usuarios.map((usuario) => String(Reflect.get(Object(usuario), 'email'))))
      cursor = typeof body['proximoCursor'] === 'string' ? `&cursor=${body['proximoCursor']}` : ''
    } while (cursor !== '')
    expect(seen).toEqual(emails)
    expect((await call('GET', '/admin/usuarios?cursor=nada')).status).toBe(400)
    const porcento = await call('GET', '/admin/usuarios?busca=%25')
    expect(porcento.body).toEqual({ usuarios: [], total: 0 })
  })

  it('sorts by any column, pages by number and ignores accents', async () => {
    const gente = ['Zeca', 'Álvaro', 'beatriz', 'Ênio'].map((nome, vez) => ({ nome, email: `${vez}@ordem${n}.test` }))
    for (const { nome, email } of gente) {
      app.advance(1000)
      await call('POST', '/admin/usuarios', { nome, email, senha: SENHA })
    }
    await app.database.owner.query(
      `insert into uso_diario (conta_id, dia, usadas, total)
       select conta_id, $2::date, 900, 900 from usuarios where email = $1`,
      [`2@ordem${n}.test`, app.deps.clock.now().toISOString().slice(0, 10)],
    )
    const names = async (query: string): Promise<string[]> => {
      const { body } = await call('GET', `/admin/usuarios?busca=@ordem${n}.test&${query}`)
      expect(body).toMatchObject({ total: 4 })
      const usuarios = Array.isArray(body['usuarios']) ? body['usuarios'] : []
      return usuarios.map((usuario) => String(Reflect.get(Object(usuario), 'nome')))
    }
    expect(await names('ordem=nome&direcao=asc')).toEqual(['Álvaro', 'beatriz', 'Ênio', 'Zeca'])
    expect(await names('ordem=nome&direcao=desc&limite=3&pagina=2')).toEqual(['Álvaro'])
    expect(await names('ordem=contato&direcao=asc')).toEqual(['Zeca', 'Álvaro', 'beatriz', 'Ênio'])
    expect((await names('ordem=uso&direcao=desc'))[0]).toBe('beatriz')
    expect(await names('pagina=1')).toEqual(['Ênio', 'beatriz', 'Álvaro', 'Zeca'])
    expect(await names('pagina=9')).toEqual([])
    const { body } = await call('GET', `/admin/usuarios?busca=ALVARO 1@ordem${n}`)
    expect(body).toMatchObject({ total: 1, usuarios: [{ nome: 'Álvaro' }] })
    expect((await call('GET', '/admin/usuarios?ordem=senha')).status).toBe(400)
  })

  it('finds a telefone in display or stored format', async () => {
    const email = `fone${n}@loja.test`
    await call('POST', '/admin/usuarios', { nome: 'Íris', email, senha: SENHA, telefone: '11955554321' })
    for (const search of ['(11) 95555-4321', '95555-4321', '11955554321', '11 95555']) {
      const { body } = await call('GET', `/admin/usuarios?busca=${encodeURIComponent(search)}`)
      expect(body, search).toMatchObject({ total: 1, usuarios: [{ email }] })
    }
    expect((await call('GET', '/admin/usuarios?busca=()')).body).toMatchObject({ total: 0 })
  })

  it('filters by status, also within a search', async () => {
    const wait = `espera@estado${n}.test`
    await app.register(wait)
    await app.approve(await app.register(`dentro@estado${n}.test`))
    const emails = async (status: string): Promise<string[]> => {
      const { body } = await call('GET', `/admin/usuarios?busca=estado${n}.test&status=${status}`)
      const usuarios = Array.isArray(body['usuarios']) ? body['usuarios'] : []
      return usuarios.map((usuario) => String(Reflect.get(Object(usuario), 'email')))
    }
    expect(await emails('pendente')).toEqual([wait])
    expect(await emails('ativo')).toEqual([`dentro@estado${n}.test`])
    expect(await emails('inativo')).toEqual([])
    expect((await call('GET', '/admin/usuarios?status=outro')).status).toBe(400)
  })

  it('limits this and all other admin routes to admins', async () => {
    const { id, token } = await person()
    const routes: readonly [Metodo, string, unknown?][] = [
      ['GET', '/admin/usuarios'],
      ['POST', '/admin/usuarios', {}],
      ['GET', '/admin/stats'],
      ['GET', '/admin/emails'],
      ['GET', '/admin/configuracoes'],
      ['PUT', '/admin/configuracoes', {}],
      ['PUT', `/admin/usuarios/${id}/status`, { ativo: true }],
      ['DELETE', `/admin/usuarios/${id}`],
      ['GET', `/admin/usuarios/${id}/estatisticas`],
      ['POST', `/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia: 1_000_000 }],
      ['POST', `/admin/usuarios/${id}/permissoes`, {}],
      ['PUT', `/admin/usuarios/${id}/plano`, { plano: 'doacao' }],
      ['POST', `/admin/usuarios/${id}/reset-contador`],
      ['POST', `/admin/usuarios/${id}/restaurar`],
      ['GET', '/admin/auditoria'],
      ['GET', '/admin/atividade'],
    ]
    for (const [method, path, body] of routes) {
      expect(await call(method, path, body, token), path).toMatchObject({ status: 403 })
      const semToken = await app.request(method, path, body === undefined ? {} : { body })
      expect(semToken.status, path).toBe(401)
    }
  })

  it('answers 404 for unknown and malformed ids', async () => {
    const componentes = Object.fromEntries(
      ['configuracaoGeral', 'mensagensMenus', 'iaChatbot', 'logsStatus', 'atendimentoHumano', 'lojaWhatsapp'].map(
        (name) => [name, true],
      ),
    )
    for (const id of [NINGUEM, 'nada', "'; drop table usuarios; --"]) {
      const base = `/admin/usuarios/${encodeURIComponent(id)}`
      const respostas = [
        await call('PUT', `${base}/status`, { ativo: true }),
        await call('DELETE', base),
        await call('GET', `${base}/estatisticas`),
        await call('POST', `${base}/limite-mensagens`, { limiteMensagensDia: 5 }),
        await call('POST', `${base}/permissoes`, { componentesPermitidos: componentes }),
        await call('PUT', `${base}/plano`, { plano: 'doacao' }),
        await call('POST', `${base}/reset-contador`),
        await call('POST', `${base}/restaurar`),
      ]
      expect(respostas.map(({ status }) => status)).toEqual(Array(8).fill(404))
    }
  })
})

describe('admin account', () => {
  it('has no daily limit in any number shown', async () => {
    const { body } = await call('GET', `/admin/usuarios?busca=${ADMIN.email}`)
    expect(body).toMatchObject({ usuarios: [{ email: ADMIN.email, tipo: 'admin', percentualUso: 0 }] })
    const propria = await call('GET', '/usuario/estatisticas')
    expect(propria.body).toMatchObject({ sucesso: true, usuario: { limiteDiario: null, percentualUso: 0 } })
  })
})
