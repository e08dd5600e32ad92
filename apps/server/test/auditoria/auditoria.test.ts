import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ato } from '@balcao/contract/entities/auditoria'
import { apiRoutes } from '@balcao/contract/routes/all'
import { purgeAuditoria, recordAuditoria } from '#modules/auditoria/index.ts'
import { ADMIN, type ContasTestApp, createContasTestApp } from '#test/auth/contas-test-app.ts'

let app: ContasTestApp
let admin: string
beforeAll(async () => {
  app = await createContasTestApp()
  admin = await app.admin()
})
afterAll(() => app.close())

const SENHA = 'senha-de-teste'

async function trail(query = ''): Promise<Ato[]> {
  const { status, body } = await app.request('GET', `/admin/auditoria${query}`, { token: admin })
  expect(status).toBe(200)
  return apiRoutes.auditoria.response.parse(body).atos
}

/** One line per act, oldest first: act, actor, affected person, and `!` for a refusal. */
const counted = (acts: readonly Ato[]): string[] =>
  acts
    .toReversed()
    .map(
      ({ acao, quem, alvo, resultado }) =>
        `${acao} ${quem?.email ?? 'produto'}${alvo === null ? '' : ` > ${alvo.email}`}${resultado === 'feito' ? '' : ' !'}`,
    )

describe('GET /admin/auditoria', () => {
  it('lists the acts of an account with actor, IP, details and result', async () => {
    const email = 'ana@trilha.test'
    const chefe = ADMIN.email
    const id = await app.register(email, SENHA)
    await app.request('POST', '/auth/login', { body: { email, senha: SENHA }, ip: '203.0.113.7' })
    const put = (path: string, body?: unknown): Promise<unknown> => app.request('PUT', path, { token: admin, body })
    const post = (path: string, body?: unknown): Promise<unknown> => app.request('POST', path, { token: admin, body })
    await put(`/admin/usuarios/${id}/status`, { ativo: true })
    await put(`/admin/usuarios/${id}/status`, { ativo: true })
    await app.request('POST', '/auth/login', { body: { email, senha: 'errada' }, ip: '203.0.113.7' })
    const token = await app.login(email, SENHA)
    await put(`/admin/usuarios/${id}/plano`, { plano: 'doacao' })
    await post(`/admin/usuarios/${id}/limite-mensagens`, { limiteMensagensDia: 2500 })
    expect(await post(`/admin/usuarios/${id}/permissoes`, { componentesPermitidos: {} })).toMatchObject({ status: 400 })
    await post(`/admin/usuarios/${id}/permissoes`, { componentesPermitidos: { lojaWhatsapp: false } })
    await post(`/admin/usuarios/${id}/reset-contador`)
    await app.request('PUT', '/auth/senha', { token, body: { senhaAtual: 'outra', novaSenha: 'nova-senha' } })
    await app.request('PUT', '/auth/senha', { token, body: { senhaAtual: SENHA, novaSenha: 'nova-senha' } })
    await app.request('POST', '/auth/logout', { token })
    await app.request('DELETE', `/admin/usuarios/${id}`, { token: admin })
    await post(`/admin/usuarios/${id}/restaurar`)

    const acts = await trail(`?quem=${email}`)
    expect(counted(acts)).toEqual([
      `contaCadastrada ${email}`,
      `entrar ${email} !`,
      `usuarioAtivado ${chefe} > ${email}`,
      `entrar ${email} !`,
      `entrar ${email}`,
      `planoAplicado ${chefe} > ${email}`,
      `limiteAlterado ${chefe} > ${email}`,
      `permissoesAlteradas ${chefe} > ${email}`,
      `contadorZerado ${chefe} > ${email}`,
      `senhaTrocada ${email} !`,
      `senhaTrocada ${email}`,
      `sair ${email}`,
      `usuarioExcluido ${chefe} > ${email}`,
      `usuarioRestaurado ${chefe} > ${email}`,
    ])
    const porAcao = Object.fromEntries(acts.map((act) => [act.acao, act]))
    expect(porAcao['planoAplicado']?.detalhe).toBe('De Gratuito para Doação')
    expect(porAcao['limiteAlterado']?.detalhe).toBe('De 1.000 para 2.500 mensagens por dia')
    expect(porAcao['permissoesAlteradas']?.detalhe).toBe('Desligou Loja WhatsApp')
    expect(acts.filter(({ resultado }) => resultado === 'recusado').map(({ ip, detalhe }) => [ip, detalhe])).toEqual([
      ['203.0.113.1', 'A senha atual não confere'],
      ['203.0.113.7', 'A senha não confere'],
      ['203.0.113.7', 'Sua conta aguarda aprovação do administrador.'],
    ])
    expect(JSON.stringify(acts)).not.toMatch(/senha-de-teste|nova-senha|errada"|argon2/)
  })

  it('records no act when the change fails', async () => {
    const { rows } = await app.database.owner.query<{ id: string }>('select id from usuarios where email = $1', [
      ADMIN.email,
    ])
    const refusal = await app.request('DELETE', `/admin/usuarios/${rows[0]?.id}`, { token: admin })
    expect(refusal.body).toMatchObject({ codigo: 'ultimoAdmin' })
    expect(await trail(`?acao=usuarioExcluido&quem=${ADMIN.email}`)).toHaveLength(1)
  })

  it('filters by act, result and period, in pages without gaps or repeats', async () => {
    const desconhecido = 'ninguem@trilha.test'
    const tried = 'tentada@trilha.test'
    const person = { nome: 'Tina', email: tried, senha: 'senha-de-teste', telefone: '', empresa: '' }
    await app.request('POST', '/admin/usuarios', { token: admin, body: person })
    for (let vez = 0; vez < 5; vez += 1) {
      app.advance(24 * 3_600_000)
      for (const email of [desconhecido, tried]) {
        await app.request('POST', '/auth/login', { body: { email, senha: 'palpite' } })
      }
    }
    admin = await app.admin()
    expect(await trail(`?quem=${desconhecido}`)).toEqual([])
    const all = await trail(`?acao=entrar&resultado=recusado&quem=${tried}`)
    expect(all).toHaveLength(5)
    expect(await trail(`?acao=entrar&quem=${tried}&periodo=hoje`)).toEqual(all.slice(0, 1))
    expect(await trail(`?acao=entrar&quem=${tried}&periodo=7dias`)).toEqual(all)
    const seen: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const path = `/admin/auditoria?acao=entrar&quem=${tried}&limite=2${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body } = await app.request('GET', path, { token: admin })
      const page = apiRoutes.auditoria.response.parse(body)
      seen.push(...page.atos.map(({ id }) => id))
      cursor = page.proximoCursor
    }
    expect(seen).toEqual(all.map(({ id }) => id))
    expect((await app.request('GET', '/admin/auditoria?acao=outra', { token: admin })).status).toBe(400)
  })

  it('finds people regardless of accents and case', async () => {
    admin = await app.admin()
    const body = { nome: 'Zélia Conceição', email: 'zc@trilha.test', senha: 'uma-senha-longa' }
    expect((await app.request('POST', '/admin/usuarios', { token: admin, body })).status).toBe(201)
    for (const quem of ['ZELIA CONCEICAO', 'Zélia'])
      expect(await trail(`?quem=${encodeURIComponent(quem)}`)).toMatchObject([{ alvo: { nome: 'Zélia Conceição' } }])
  })

  it('denies changes of the trail and purges only records older than a year', async () => {
    const { db } = app.database
    for (const sql of ["update auditoria set ip = ''", 'delete from auditoria', 'truncate auditoria']) {
      await expect(db.transaction('*', (tx) => tx.query(sql))).rejects.toThrow(/permission denied/)
    }
    const conta = await app.database.owner.query<{ id: string }>('select id from contas limit 1')
    const id = conta.rows[0]?.id ?? ''
    await expect(db.transaction('*', (tx) => tx.query('select auditoria_sem_nomes($1)', [id]))).rejects.toThrow(
      /not due/,
    )
    // A transaction of a conta may insert records but reads none.
    expect(await db.transaction(id, (tx) => tx.query('select 1 from auditoria'))).toMatchObject({ rowCount: 0 })

    const before = (await trail()).length
    const old = { ...app.deps, clock: { now: () => new Date(Date.now() - 366 * 86_400_000) } }
    const quem = { usuarioId: null, nome: '', email: 'velho@trilha.test', ip: '' }
    await db.transaction([], (tx) => recordAuditoria(tx, old, { acao: 'entrar', quem }))
    expect(await trail()).toHaveLength(before + 1)
    const futuro = new Date(Date.now() + 3_650 * 86_400_000)
    expect(await db.transaction('*', (tx) => purgeAuditoria(tx, { now: futuro, limit: 100 }))).toBe(1)
    expect(await trail()).toHaveLength(before)
  })
})
