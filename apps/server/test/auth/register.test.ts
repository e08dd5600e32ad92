import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ADMIN, type ContasTestApp, createContasTestApp, type TestResponse } from './contas-test-app.ts'

let app: ContasTestApp
beforeAll(async () => {
  app = await createContasTestApp()
})
afterAll(() => app.close())

let n = 0
beforeEach(() => {
  n += 1
})

const NOVA = { nome: 'Ana', senha: 'segredo', telefone: '11999990000', empresa: 'Café' }

function register(data: object, ip?: string): Promise<TestResponse> {
  return app.request('POST', '/auth/register', { body: { ...NOVA, ...data }, ...(ip === undefined ? {} : { ip }) })
}

async function settings(change: object): Promise<void> {
  const token = await app.admin()
  const { body } = await app.request('GET', '/admin/configuracoes', { token })
  const saved = await app.request('PUT', '/admin/configuracoes', { token, body: { ...body, ...change } })
  expect(saved.status).toBe(200)
}

describe('POST /auth/register', () => {
  it('creates a pending account with defaults and ignores privileged fields', async () => {
    const reply = await register({
      email: 'Ana@Loja.TEST',
      tipo: 'admin',
      status: 'ativo',
      ativo: true,
      plano: 'doacao',
      planoDesejado: 'doacao',
      limiteMensagensDia: 999_999,
      contaId: '00000000-0000-0000-0000-000000000000',
    })
    expect(reply).toMatchObject({
      status: 201,
      body: { mensagem: 'Cadastro realizado com sucesso! Aguarde aprovação do administrador.' },
    })
    const { rows } = await app.database.owner.query(
      `select u.tipo, u.status, u.email, c.plano, c.plano_desejado, c.limite_mensagens_dia, c.opcoes_menu_maximo, c.ia_permitida,
              c.sem_limite, c.componentes_permitidos,
              (select array_agg(versao) from configuracoes f where f.conta_id = c.id) as versoes
         from usuarios u join contas c on c.id = u.conta_id where u.email = 'ana@loja.test'`,
    )
    expect(rows).toEqual([
      {
        tipo: 'usuario',
        status: 'pendente',
        email: 'ana@loja.test',
        plano: 'gratuito',
        plano_desejado: 'doacao',
        limite_mensagens_dia: 1000,
        opcoes_menu_maximo: null,
        ia_permitida: true,
        sem_limite: false,
        componentes_permitidos: {
          configuracaoGeral: true,
          mensagensMenus: true,
          iaChatbot: true,
          logsStatus: true,
          atendimentoHumano: true,
          lojaWhatsapp: true,
        },
        versoes: [1],
      },
    ])
  })

  it('validates fields in form order and allows a missing telefone and empresa', async () => {
    const casos: readonly [object, string][] = [
      [{ nome: ' ', email: '', senha: '' }, 'Nome é obrigatório'],
      [{ email: '', senha: '' }, 'Email é obrigatório'],
      [{ email: 'não é um e-mail', senha: 'segredo' }, 'Email inválido'],
      [{ email: `c${n}@loja.test`, senha: '12345' }, 'Senha deve ter pelo menos 6 caracteres'],
      [{ email: `c${n}@loja.test`, senha: undefined }, 'Senha deve ter pelo menos 6 caracteres'],
    ]
    for (const [data, erro] of casos) expect(await register(data)).toMatchObject({ status: 400, body: { erro } })
    const minima = await app.request('POST', '/auth/register', {
      body: { nome: 'Só', email: `c${n}@loja.test`, senha: '123456' },
    })
    expect(minima.status).toBe(201)
  })

  it('rejects a known address in any case', async () => {
    expect((await register({ email: `d${n}@loja.test` })).status).toBe(201)
    expect(await register({ email: `D${n}@LOJA.test` })).toMatchObject({
      status: 409,
      body: { erro: 'Este e-mail já está cadastrado' },
    })
  })

  it('creates one account from parallel requests with one address', async () => {
    const email = `corrida${n}@loja.test`
    const respostas = await Promise.all(Array.from({ length: 6 }, () => register({ email })))
    expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
    const { rows } = await app.database.owner.query(
      `select count(*)::int as contas from contas c where not exists (select 1 from usuarios u where u.conta_id = c.id)`,
    )
    expect(rows).toEqual([{ contas: 0 }])
  })

  it('mails every active admin', async () => {
    await register({ email: `e${n}@loja.test`, nome: 'Edu' })
    const { body } = await app.request('GET', '/admin/emails?limite=1', { token: await app.admin() })
    expect(body).toMatchObject({
      emails: [{ para: ADMIN.email, assunto: 'Novo cadastro aguardando aprovação: Edu', texto: expect.any(String) }],
      proximoCursor: expect.any(String),
    })
    expect(JSON.stringify(body)).toContain('https://painel.test/admin')
  })

  it('names the chosen plan in the mail and to the admin only', async () => {
    const email = `plano${n}@loja.test`
    expect((await register({ email, planoDesejado: 'ouro' })).status).toBe(400)
    await register({ email, planoDesejado: 'doacao' })
    const token = await app.admin()
    const { body } = await app.request('GET', '/admin/emails?limite=1', { token })
    expect(body['emails']).toMatchObject([{ texto: expect.stringContaining('Plano pedido: Doação.') }])
    expect((await app.request('GET', `/admin/usuarios?busca=${email}`, { token })).body).toMatchObject({
      usuarios: [{ plano: 'gratuito', planoDesejado: 'doacao', limiteMensagensDia: 1000 }],
    })
  })

  it('limits one IP to 100 registrations per hour', async () => {
    await register({ email: `f${n}@loja.test` })
    const ip = '198.51.100.30'
    for (let vez = 0; vez < 100; vez += 1) {
      expect((await register({ email: `f${n}@loja.test` }, ip)).status).toBe(409)
    }
    const denied = await register({ email: `g${n}@loja.test` }, ip)
    expect(denied.status).toBe(429)
    expect(Number(denied.headers.get('retry-after'))).toBe(3600)
    expect((await register({ email: `g${n}@loja.test` }, '198.51.100.31')).status).toBe(201)
  })
})

describe('admin settings for registration', () => {
  it('applies the daily limit and closes registration', async () => {
    await settings({ mensagensPorDia: 250 })
    const email = `limite${n}@loja.test`
    await app.approve(await app.register(email))
    const { body } = await app.request('GET', '/usuario/estatisticas', {
      token: await app.login(email, 'senha-de-teste'),
    })
    expect(body).toMatchObject({ usuario: { limiteDiario: 250 } })

    await settings({ mensagensPorDia: 1000, permitirAutoRegistro: false })
    expect(await app.request('GET', '/auth/opcoes')).toMatchObject({ body: { permitirAutoRegistro: false } })
    expect(await register({ email: `fechado${n}@loja.test` })).toMatchObject({
      status: 403,
      body: { codigo: 'cadastroFechado' },
    })
    await settings({ permitirAutoRegistro: true })
    // The test server has no mail server.
    expect(await app.request('GET', '/auth/opcoes')).toMatchObject({
      body: { permitirAutoRegistro: true, email: false },
    })
  })

  it('publishes the number of the support and rejects a wrong one', async () => {
    const published = async (): Promise<unknown> => (await app.request('GET', '/auth/opcoes')).body['suporteWhatsapp']
    expect(await published()).toBe('')
    await settings({ suporteWhatsapp: '5511987654321' })
    expect(await published()).toBe('5511987654321')
    const token = await app.admin()
    for (const suporteWhatsapp of ['123456789', '55119876543210', '+5511987654321', 'zap']) {
      const refused = await app.request('PUT', '/admin/configuracoes', { token, body: { suporteWhatsapp } })
      expect(refused).toMatchObject({ status: 400, body: { detalhes: [{ caminho: 'suporteWhatsapp' }] } })
    }
    await settings({ suporteWhatsapp: '' })
    expect(await published()).toBe('')
  })

  it('keeps parallel registrations within the plan’s user limit', async () => {
    const { rows } = await app.database.owner.query(
      "select count(*)::int as quantos from contas where plano = 'gratuito' and not sem_limite",
    )
    await settings({ limiteUsuariosPorPlano: Number(rows[0]?.quantos) + 2 })
    const respostas = await Promise.all(
      Array.from({ length: 6 }, (_, vez) => register({ email: `teto${vez}@loja.test` }, '198.51.100.40')),
    )
    expect(respostas.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(respostas.find(({ status }) => status !== 201)).toMatchObject({
      status: 403,
      body: { codigo: 'limiteUsuariosPlano' },
    })
    await settings({ limiteUsuariosPorPlano: 100 })
  })

  it('refuses a registration at the cap and lets the administrator create the account', async () => {
    await settings({ limiteUsuariosPorPlano: 1 })
    const refused = await register({ email: 'cheio@loja.test' }, '198.51.100.41')
    expect(refused).toMatchObject({ status: 403, body: { codigo: 'limiteUsuariosPlano' } })
    const body = { ...NOVA, email: 'cheio@loja.test' }
    const created = await app.request('POST', '/admin/usuarios', { token: await app.admin(), body })
    expect(created).toMatchObject({ status: 201, body: { usuario: { plano: 'gratuito', status: 'ativo' } } })
    await settings({ limiteUsuariosPorPlano: 100 })
  })
})
