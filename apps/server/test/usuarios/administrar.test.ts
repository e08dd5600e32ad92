import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN, type ContasApp, createContasApp, type Resposta } from '#test/auth/contas-app.ts'

let app: ContasApp
let admin: string
beforeAll(async () => {
  app = await createContasApp()
})
afterAll(() => app.close())

let n = 0
beforeEach(async () => {
  n += 1
  admin = await app.admin()
  app.feito.length = 0
})

const SENHA = 'senha-de-teste'
const NINGUEM = '00000000-0000-4000-8000-000000000000'

type Metodo = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (metodo: Metodo, path: string, body?: unknown, token = admin): Promise<Resposta> =>
  app.request(metodo, path, body === undefined ? { token } : { token, body })

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
  const { rows } = await app.banco.owner.query('select conta_id from usuarios where id = $1', [id])
  return { id, email, contaId: String(rows[0]?.conta_id), token: await app.login(email, SENHA) }
}

async function addAdmin(email: string): Promise<string> {
  const nova = { nome: 'Vice', email, senha: SENHA, tipo: 'admin' }
  const { status } = await call('POST', '/admin/usuarios', nova)
  expect(status).toBe(201)
  const { rows } = await app.banco.owner.query('select id from usuarios where email = $1 and excluido_em is null', [
    email,
  ])
  return String(rows[0]?.id)
}

async function wishBot(contaId: string): Promise<void> {
  await app.banco.owner.query("insert into bots (conta_id, desejado, status) values ($1, true, 'CONECTADO')", [contaId])
}

describe('the status of a user', () => {
  it('is approved once: active, told by mail, and the password of the sign-up works', async () => {
    const email = `novo${n}@loja.test`
    const id = await app.register(email)
    const { status, body } = await call('PUT', `/admin/usuarios/${id}/status`, { status: 'ativo' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ usuario: { id, status: 'ativo', ativo: true, mensagensHoje: 0, percentualUso: 0 } })
    await call('PUT', `/admin/usuarios/${id}/status`, { ativo: true })
    const { rows } = await app.banco.owner.query("select assunto from emails where para = $1 and tipo = 'ativacao'", [
      email,
    ])
    expect(rows).toEqual([{ assunto: 'Sua conta no Balcão está ativa' }])
    await app.login(email, SENHA)
  })

  it('inactive ends the session from the next request on, its sockets and its bot, and old tokens stay dead', async () => {
    const { id, contaId, email, token } = await person()
    await wishBot(contaId)
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(200)
    const { body } = await call('PUT', `/admin/usuarios/${id}/status`, { ativo: false })
    expect(body).toMatchObject({ usuario: { status: 'inativo', ativo: false } })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(401)
    expect(app.feito).toEqual([`disconnect {"contaId":"${contaId}"}`, `parar ${contaId}`])
    const { rows } = await app.banco.owner.query('select desejado from bots where conta_id = $1', [contaId])
    expect(rows).toEqual([{ desejado: false }])

    await call('PUT', `/admin/usuarios/${id}/status`, { ativo: true })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(401)
    await app.login(email, SENHA)
  })

  it('of an owner is the status of everybody in the account', async () => {
    const { id, contaId } = await person()
    const email = `atende${n}@loja.test`
    await app.banco.owner.query(
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

  it('refuses a contradiction, an empty body and another word', async () => {
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

describe('the last active administrator', () => {
  const idOf = async (): Promise<string> => {
    const { body } = await call('GET', '/auth/eu')
    return String(Reflect.get(Object(body['usuario']), 'id'))
  }

  it('can be neither deactivated nor deleted', async () => {
    const id = await idOf()
    const recusa = { status: 409, body: { codigo: 'ultimoAdmin' } }
    expect(await call('PUT', `/admin/usuarios/${id}/status`, { ativo: false })).toMatchObject(recusa)
    expect(await call('DELETE', `/admin/usuarios/${id}`)).toMatchObject(recusa)
    expect((await call('GET', '/auth/eu')).status).toBe(200)
  })

  it('stays when two remove each other at the same moment', async () => {
    for (let vez = 0; vez < 5; vez += 1) {
      const um = await idOf()
      const outro = await addAdmin(`vice${n}-${vez}@balcao.test`)
      const outroToken = await app.login(`vice${n}-${vez}@balcao.test`, SENHA)
      const respostas = await Promise.all([
        call('DELETE', `/admin/usuarios/${outro}`),
        call('PUT', `/admin/usuarios/${um}/status`, { ativo: false }, outroToken),
      ])
      const { rows } = await app.banco.owner.query(
        "select id from usuarios where tipo = 'admin' and status = 'ativo' and excluido_em is null",
      )
      expect(rows).toHaveLength(1)
      expect(respostas.filter(({ status }) => status === 200)).toHaveLength(1)
      if (rows[0]?.id !== um) {
        await call('PUT', `/admin/usuarios/${um}/status`, { ativo: true }, outroToken)
        admin = await app.admin()
        await call('DELETE', `/admin/usuarios/${outro}`)
      }
    }
  })
})

describe('DELETE /admin/usuarios/:id', () => {
  it('ends everything and frees the address', async () => {
    const { id, contaId, email, token } = await person()
    expect(await call('DELETE', `/admin/usuarios/${id}`)).toMatchObject({ status: 200, body: { sucesso: true } })
    expect((await call('GET', '/auth/eu', undefined, token)).status).toBe(401)
    expect(app.feito).toEqual([`disconnect {"contaId":"${contaId}"}`, `parar ${contaId}`])
    expect((await app.request('POST', '/auth/login', { body: { email, senha: SENHA } })).status).toBe(401)
    expect((await call('DELETE', `/admin/usuarios/${id}`)).status).toBe(404)
    expect((await call('PUT', `/admin/usuarios/${id}/status`, { ativo: true })).status).toBe(404)
    const { body } = await call('GET', `/admin/usuarios?busca=${email}`)
    expect(body).toEqual({ usuarios: [] })
    expect(await app.register(email)).not.toBe(id)
  })
})

describe('POST /admin/usuarios', () => {
  it('makes an active user with the defaults, and refuses a known address', async () => {
    const email = `criado${n}@loja.test`
    const nova = { nome: 'Criado', email: email.toUpperCase(), senha: SENHA, plano: 'doacao', status: 'inativo' }
    const { status, body } = await call('POST', '/admin/usuarios', nova)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      usuario: { email, status: 'ativo', tipo: 'usuario', plano: 'doacao', limiteMensagensDia: 1000, telefone: '' },
    })
    expect(JSON.stringify(body)).not.toMatch(/senha|argon2/)
    await app.login(email, SENHA)
    expect(await call('POST', '/admin/usuarios', nova)).toMatchObject({
      status: 409,
      body: { erro: 'Este e-mail já está cadastrado' },
    })
    expect((await call('POST', '/admin/usuarios', { ...nova, tipo: 'operador' })).status).toBe(400)
  })
})

describe('GET /admin/usuarios', () => {
  it('is newest first, in pages that neither repeat nor miss, and searches', async () => {
    const emails: string[] = []
    for (let vez = 0; vez < 5; vez += 1) {
      app.advance(1000)
      const email = `lista${vez}@pagina${n}.test`
      await app.register(email)
      emails.unshift(email)
    }
    const vistos: string[] = []
    let cursor = ''
    do {
      const { body } = await call('GET', `/admin/usuarios?busca=PAGINA${n}.test&limite=2${cursor}`)
      const usuarios = Array.isArray(body['usuarios']) ? body['usuarios'] : []
      vistos.push(...usuarios.map((usuario) => String(Reflect.get(Object(usuario), 'email'))))
      cursor = typeof body['proximoCursor'] === 'string' ? `&cursor=${body['proximoCursor']}` : ''
    } while (cursor !== '')
    expect(vistos).toEqual(emails)
    expect((await call('GET', '/admin/usuarios?cursor=nada')).status).toBe(400)
    const porcento = await call('GET', '/admin/usuarios?busca=%25')
    expect(porcento.body).toEqual({ usuarios: [] })
  })

  it('gives those of one status, alone or within a search', async () => {
    const espera = `espera@estado${n}.test`
    await app.register(espera)
    await app.approve(await app.register(`dentro@estado${n}.test`))
    const emails = async (status: string): Promise<string[]> => {
      const { body } = await call('GET', `/admin/usuarios?busca=estado${n}.test&status=${status}`)
      const usuarios = Array.isArray(body['usuarios']) ? body['usuarios'] : []
      return usuarios.map((usuario) => String(Reflect.get(Object(usuario), 'email')))
    }
    expect(await emails('pendente')).toEqual([espera])
    expect(await emails('ativo')).toEqual([`dentro@estado${n}.test`])
    expect(await emails('inativo')).toEqual([])
    expect((await call('GET', '/admin/usuarios?status=outro')).status).toBe(400)
  })

  it('and every other route is for administrators alone', async () => {
    const { id, token } = await person()
    const rotas: readonly [Metodo, string, unknown?][] = [
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
    ]
    for (const [metodo, path, body] of rotas) {
      expect(await call(metodo, path, body, token), path).toMatchObject({ status: 403 })
      const semToken = await app.request(metodo, path, body === undefined ? {} : { body })
      expect(semToken.status, path).toBe(401)
    }
  })

  it('answers 404 for an id that is nobody and for what is no id', async () => {
    const componentes = Object.fromEntries(
      ['configuracaoGeral', 'mensagensMenus', 'iaChatbot', 'logsStatus', 'atendimentoHumano', 'lojaWhatsapp'].map(
        (nome) => [nome, true],
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
      ]
      expect(respostas.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404])
    }
  })
})

describe('who the administrator is', () => {
  it('has no daily limit in any number shown', async () => {
    const { body } = await call('GET', `/admin/usuarios?busca=${ADMIN.email}`)
    expect(body).toMatchObject({ usuarios: [{ email: ADMIN.email, tipo: 'admin', percentualUso: 0 }] })
    const propria = await call('GET', '/usuario/estatisticas')
    expect(propria.body).toMatchObject({ sucesso: true, usuario: { limiteDiario: null, percentualUso: 0 } })
  })
})
