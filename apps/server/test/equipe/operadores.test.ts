import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminEmailsRoute } from '@balcao/contract/routes/admin'
import { parseServerEvent } from '@balcao/contract/realtime'
import { criarOperadorRoute, operadoresRoute, reenviarConviteRoute } from '@balcao/contract/routes/operadores'
import { applyToList } from '@balcao/contract/testing/interleaving'
import { once } from '#test/realtime/listen.ts'
import { createTestApp, PASSWORD, type TestApp, type TestUser } from '#test/app.ts'
import {
  connectBot,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
  withVendas,
} from '#test/builders.ts'

let app: TestApp
let dona: TestUser
beforeAll(async () => {
  app = await createTestApp({ now: '2026-03-10T15:00:00.000Z', settings: { urlPublica: 'https://painel.test' } })
  dona = await givenConta(app)
})
afterAll(() => app.close())

let n = 0
const email = (): string => `atende${(n += 1)}@loja.test`
const list = async ({ request }: TestUser = dona) =>
  operadoresRoute.response.parse((await request('GET', '/conta/operadores')).body).operadores
const create = async (dados: object) => {
  const { status, body } = await dona.request('POST', '/conta/operadores', { nome: 'Bia', setores: [], ...dados })
  expect(status).toBe(200)
  return criarOperadorRoute.response.parse(body).operador
}
const login = (quem: string, senha: string) => app.send('POST', '/auth/login', { body: { email: quem, senha } })

async function convites(para: string): Promise<string[]> {
  const { emails } = adminEmailsRoute.response.parse((await app.admin.request('GET', '/admin/emails')).body)
  return emails.filter((mail) => mail.para === para).map(({ texto }) => texto)
}
async function linkPara(para: string): Promise<string> {
  return /token=([\w-]+)&convite=1/.exec((await convites(para))[0] ?? '')?.[1] ?? ''
}
const tokenOf = (link = ''): string => new URL(link).searchParams.get('token') ?? ''
const use = (token: string, senha = PASSWORD) => app.send('POST', '/auth/redefinir-senha', { body: { token, senha } })

describe('convite of an operador', () => {
  it('returns the link of a convite, and a new one when it is sent again', async () => {
    app.setNow('2026-03-10T15:00:00.000Z')
    const para = email()
    const created = await dona.request('POST', '/conta/operadores', { nome: 'Bia', email: para, setores: [] })
    const { operador, convite } = criarOperadorRoute.response.parse(created.body)
    expect(convite).toEqual({
      link: expect.stringMatching(/^https:\/\/painel\.test\/redefinir-senha\?token=[\w-]+&convite=1$/),
      expiraEm: '2026-03-17T15:00:00.000Z',
      emailEnviado: false,
    })
    expect(await linkPara(para)).toBe(tokenOf(convite?.link))
    const again = await dona.request('POST', `/conta/operadores/${operador.id}/convite`)
    const fresh = reenviarConviteRoute.response.parse(again.body).convite
    expect((await use(tokenOf(convite?.link))).status).toBe(400)
    expect((await use(tokenOf(fresh.link))).status).toBe(204)
  })

  it('returns no convite for a person with a senha', async () => {
    const body = { nome: 'Bia', email: email(), setores: [], senha: PASSWORD }
    expect((await dona.request('POST', '/conta/operadores', body)).body).not.toHaveProperty('convite')
  })

  it('sets a senha once, within seven days, and allows the login', async () => {
    app.setNow('2026-03-10T15:00:00.000Z')
    const para = email()
    const operador = await create({ email: para.toUpperCase(), setores: ['vendas', 'vendas', 'suporte'] })
    expect(operador).toMatchObject({
      email: para,
      setores: ['vendas', 'suporte'],
      status: 'ativo',
      convitePendente: true,
      dataCriacao: '2026-03-10T15:00:00.000Z',
    })
    const [text] = await convites(para)
    expect(text).toContain('Padaria Aurora')
    expect(text).toContain('https://painel.test/redefinir-senha?token=')
    for (const password of ['', PASSWORD, 'null']) expect((await login(para, password)).status).not.toBe(200)

    app.setNow('2026-03-17T14:59:00.000Z')
    const token = await linkPara(para)
    expect((await use(token)).status).toBe(204)
    expect((await use(token)).status).toBe(400)
    expect((await login(para, PASSWORD)).body).toMatchObject({
      usuario: { tipo: 'operador', nome: 'Bia', contaId: dona.usuario.contaId, setores: ['vendas', 'suporte'] },
    })
    expect((await list()).find(({ id }) => id === operador.id)).toMatchObject({ convitePendente: false })
  })

  it('expires after seven days, while forgot-password still works', async () => {
    app.setNow('2026-03-10T15:00:00.000Z')
    const para = email()
    await create({ email: para })
    const token = await linkPara(para)
    app.setNow('2026-03-17T15:00:00.000Z')
    expect(await use(token)).toMatchObject({ status: 400, body: { codigo: 'tokenInvalido' } })
    await app.send('POST', '/auth/esqueci-senha', { body: { email: para } })
    const pedido = /token=([\w-]+)/.exec((await convites(para))[0] ?? '')?.[1] ?? ''
    expect((await use(pedido)).status).toBe(204)
    expect((await login(para, PASSWORD)).status).toBe(200)
  })

  it('moves to a corrected e-mail and disables the old link', async () => {
    const errado = email()
    const certo = email()
    const { id } = await create({ email: errado })
    const old = await linkPara(errado)
    expect((await dona.request('PUT', `/conta/operadores/${id}`, { email: certo })).status).toBe(200)
    expect((await use(old)).status).toBe(400)
    expect((await use(await linkPara(certo))).status).toBe(204)
  })

  it('sends at most five mails per address and hour, also after deletions', async () => {
    app.setNow('2026-03-20T15:00:00.000Z')
    const para = email()
    for (let vez = 0; vez < 5; vez += 1) {
      const { id } = await create({ email: para })
      expect((await dona.request('DELETE', `/conta/operadores/${id}`)).status).toBe(200)
    }
    const sexta = () => dona.request('POST', '/conta/operadores', { nome: 'Bia', email: para, setores: [] })
    expect(await sexta()).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas', tentarEmS: 3600 } })
    expect((await list()).map((operador) => operador.email)).not.toContain(para)
    app.setNow('2026-03-20T16:00:00.000Z')
    expect((await sexta()).status).toBe(200)
  })

  it('returns an invitation by its link: open, expired, used, unknown', async () => {
    app.setNow('2026-03-22T15:00:00.000Z')
    const para = email()
    const { id } = await create({ email: para })
    const read = (token: string) => app.request('GET', `/auth/convite?token=${token}`)
    const token = await linkPara(para)
    const expiraEm = '2026-03-29T15:00:00.000Z'
    expect(await read(token)).toEqual({ status: 200, body: { empresa: 'Padaria Aurora', email: para, expiraEm } })
    expect((await list()).find((operador) => operador.id === id)).toMatchObject({ conviteAte: expiraEm })
    expect(await read('')).toMatchObject({ status: 400 })
    expect(await read('nunca-houve')).toMatchObject({ status: 404, body: { codigo: 'conviteNaoEncontrado' } })

    app.setNow(expiraEm)
    expect(await read(token)).toMatchObject({ status: 410, body: { codigo: 'conviteVencido' } })
    await app.send('POST', '/auth/esqueci-senha', { body: { email: para } })
    const pedido = /token=([\w-]+)/.exec((await convites(para))[0] ?? '')?.[1] ?? ''
    expect(await read(pedido)).toMatchObject({ status: 404 })
    expect((await use(pedido)).status).toBe(204)
    expect(await read(token)).toMatchObject({ status: 410, body: { codigo: 'conviteUsado' } })
    expect((await list()).find((operador) => operador.id === id)).toMatchObject({ conviteAte: null })
    await dona.request('DELETE', `/conta/operadores/${id}`)
    expect(await read(token)).toMatchObject({ status: 404 })
  })

  it('limits unknown links to 50 per hour without counting the valid link', async () => {
    app.setNow('2026-04-02T15:00:00.000Z')
    const para = email()
    await create({ email: para })
    const token = await linkPara(para)
    const read = (qual: string) => app.send('GET', `/auth/convite?token=${qual}`)
    for (let vez = 0; vez < 49; vez += 1) expect((await read(`palpite${vez}`)).status).toBe(404)
    for (let vez = 0; vez < 3; vez += 1) expect((await read(token)).status).toBe(200)
    expect((await read('palpite')).status).toBe(404)
    expect(await read('outro')).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas', tentarEmS: 3600 } })
    app.setNow('2026-04-02T16:00:00.000Z')
    expect((await read(token)).status).toBe(200)
  })

  it('replaces the old link when it is sent again', async () => {
    app.setNow('2026-03-24T15:00:00.000Z')
    const para = email()
    const { id } = await create({ email: para })
    const old = await linkPara(para)
    app.setNow('2026-04-05T15:00:00.000Z')
    const resend = () => dona.request('POST', `/conta/operadores/${id}/convite`)
    const { status, body } = await resend()
    expect(status).toBe(200)
    const operador = { id, convitePendente: true, conviteAte: '2026-04-12T15:00:00.000Z' }
    expect(body).toMatchObject({ operador })
    expect(await list()).toContainEqual(criarOperadorRoute.response.parse(body).operador)
    expect((await use(old)).status).toBe(400)
    expect(await app.send('GET', `/auth/convite?token=${old}`)).toMatchObject({ body: { codigo: 'conviteUsado' } })
    expect(await app.sql(`select acao from auditoria where alvo_id = $1 order by id`, [id])).toEqual([
      { acao: 'operadorConvidado' },
      { acao: 'conviteReenviado' },
    ])

    await dona.request('PUT', `/conta/operadores/${id}`, { ativo: false })
    expect(await resend()).toMatchObject({ status: 409, body: { codigo: 'semConvite' } })
    await dona.request('PUT', `/conta/operadores/${id}`, { ativo: true })
    for (let vez = 0; vez < 4; vez += 1) expect((await resend()).status).toBe(200)
    const last = await linkPara(para)
    expect(await resend()).toMatchObject({ status: 429 })
    expect((await use(last)).status).toBe(204)
    expect(await resend()).toMatchObject({ status: 409, body: { codigo: 'semConvite' } })
  })

  it('sends no mail if the owner sets a senha', async () => {
    const para = email()
    expect(await create({ email: para, senha: PASSWORD })).toMatchObject({ convitePendente: false })
    expect(await convites(para)).toEqual([])
    expect((await login(para, PASSWORD)).status).toBe(200)
  })
})

describe('/conta/operadores', () => {
  it('rejects a used e-mail, an unknown setor and an invalid body without changes', async () => {
    const before = await list()
    const fresh = { nome: 'Caio', email: email(), setores: [] }
    const criarCom = (mais: object) => dona.request('POST', '/conta/operadores', { ...fresh, ...mais })
    expect(await criarCom({ email: app.admin.usuario.email })).toMatchObject({
      status: 409,
      body: { erro: 'Este e-mail já está cadastrado' },
    })
    expect(await criarCom({ setores: ['vendas', 'lua'] })).toMatchObject({
      status: 400,
      body: { codigo: 'setorDesconhecido', detalhes: [{ caminho: 'setores.1' }] },
    })
    for (const errado of [{ nome: ' ' }, { email: 'x' }, { senha: '12345' }, { setores: 'vendas' }]) {
      expect((await criarCom(errado)).status).toBe(400)
    }
    expect(await list()).toEqual(before)
  })

  it('answers 403 to operadores and 404 for another conta', async () => {
    const operadora = await givenOperador(app, dona)
    const { id } = operadora.usuario
    const other = await givenConta(app, 'Rui')
    const calls = [
      ['GET', '/conta/operadores', undefined],
      ['POST', '/conta/operadores', { nome: 'Eva', email: email(), setores: [] }],
      ['PUT', `/conta/operadores/${id}`, { nome: 'Eva' }],
      ['DELETE', `/conta/operadores/${id}`, undefined],
      ['POST', `/conta/operadores/${id}/convite`, undefined],
    ] as const
    for (const [method, path, body] of calls) {
      expect(await operadora.request(method, path, body)).toMatchObject({ status: 403 })
    }
    for (const target of [id, dona.usuario.id, app.admin.usuario.id, 'nada']) {
      expect((await other.request('PUT', `/conta/operadores/${target}`, { nome: 'Eva' })).status).toBe(404)
      expect((await other.request('DELETE', `/conta/operadores/${target}`)).status).toBe(404)
      expect((await other.request('POST', `/conta/operadores/${target}/convite`)).status).toBe(404)
    }
    expect((await dona.request('DELETE', `/conta/operadores/${dona.usuario.id}`)).status).toBe(404)
    expect(await list(other)).toEqual([])
    expect((await list()).map((operador) => operador.id)).toContain(id)
  })

  it('keeps operadores out of the administrador’s usuarios and of the plan’s limit', async () => {
    const operadora = await givenOperador(app, dona)
    const { body } = await app.admin.request('GET', '/admin/usuarios?limite=100')
    expect(JSON.stringify(body)).not.toContain(operadora.usuario.id)
    const [{ gratuitas } = {}] = await app.sql(
      `select count(*)::int as gratuitas from contas where plano = 'gratuito' and not sem_limite`,
    )
    const limits = (await app.admin.request('GET', '/admin/configuracoes')).body
    await app.admin.request('PUT', '/admin/configuracoes', {
      ...limits,
      limiteUsuariosPorPlano: Number(gratuitas) + 1,
    })
    const registration = { nome: 'Nova', email: email(), senha: PASSWORD, telefone: '', empresa: '' }
    expect((await app.send('POST', '/auth/register', { body: registration })).status).toBe(201)
    await app.admin.request('PUT', '/admin/configuracoes', limits)
  })

  it('allows at most 50 operadores, also with simultaneous requests', async () => {
    const full = await givenConta(app)
    await app.sql(
      `insert into usuarios (id, conta_id, nome, email, tipo, status)
       select gen_random_uuid(), $1, 'P' || i, 'p' || i || '@cheia.test', 'operador', 'ativo' from generate_series(1, 49) i`,
      [full.usuario.contaId],
    )
    const criarMais = () => full.request('POST', '/conta/operadores', { nome: 'X', email: email(), setores: [] })
    const respostas = await Promise.all([criarMais(), criarMais()])
    expect(respostas.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    expect(respostas.find(({ status }) => status === 403)?.body).toMatchObject({ codigo: 'limitePlano', limite: 50 })
    expect(await list(full)).toHaveLength(50)
  })
})

describe('PUT /conta/operadores/:id', () => {
  it('keeps fields that are not given', async () => {
    const { id, ...before } = await create({ email: email(), setores: ['vendas'] })
    const { body } = await dona.request('PUT', `/conta/operadores/${id}`, { nome: 'Beatriz' })
    expect(body).toEqual({ operador: { ...before, id, nome: 'Beatriz' } })
    expect((await dona.request('PUT', `/conta/operadores/${id}`, { setores: ['lua'] })).status).toBe(400)
    const outro = await create({ email: email() })
    expect(await dona.request('PUT', `/conta/operadores/${id}`, { email: outro.email })).toMatchObject({ status: 409 })
    expect((await list()).find((operador) => operador.id === id)).toEqual({ ...before, id, nome: 'Beatriz' })
  })

  it('ends all sessions after a new senha', async () => {
    const operadora = await givenOperador(app, dona)
    const { id, email: dela } = operadora.usuario
    await dona.request('PUT', `/conta/operadores/${id}`, { senha: 'outra-senha' })
    expect((await operadora.request('GET', '/auth/eu')).status).toBe(401)
    expect((await login(dela, PASSWORD)).status).toBe(401)
    expect((await login(dela, 'outra-senha')).status).toBe(200)
  })

  it('applies new setores immediately and replaces a deleted one with Geral', async () => {
    const { body } = await dona.request('POST', '/atendimento/setores', { nome: 'Entregas' })
    const setor = String(Object(body['setor']).id)
    const operadora = await givenOperador(app, dona, { setores: [setor, 'vendas'] })
    const { socket } = await app.connect(operadora)
    // A closed socket connects again immediately and loads the new permissions.
    const cut = () => new Promise((resolve) => socket.once('disconnect', resolve))
    const aoSumir = cut()
    const deles = async () => Object((await operadora.request('GET', '/auth/eu')).body['usuario']).setores
    expect(await deles()).toEqual([setor, 'vendas'])
    expect((await dona.request('DELETE', `/atendimento/setores/${setor}`)).status).toBe(200)
    expect((await deles()).toSorted()).toEqual(['geral', 'vendas'])
    expect(await aoSumir).toBe('transport close')
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    const aoMudar = cut()
    await dona.request('PUT', `/conta/operadores/${operadora.usuario.id}`, { setores: [] })
    expect(await deles()).toEqual([])
    expect(await aoMudar).toBe('transport close')
  })
})

describe('removed operador', () => {
  let loja: TestUser
  beforeAll(async () => {
    loja = await givenConta(app, 'Seu Zé')
    await connectBot(loja, withVendas)
  })

  it.each([
    ['is deactivated', (id: string) => loja.request('PUT', `/conta/operadores/${id}`, { ativo: false })],
    ['is deleted', (id: string) => loja.request('DELETE', `/conta/operadores/${id}`)],
  ])('loses access when %s; the conversa waits again and an event is published', async (name, leave) => {
    const telefone = name === 'is deleted' ? '5511911110001' : '5511911110002'
    const operadora = await givenOperador(app, loja, { nome: 'Olga' })
    const id = await givenWaitingCustomer(loja, telefone)
    expect((await operadora.request('POST', `/atendimento/conversas/${id}/assumir`)).status).toBe(200)
    // Sending the answers of the bot changes their state in the list.
    await app.idle()
    const before = await openConversas(loja)
    expect(before.find((conversa) => conversa.id === id)).toMatchObject({ operador: 'Olga', status: 'em_atendimento' })
    const { socket: deOlga } = await app.connect(operadora)
    const { socket: doDono } = await app.connect(loja)
    const transferred = once(doDono, 'conversaTransferida')
    const cut = new Promise((resolve) => deOlga.once('connect_error', resolve))

    expect((await leave(operadora.usuario.id)).status).toBe(200)
    expect((await operadora.request('GET', '/auth/eu')).status).toBe(401)
    const { contaId } = loja.usuario
    const event = parseServerEvent('conversaTransferida', await transferred)
    expect(event?.dados).toMatchObject({ conversaId: id, novoSetor: 'geral', userId: contaId })
    expect(await cut).toMatchObject({ data: { codigo: 'semSessao' } })
    expect(await openConversas(loja)).toEqual(event === null ? null : applyToList(before, event, contaId))
    expect((await openConversas(loja)).find((conversa) => conversa.id === id)).toMatchObject({ status: 'aguardando' })
  })

  it('logs in with the same senha after reactivation', async () => {
    const { usuario } = await givenOperador(app, loja)
    const change = (ativo: boolean) => loja.request('PUT', `/conta/operadores/${usuario.id}`, { ativo })
    expect((await change(false)).body).toMatchObject({ operador: { status: 'inativo' } })
    expect(await login(usuario.email, PASSWORD)).toMatchObject({ status: 403, body: { codigo: 'contaInativa' } })
    await change(true)
    expect((await login(usuario.email, PASSWORD)).status).toBe(200)
  })

  it('keeps their nome in finished conversas and frees the e-mail after deletion', async () => {
    const operadora = await givenOperador(app, loja, { nome: 'Olga' })
    const id = await givenWaitingCustomer(loja, '5511911110003')
    await operadora.request('POST', `/atendimento/conversas/${id}/assumir`)
    await operadora.request('POST', `/atendimento/conversas/${id}/finalizar`)
    await loja.request('DELETE', `/conta/operadores/${operadora.usuario.id}`)
    expect((await loja.request('DELETE', `/conta/operadores/${operadora.usuario.id}`)).status).toBe(404)
    const { body } = await loja.request('GET', '/atendimento/conversas?status=finalizada')
    expect(body['conversas']).toMatchObject([{ id, operador: 'Olga' }])
    expect(await login(operadora.usuario.email, PASSWORD)).toMatchObject({ status: 401 })
    const { email: free } = operadora.usuario
    const other = await dona.request('POST', '/conta/operadores', { nome: 'Outra', email: free, setores: [] })
    expect(other.status).toBe(200)
  })
})
