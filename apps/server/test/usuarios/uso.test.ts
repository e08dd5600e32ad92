import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { usageJob } from '#modules/usuarios/index.ts'
import { type ContasTestApp, createContasTestApp, type TestResponse } from '#test/auth/contas-test-app.ts'

let app: ContasTestApp
let admin: string
beforeAll(async () => {
  app = await createContasTestApp()
})
afterAll(() => app.close())

let n = 0
let id = ''
let contaId = ''
let token = ''
beforeEach(async () => {
  n += 1
  admin = await app.admin()
  const email = `uso${n}@loja.test`
  id = await app.register(email)
  await app.approve(id)
  const { rows } = await app.database.owner.query('select conta_id from usuarios where id = $1', [id])
  contaId = String(rows[0]?.conta_id)
  token = await app.login(email, 'senha-de-teste')
  app.calls.length = 0
})

const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<TestResponse> =>
  app.request(method, path, body === undefined ? { token: admin } : { token: admin, body })
const own = (): Promise<TestResponse> => app.request('GET', '/usuario/estatisticas', { token })

async function use(day: string, used: number, total = used): Promise<void> {
  await app.database.owner.query('insert into uso_diario (conta_id, dia, usadas, total) values ($1, $2, $3, $4)', [
    contaId,
    day,
    used,
    total,
  ])
}

describe('usage', () => {
  it('counts the day and the month of the account', async () => {
    await use('2026-02-28', 900)
    await use('2026-03-01', 300)
    await use('2026-03-10', 250)
    const numeros = { mensagensHoje: 250, limiteDiario: 1000, percentualUso: 25, mensagemesTotalMes: 550 }
    expect((await own()).body).toMatchObject({
      sucesso: true,
      usuario: {
        id,
        componentesPermitidos: { lojaWhatsapp: true },
        limiteDiario: 1000,
        percentualUso: 25,
        mensagemesTotalMes: 550,
        estatisticas: numeros,
      },
    })
    const seen = await call('GET', `/admin/usuarios/${id}/estatisticas`)
    expect(seen.body).toMatchObject({
      sucesso: true,
      estatisticas: { ...numeros, estatisticas: { mensagensHoje: 250 }, componentesPermitidos: { iaChatbot: true } },
    })
  })

  it('follows the account’s local day instead of UTC', async () => {
    await use('2026-03-10', 40)
    // 23:30 in São Paulo is already the next day in UTC.
    app.advance(11.5 * 3_600_000)
    expect((await own()).body).toMatchObject({ usuario: { estatisticas: { mensagensHoje: 40 } } })
    await app.database.owner.query("update contas set fuso = 'Europe/Lisbon' where id = $1", [contaId])
    expect((await own()).body).toMatchObject({
      usuario: { estatisticas: { mensagensHoje: 0 }, mensagemesTotalMes: 40 },
    })
    app.advance(-11.5 * 3_600_000)
  })

  it('resets the day and keeps the month', async () => {
    await use('2026-03-10', 990)
    const { body } = await call('POST', `/admin/usuarios/${id}/reset-contador`)
    expect(body).toMatchObject({ usuario: { mensagensHoje: 0, percentualUso: 0, mensagemesTotalMes: 990 } })
    expect(app.calls).toEqual([`contextoMudou ${contaId}`])
  })
})

describe('admin changes to an account', () => {
  it('changes the daily limit, at least 1', async () => {
    await use('2026-03-10', 50)
    for (const ruim of [0, -1, 1.5, '100', null]) {
      expect((await call('POST', `/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia: ruim })).status).toBe(
        400,
      )
    }
    const { body } = await call('POST', `/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia: 40 })
    expect(body).toMatchObject({ usuario: { limiteMensagensDia: 40, mensagensHoje: 50, percentualUso: 125 } })
    expect(app.calls).toEqual([`contextoMudou ${contaId}`])
  })

  it('changes the components immediately and reconnects the sockets', async () => {
    const componentes = {
      configuracaoGeral: true,
      mensagensMenus: false,
      iaChatbot: false,
      logsStatus: true,
      atendimentoHumano: true,
      lojaWhatsapp: false,
    }
    expect((await own()).body).toMatchObject({ usuario: { componentesPermitidos: { mensagensMenus: true } } })
    expect((await app.deps.authenticate(token))?.componentes.mensagensMenus).toBe(true)
    const { status } = await call('POST', `/admin/usuarios/${id}/permissoes`, { componentesPermitidos: componentes })
    expect(status).toBe(200)
    expect((await app.deps.authenticate(token))?.componentes).toEqual(componentes)
    expect((await own()).body).toMatchObject({ usuario: { componentesPermitidos: componentes } })
    expect(app.calls).toEqual([`contextoMudou ${contaId}`, `disconnect {"contaId":"${contaId}"}`])
    await call('POST', `/admin/usuarios/${id}/permissoes`, { componentesPermitidos: { lojaWhatsapp: true } })
    expect((await app.deps.authenticate(token))?.componentes).toEqual({ ...componentes, lojaWhatsapp: true })
    for (const ruim of [{}, { lojaWhatsapp: 'sim' }, { outro: true }])
      expect((await call('POST', `/admin/usuarios/${id}/permissoes`, { componentesPermitidos: ruim })).status).toBe(400)
  })

  it('changes the plan with its limits', async () => {
    const limits = async (): Promise<unknown> => {
      const { rows } = await app.database.owner.query(
        'select plano, limite_mensagens_dia, ia_permitida, opcoes_menu_maximo from contas where id = $1',
        [contaId],
      )
      return rows[0]
    }
    const shown = async (): Promise<unknown> => (await own()).body['usuario']
    expect(await shown()).toMatchObject({ recursos: { iaPermitida: true, opcoesMenuMaximo: null } })
    const { body } = await call('PUT', `/admin/usuarios/${id}/plano`, { plano: 'gratuito' })
    expect(body).toMatchObject({ usuario: { recursos: { iaPermitida: false, opcoesMenuMaximo: 5 } } })
    expect(await shown()).toMatchObject({ limiteDiario: 500, recursos: { iaPermitida: false, opcoesMenuMaximo: 5 } })
    expect(body).toMatchObject({ usuario: { plano: 'gratuito', limiteMensagensDia: 500 } })
    expect(await limits()).toEqual({
      plano: 'gratuito',
      limite_mensagens_dia: 500,
      ia_permitida: false,
      opcoes_menu_maximo: 5,
    })
    await call('PUT', `/admin/usuarios/${id}/plano`, { plano: 'doacao' })
    expect(await limits()).toEqual({
      plano: 'doacao',
      limite_mensagens_dia: 1000,
      ia_permitida: true,
      opcoes_menu_maximo: null,
    })
    expect((await app.deps.authenticate(token))?.plano).toBe('doacao')
    expect((await call('PUT', `/admin/usuarios/${id}/plano`, { plano: 'ouro' })).status).toBe(400)
  })
})

describe('GET /admin/stats', () => {
  it('compares with the same hour yesterday and last week', async () => {
    const stats = async (): Promise<Record<string, unknown>> => (await call('GET', '/admin/stats')).body
    await app.database.owner.query('delete from uso_diario')
    await use('2026-03-10', 0, 80)
    await app.database.owner.query("insert into bots (conta_id, status) values ($1, 'CONECTADO')", [contaId])
    const today = await stats()
    expect(today).toEqual({
      totalUsuarios: n + 1,
      usuariosAtivos: n + 1,
      botsAtivos: 1,
      mensagensHoje: 80,
      mensagensSemana: 80,
      tendencias: { totalUsuarios: null, usuariosAtivos: null, botsAtivos: null, mensagensHoje: null },
      tendenciasSemana: { totalUsuarios: null, usuariosAtivos: null, mensagens: null },
    })
    const registrador = usageJob(app.deps)
    registrador.start()
    await registrador.stop()

    app.advance(24 * 3_600_000)
    admin = await app.admin()
    await use('2026-03-11', 20, 100)
    await app.register(`depois${n}@loja.test`)
    await app.database.owner.query("update bots set status = 'PARADO'")
    expect(await stats()).toEqual({
      totalUsuarios: n + 2,
      usuariosAtivos: n + 1,
      botsAtivos: 0,
      mensagensHoje: 100,
      mensagensSemana: 180,
      tendenciasSemana: { totalUsuarios: null, usuariosAtivos: null, mensagens: null },
      tendencias: {
        totalUsuarios: Math.round(1000 / (n + 1)) / 10,
        usuariosAtivos: 0,
        botsAtivos: -100,
        mensagensHoje: 25,
      },
    })

    // The next Tuesday: last week counts only up to the same weekday and hour.
    app.advance(6 * 24 * 3_600_000)
    admin = await app.admin()
    await use('2026-03-08', 0, 7000)
    await use('2026-03-09', 0, 20)
    await use('2026-03-16', 0, 30)
    await use('2026-03-17', 0, 120)
    expect(await stats()).toMatchObject({
      mensagensSemana: 150,
      tendenciasSemana: { totalUsuarios: Math.round(1000 / (n + 1)) / 10, usuariosAtivos: 0, mensagens: 50 },
    })
  })
})

describe('PUT /admin/configuracoes', () => {
  it('saves all settings or none', async () => {
    const fresh = {
      limiteUsuariosPorPlano: 50,
      mensagensPorDia: 300,
      permitirAutoRegistro: false,
      notificacoesEmail: true,
      suporteWhatsapp: '5511987654321',
      exigirSegundoFatorAdmin: false,
      politicaSenha: 'padrao',
      recusarComuns: true,
    }
    expect(await call('PUT', '/admin/configuracoes', fresh)).toMatchObject({ status: 200, body: fresh })
    for (const ruim of [
      { mensagensPorDia: 0 },
      { limiteUsuariosPorPlano: 'muitos' },
      { permitirAutoRegistro: 'sim' },
      { politicaSenha: 'fraca' },
      { exigirSegundoFatorAdmin: 'sim' },
    ]) {
      expect((await call('PUT', '/admin/configuracoes', { ...fresh, ...ruim })).status).toBe(400)
    }
    expect((await call('PUT', '/admin/configuracoes', {})).status).toBe(400)
    expect((await call('GET', '/admin/configuracoes')).body).toEqual(fresh)
    const all = { ...fresh, mensagensPorDia: 700 }
    expect((await call('PUT', '/admin/configuracoes', { mensagensPorDia: 700 })).body).toEqual(all)
    expect((await call('GET', '/admin/configuracoes')).body).toEqual(all)
  })
})
