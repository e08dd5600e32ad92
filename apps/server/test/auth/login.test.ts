import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureFirstAdmin, purgeAccess } from '#modules/auth/index.ts'
import { createLoginDelays } from '#security/login-delays.ts'
import { ADMIN, type ContasTestApp, createContasTestApp } from './contas-test-app.ts'

let app: ContasTestApp
beforeAll(async () => {
  app = await createContasTestApp()
})
afterAll(() => app.close())

const SENHA = 'senha-de-teste'
const HORA = 3_600_000

async function activeUser(email: string): Promise<string> {
  const id = await app.register(email)
  await app.approve(id)
  return id
}

const post = (path: string, body: unknown, ip?: string): ReturnType<ContasTestApp['request']> =>
  app.request('POST', path, { body, ...(ip === undefined ? {} : { ip }) })

describe('POST /auth/login', () => {
  it('opens a session and stores only the token’s hash', async () => {
    const id = await activeUser('ana@loja.test')
    const reply = await post('/auth/login', { email: '  ANA@Loja.test ', senha: SENHA })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      usuario: {
        id,
        email: 'ana@loja.test',
        status: 'ativo',
        ativo: true,
        plano: 'gratuito',
        limiteMensagensDia: 1000,
      },
    })
    const token = String(reply.body['token'])
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)

    const eu = await app.request('GET', '/auth/eu', { token })
    expect(eu).toMatchObject({ status: 200, body: { usuario: { id, tipo: 'usuario' } } })
    expect(JSON.stringify([reply.body, eu.body])).not.toContain('argon2')

    const { rows } = await app.database.owner.query('select * from sessoes')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows.some((row) => row.token_hash.length === 32 && row.ip === '203.0.113.1')).toBe(true)
  })

  it('answers a wrong password and an unknown e-mail alike', async () => {
    await activeUser('bia@loja.test')
    const wrong = await post('/auth/login', { email: 'bia@loja.test', senha: 'outra-senha' })
    const ninguem = await post('/auth/login', { email: 'ninguem@loja.test', senha: 'outra-senha' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({ erro: 'E-mail ou senha incorretos', codigo: 'credenciaisInvalidas' })
    expect({ status: ninguem.status, body: ninguem.body }).toEqual({ status: wrong.status, body: wrong.body })
  })

  it('reveals a pending or inactive user only with the right password', async () => {
    const id = await app.register('caio@loja.test')
    const entra = (senha: string): ReturnType<ContasTestApp['request']> =>
      post('/auth/login', { email: 'caio@loja.test', senha })
    expect(await entra('errada-mesmo')).toMatchObject({ status: 401 })
    expect(await entra(SENHA)).toMatchObject({
      status: 403,
      body: { erro: 'Sua conta aguarda aprovação do administrador.' },
    })
    await app.database.owner.query("update usuarios set status = 'inativo' where id = $1", [id])
    expect(await entra('errada-mesmo')).toMatchObject({ status: 401 })
    expect(await entra(SENHA)).toMatchObject({ status: 403, body: { erro: 'Sua conta está inativa.' } })
    const { rows } = await app.database.owner.query('select 1 from sessoes where usuario_id = $1', [id])
    expect(rows).toEqual([])
  })

  it('expires sessions after 12 hours, or 30 days with lembrar', async () => {
    await activeUser('davi@loja.test')
    const short = await app.login('davi@loja.test', SENHA)
    const long = await app.login('davi@loja.test', SENHA, { lembrar: true })
    const ve = async (token: string): Promise<number> => (await app.request('GET', '/auth/eu', { token })).status

    app.advance(12 * HORA - 1000)
    expect([await ve(short), await ve(long)]).toEqual([200, 200])
    app.advance(2000)
    expect([await ve(short), await ve(long)]).toEqual([401, 200])
    app.advance(30 * 24 * HORA)
    expect(await ve(long)).toBe(401)
  })

  it('keeps spaces in the password and rejects more than 1,024 bytes', async () => {
    const id = await app.register('eva@loja.test', ' com espaços ')
    await app.approve(id)
    expect(await post('/auth/login', { email: 'eva@loja.test', senha: 'com espaços' })).toMatchObject({ status: 401 })
    await app.login('eva@loja.test', ' com espaços ')
    const long = await post('/auth/login', { email: 'eva@loja.test', senha: 'é'.repeat(513) })
    expect(long).toMatchObject({ status: 400, body: { erro: 'Senha muito longa' } })
  })
})

describe('login limits', () => {
  it('lets exactly 10 of 60 parallel guesses reach the password', async () => {
    await activeUser('gil@loja.test')
    const palpites = Array.from({ length: 60 }, (_, n) =>
      post('/auth/login', { email: 'gil@loja.test', senha: `palpite-${n}` }, '198.51.100.7'),
    )
    const status = (await Promise.all(palpites)).map((reply) => reply.status)
    expect(status.filter((um) => um === 401)).toHaveLength(10)
    expect(status.filter((um) => um === 429)).toHaveLength(50)

    const certa = await post('/auth/login', { email: 'gil@loja.test', senha: SENHA }, '198.51.100.7')
    expect(certa).toMatchObject({ status: 429, body: { codigo: 'muitasTentativas' } })
    expect(Number(certa.headers.get('retry-after'))).toBe(900)
    // The owner still gets in from another IP: the limit delays an attacker and never locks the account.
    await app.login('gil@loja.test', SENHA)
    app.advance(15 * 60_000 + 1)
    expect(await post('/auth/login', { email: 'gil@loja.test', senha: SENHA }, '198.51.100.7')).toMatchObject({
      status: 200,
    })
  })

  it('limits one IP to 50 wrong passwords per hour', async () => {
    const tenta = (n: number): ReturnType<ContasTestApp['request']> =>
      post('/auth/login', { email: `alvo${n}@loja.test`, senha: 'palpite' }, '198.51.100.8')
    for (let n = 0; n < 50; n += 1) expect((await tenta(n)).status).toBe(401)
    const denied = await tenta(50)
    expect(denied.status).toBe(429)
    expect(Number(denied.headers.get('retry-after'))).toBe(3600)
    app.advance(HORA + 1)
    expect((await tenta(51)).status).toBe(401)
  })

  it('ignores forwarded addresses in front of the one that the proxy appended', async () => {
    const tenta = (n: number): ReturnType<ContasTestApp['request']> =>
      post('/auth/login', { email: `cego${n}@loja.test`, senha: 'palpite' }, `192.0.2.${n}, 198.51.100.9`)
    const status: number[] = []
    for (let n = 0; n < 60; n += 1) status.push((await tenta(n)).status)
    expect(status).toEqual([...Array.from({ length: 50 }, () => 401), ...Array.from({ length: 10 }, () => 429)])
  })

  it('counts the addresses of one IPv6 /64 together', async () => {
    const tenta = (n: number, ip: string): ReturnType<ContasTestApp['request']> =>
      post('/auth/login', { email: `longo${n}@loja.test`, senha: 'palpite' }, ip)
    for (let n = 0; n < 50; n += 1) expect((await tenta(n, `2001:db8:7:8::${n.toString(16)}`)).status).toBe(401)
    expect((await tenta(50, '2001:db8:7:8:ffff::1')).status).toBe(429)
    expect((await tenta(51, '2001:db8:7:9::1')).status).toBe(401)
  })

  it('does not count successful logins', async () => {
    await activeUser('hugo@loja.test')
    for (let n = 0; n < 12; n += 1) await app.login('hugo@loja.test', SENHA)
    const together = await Promise.all(Array.from({ length: 12 }, () => app.login('hugo@loja.test', SENHA)))
    expect(new Set(together).size).toBe(12)
  })
})

describe('login delay', () => {
  const guess = (email: string, n: number): ReturnType<ContasTestApp['request']> =>
    post('/auth/login', { email, senha: `palpite-${n}` }, `198.18.0.${n}`)

  it('delays guesses after the 20th by 1 to 8 s and admits the owner', async () => {
    await activeUser('lia@loja.test')
    app.delays.asked = []
    for (let n = 1; n <= 20; n += 1) expect((await guess('lia@loja.test', n)).status).toBe(401)
    expect(app.delays.asked).toEqual([])

    app.delays.real = true
    const start = performance.now()
    expect((await guess('lia@loja.test', 21)).status).toBe(401)
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_000)
    app.delays.real = false
    await app.login('lia@loja.test', SENHA)
    for (let n = 22; n <= 25; n += 1) expect((await guess('lia@loja.test', n)).status).toBe(401)
    expect(app.delays.asked).toEqual([1_000, 2_000, 2_000, 4_000, 8_000, 8_000])
    expect((await guess('outra@loja.test', 26)).status).toBe(401)
    app.advance(HORA + 1)
    expect((await guess('lia@loja.test', 27)).status).toBe(401)
    expect(app.delays.asked).toHaveLength(6)
  })

  it('delays parallel guesses too, at most 8 s each', async () => {
    app.delays.asked = []
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => guess('moa@loja.test', 100 + n)))
    expect(answers.every(({ status }) => status === 401)).toBe(true)
    expect(app.delays.asked.filter((ms) => ms === 1_000).length).toBeGreaterThanOrEqual(10)
    // Ten tries wait: 1, 2, 4 and seven times 8 s.
    expect(app.delays.asked.reduce((sum, ms) => sum + ms, 0)).toBe(63_000)
  })

  it('holds at most 12 delayed tries per address', async () => {
    const { wait } = createLoginDelays({ sleep: () => new Promise(() => undefined) })
    for (let n = 0; n < 12; n += 1) void wait(8_000, '192.0.2.1')
    await expect(wait(8_000, '192.0.2.1')).rejects.toMatchObject({ codigo: 'muitasTentativas' })
    for (let n = 0; n < 988; n += 1) void wait(8_000, `10.1.${n % 250}.1`)
    await expect(wait(8_000, '10.1.3.1')).rejects.toMatchObject({ codigo: 'muitasTentativas' })
    const fresh = wait(8_000, '192.0.2.2')
    expect(await Promise.race([fresh, Promise.resolve('waiting')])).toBe('waiting')
  })
})

describe('login sessions', () => {
  it('answers 401 to a missing, foreign or malformed token', async () => {
    for (const token of [undefined, 'curto', 'a'.repeat(43)]) {
      const reply = await app.request('GET', '/auth/eu', token === undefined ? {} : { token })
      expect(reply).toMatchObject({ status: 401, body: { codigo: 'semSessao' } })
    }
  })

  it('ends only the session that logs out', async () => {
    await activeUser('iris@loja.test')
    const uma = await app.login('iris@loja.test', SENHA)
    const other = await app.login('iris@loja.test', SENHA)
    expect((await app.request('GET', '/auth/eu', { token: uma })).status).toBe(200)
    app.calls.length = 0
    expect((await app.request('POST', '/auth/logout', { token: uma })).status).toBe(204)
    expect((await app.request('GET', '/auth/eu', { token: uma })).status).toBe(401)
    expect((await app.request('POST', '/auth/logout', { token: uma })).status).toBe(401)
    expect((await app.request('GET', '/auth/eu', { token: other })).status).toBe(200)
    expect(app.calls).toEqual([expect.stringMatching(/^disconnect {"tokenHash":"[0-9a-f]{64}"}$/)])
  })

  it('ends a session by the hash of its token, which opens none', async () => {
    await activeUser('lea@loja.test')
    const uma = await app.login('lea@loja.test', SENHA)
    const other = await app.login('lea@loja.test', SENHA)
    const hash = createHash('sha256').update(uma).digest('hex')
    const later = (sessao: string) => app.request('POST', '/auth/logout-tardio', { body: { sessao } })
    for (const sessao of [uma, hash.slice(0, 32), hash.toUpperCase()]) expect((await later(sessao)).status).toBe(400)
    expect((await later('0'.repeat(64))).status).toBe(204)
    expect((await app.request('GET', '/auth/eu', { token: hash })).status).toBe(401)
    expect((await app.request('GET', '/auth/eu', { token: uma })).status).toBe(200)
    app.calls.length = 0
    for (let times = 0; times < 2; times += 1) expect((await later(hash)).status).toBe(204)
    expect((await app.request('GET', '/auth/eu', { token: uma })).status).toBe(401)
    expect((await app.request('GET', '/auth/eu', { token: other })).status).toBe(200)
    expect(app.calls).toEqual([`disconnect {"tokenHash":"${hash}"}`])
    const { rows } = await app.database.owner.query(
      `select acao, detalhe from auditoria where quem_email = 'lea@loja.test' and acao = 'sair'`,
    )
    expect(rows).toEqual([{ acao: 'sair', detalhe: 'Sem conexão ao sair' }])
  })

  it('updates the last use at most once a minute', async () => {
    const id = await activeUser('jo@loja.test')
    const token = await app.login('jo@loja.test', SENHA)
    const lastUse = async (): Promise<string> => {
      await app.deps.forgetSessions()
      await app.request('GET', '/auth/eu', { token })
      const { rows } = await app.database.owner.query('select ultimo_uso from sessoes where usuario_id = $1', [id])
      return rows[0]?.ultimo_uso.toISOString()
    }
    const criada = await lastUse()
    app.advance(59_000)
    expect(await lastUse()).toBe(criada)
    app.advance(2_000)
    expect(await lastUse()).toBe(app.deps.clock.now().toISOString())
  })
})

describe('wrong passwords of one IPv6 network', () => {
  it('are refused after 500 in an hour, from any of its addresses', async () => {
    const attempt = async (ip: string): Promise<number> =>
      (await app.request('POST', '/auth/login', { body: { email: 'x@loja.test', senha: 'palpite' }, ip })).status
    expect(await attempt('2001:db8:9:1::1')).toBe(401)
    await app.database.owner.query(
      `insert into tentativas (chave, em) select chave, em from tentativas, generate_series(1, 499)
        where chave = 'senha-rede:2001:db8:9::/48'`,
    )
    expect(await attempt('2001:db8:9:2::1')).toBe(429)
    expect(await attempt('2001:db8:a:2::1')).toBe(401)
  })
})

describe('many logins of one usuario', () => {
  it('ends the oldest session at the 51st and refuses the 61st in an hour', async () => {
    await activeUser('nina@loja.test')
    const tokens: string[] = []
    for (let n = 0; n < 60; n += 1) {
      tokens.push(await app.login('nina@loja.test', SENHA, { lembrar: true }))
      app.advance(1000)
    }
    const statusOf = async (n: number): Promise<number> =>
      (await app.request('GET', '/auth/eu', { token: tokens[n] ?? '' })).status
    expect([await statusOf(0), await statusOf(9), await statusOf(10), await statusOf(59)]).toEqual([401, 401, 200, 200])
    const enter = { email: 'nina@loja.test', senha: SENHA }
    expect((await post('/auth/login', enter)).status).toBe(429)
    app.advance(HORA)
    expect((await post('/auth/login', enter)).status).toBe(200)
  })
})

describe('purgeAcessos', () => {
  it('deletes expired sessions, attempts and links, and keeps valid ones', async () => {
    await activeUser('leo@loja.test')
    const token = await app.login('leo@loja.test', SENHA, { lembrar: true })
    await app.login('leo@loja.test', SENHA)
    await post('/auth/login', { email: 'leo@loja.test', senha: 'errada-mesmo' })
    await post('/auth/esqueci-senha', { email: 'leo@loja.test' })
    const daqui = (days: number): Date => new Date(app.deps.clock.now().getTime() + days * 24 * HORA)
    const purge = async (quando: Date): Promise<void> => {
      const batch = (): Promise<number> => app.deps.db.transaction([], (tx) => purgeAccess(tx, quando, 1))
      while ((await batch()) > 0) continue
    }
    const count = async (): Promise<Record<string, unknown> | undefined> => {
      const { rows } = await app.database.owner.query(
        `select (select count(*)::int from sessoes s join usuarios u on u.id = s.usuario_id
                  where u.email = 'leo@loja.test') as sessoes,
                (select count(*)::int from tentativas) as tentativas,
                (select count(*)::int from redefinicoes_senha) as links`,
      )
      return rows[0]
    }
    await purge(daqui(0))
    expect(await count()).toMatchObject({ sessoes: 2, links: 1 })
    await purge(daqui(182))
    expect(await count()).toEqual({ sessoes: 1, tentativas: 0, links: 0 })
    expect((await app.request('GET', '/auth/eu', { token })).status).toBe(200)
  })
})

describe('PUT /auth/senha', () => {
  it('requires the current password and ends all other sessions', async () => {
    await activeUser('kai@loja.test')
    const aqui = await app.login('kai@loja.test', SENHA)
    const la = await app.login('kai@loja.test', SENHA)
    const troca = (senhaAtual: string, novaSenha: string): ReturnType<ContasTestApp['request']> =>
      app.request('PUT', '/auth/senha', { token: aqui, body: { senhaAtual, novaSenha } })
    expect(await troca('nao-e-esta', 'nova-senha')).toMatchObject({
      status: 403,
      body: { codigo: 'senhaAtualIncorreta' },
    })
    expect(await troca(SENHA, 'curta')).toMatchObject({ status: 400 })
    expect((await app.request('GET', '/auth/eu', { token: la })).status).toBe(200)
    expect((await troca(SENHA, 'nova-senha')).status).toBe(204)
    expect((await app.request('GET', '/auth/eu', { token: la })).status).toBe(401)
    expect((await app.request('GET', '/auth/eu', { token: aqui })).status).toBe(200)
    expect((await post('/auth/login', { email: 'kai@loja.test', senha: SENHA })).status).toBe(401)
    await app.login('kai@loja.test', 'nova-senha')
  })
})

describe('ensureFirstAdmin', () => {
  it('creates one admin without a daily limit', async () => {
    expect(await ensureFirstAdmin(app.deps, ADMIN)).toEqual({ created: false, email: ADMIN.email })
    await app.admin()
    const { rows } = await app.database.owner.query(
      "select c.sem_limite from usuarios u join contas c on c.id = u.conta_id where u.tipo = 'admin'",
    )
    expect(rows).toEqual([{ sem_limite: true }])
  })

  it('generates one random password when several nodes start together', async () => {
    const empty = await createContasTestApp()
    try {
      await empty.database.owner.query('delete from contas')
      const feitos = await Promise.all([1, 2, 3].map(() => ensureFirstAdmin(empty.deps, {})))
      const criados = feitos.filter(({ created }) => created)
      expect(criados).toHaveLength(1)
      expect(feitos.filter(({ generatedPassword }) => generatedPassword !== undefined)).toHaveLength(1)
      const password = criados[0]?.generatedPassword ?? ''
      expect(password.length).toBeGreaterThanOrEqual(16)
      await empty.login('admin@balcao.local', password)
    } finally {
      await empty.close()
    }
  })

  it('rejects placeholder passwords and an invalid address', async () => {
    for (const senha of ['changeme', 'Mude-me', 'senha', '12345']) {
      await expect(ensureFirstAdmin(app.deps, { senha })).rejects.toThrow('ADMIN_SENHA')
    }
    await expect(ensureFirstAdmin(app.deps, { email: 'ninguem' })).rejects.toThrow('ADMIN_EMAIL')
  })
})
