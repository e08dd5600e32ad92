import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loginResponseSchema } from '@balcao/contract/routes/auth'
import { createAuthenticator, UNVERIFIED } from './authenticator.ts'
import { type ContasTestApp, createContasTestApp } from './contas-test-app.ts'
import { codeAt } from './code-at.ts'
import { enrolPasskey, enrolTotp, openDesafio, passkeyOptions } from './identity.ts'

const ORIGIN = 'https://painel.test'
const RP_ID = 'painel.test'
const SENHA = 'senha-de-teste'
const STEP_MS = 30_000

let app: ContasTestApp
let people = 0

interface Person {
  readonly id: string
  readonly email: string
  readonly senha: string
  readonly token: string
}

/** An active owner with a session of now. */
async function givenPerson(): Promise<Person> {
  const email = `pessoa${(people += 1)}@porta.test`
  const id = await app.register(email, SENHA)
  await app.approve(id)
  return { id, email, senha: SENHA, token: await app.login(email, SENHA) }
}

/** The 30 seconds of the enrolment are used up, so the next code is a later one. */
async function givenTotp(): Promise<Person & Awaited<ReturnType<typeof enrolTotp>>> {
  const person = await givenPerson()
  const enrolled = await enrolTotp(app.request, person.token, () => app.deps.clock.now())
  app.advance(STEP_MS * 4)
  return { ...person, ...enrolled }
}

const code = (secret: string, shiftMs = 0): string => codeAt(secret, new Date(app.deps.clock.now().getTime() + shiftMs))

const finish = (body: object): ReturnType<typeof app.request> => app.request('POST', '/auth/segundo-fator', { body })

const statuses = (answers: readonly { readonly status: number }[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

beforeAll(async () => {
  app = await createContasTestApp()
})
afterAll(() => app?.close())

describe('an authenticator app', () => {
  it('asks for the code after the password and then answers as a login', async () => {
    const person = await givenTotp()
    const { desafio, metodos } = await openDesafio(app.request, person)
    expect(metodos).toEqual(['totp', 'recuperacao'])
    const answer = await finish({
      desafio,
      codigo: ` ${code(person.segredo).slice(0, 3)} ${code(person.segredo).slice(3)}`,
    })
    const { token, usuario } = loginResponseSchema.parse(answer.body)
    expect([answer.status, usuario.email]).toEqual([200, person.email])
    expect((await app.request('GET', '/auth/eu', { token })).body).toMatchObject({
      seguranca: { totp: true, passkeys: 0, recuperacao: 10, exigido: false },
    })
    const { body } = await app.request('GET', '/auth/sessoes', { token })
    expect(body['sessoes']).toMatchObject([
      { atual: true, metodo: 'totp' },
      { atual: false, metodo: 'senha' },
    ])
  })

  it.each([-1, 0, 1])('accepts the code of step %i', async (step) => {
    const person = await givenTotp()
    const { desafio } = await openDesafio(app.request, person)
    expect((await finish({ desafio, codigo: code(person.segredo, step * STEP_MS) })).status).toBe(200)
  })

  it.each([-120_000, 120_000])('refuses a phone whose clock is wrong by %i ms and names the clock', async (shift) => {
    const person = await givenTotp()
    const { desafio } = await openDesafio(app.request, person)
    const { status, body } = await finish({ desafio, codigo: code(person.segredo, shift) })
    expect([status, body['codigo']]).toEqual([403, 'codigoIncorreto'])
    expect(body['erro']).toContain('a hora do celular')
    expect((await finish({ desafio, codigo: code(person.segredo) })).status).toBe(200)
  })

  it('accepts each code once, also in parallel and for another login', async () => {
    const person = await givenTotp()
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDesafio(app.request, person)))
    const codigo = code(person.segredo)
    const answers = await Promise.all(opened.map(({ desafio }) => finish({ desafio, codigo })))
    expect(statuses(answers)).toEqual([200, 403, 403, 403])
    expect((await finish({ desafio: opened[0]?.desafio, codigo: code(person.segredo, -STEP_MS) })).status).toBe(403)
  })

  it('lets one of two parallel right codes finish a login', async () => {
    const person = await givenTotp()
    const { desafio } = await openDesafio(app.request, person)
    const codes = [code(person.segredo, -STEP_MS), code(person.segredo), code(person.segredo, STEP_MS)]
    const answers = await Promise.all(codes.map((codigo) => finish({ desafio, codigo })))
    expect(statuses(answers)).toEqual([200, 403, 403])
    expect((await finish({ desafio, codigo: code(person.segredo, STEP_MS) })).body['codigo']).toBe('desafioVencido')
  })

  it('ends a desafio after five wrong codes, also parallel ones, and after five minutes', async () => {
    const person = await givenTotp()
    const { desafio } = await openDesafio(app.request, person)
    const wrong = await Promise.all(Array.from({ length: 9 }, () => finish({ desafio, codigo: '000000' })))
    expect(wrong.filter(({ body }) => body['codigo'] === 'codigoIncorreto')).toHaveLength(5)
    expect((await finish({ desafio, codigo: code(person.segredo) })).body['codigo']).toBe('desafioVencido')
    const late = await openDesafio(app.request, person)
    app.advance(5 * 60_000)
    expect((await finish({ desafio: late.desafio, codigo: code(person.segredo) })).body['codigo']).toBe(
      'desafioVencido',
    )
  })

  it('counts wrong codes as wrong logins of e-mail and address', async () => {
    const person = await givenTotp()
    for (let round = 0; round < 2; round += 1) {
      const { desafio } = await openDesafio(app.request, person)
      for (let i = 0; i < 5; i += 1) expect((await finish({ desafio, codigo: '111111' })).status).toBe(403)
    }
    expect((await app.request('POST', '/auth/login', { body: person })).status).toBe(429)
    app.advance(16 * 60_000)
  })

  it('refuses more than 20 wrong codes of a person in an hour from many addresses', async () => {
    const person = await givenTotp()
    const answers: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const ip = `198.51.100.${round}`
      const { desafio } = await openDesafio(
        (method, path, options) => app.request(method, path, { ip, ...options }),
        person,
      )
      for (let i = 0; i < 5; i += 1) {
        const wrong = { desafio, codigo: '222222' }
        answers.push((await app.request('POST', '/auth/segundo-fator', { body: wrong, ip })).status)
      }
    }
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 403), ...Array.from({ length: 5 }, () => 429)])
    app.advance(61 * 60_000)
  })

  it('keeps the earlier app until the new one is confirmed', async () => {
    const person = await givenTotp()
    const token = await loginWithCode(person)
    const { body } = await app.request('POST', '/auth/totp', { token })
    const { desafio } = await openDesafio(app.request, person)
    app.advance(STEP_MS)
    expect((await finish({ desafio, codigo: code(String(body['segredo'])) })).status).toBe(403)
    expect((await finish({ desafio, codigo: code(person.segredo) })).status).toBe(200)
    expect((await app.request('POST', '/auth/totp/confirmar', { token, body: { codigo: '12345' } })).status).toBe(400)
    expect((await app.request('POST', '/auth/totp/confirmar', { token, body: { codigo: '123456' } })).status).toBe(403)
  })

  it('stores the secret sealed and writes secrets and codes nowhere', async () => {
    const person = await givenTotp()
    const { rows } = await app.database.owner.query<{ t: string; p: string | null }>(
      'select totp_segredo as t, totp_pendente as p from usuarios where id = $1',
      [person.id],
    )
    expect(rows).toEqual([{ t: expect.stringMatching(/^selado:k1:/), p: null }])
    const everything = await app.database.owner.query<{ texto: string }>(
      `select (select coalesce(string_agg(t::text, ''), '') from emails t) || (select coalesce(string_agg(t::text, ''), '') from auditoria t)
         || (select string_agg(t::text, '') from codigos_recuperacao t) as texto`,
    )
    const secrets = [
      person.segredo,
      ...person.recuperacao,
      ...person.recuperacao.map((text) => text.replaceAll('-', '')),
    ]
    for (const secret of secrets) expect(everything.rows[0]?.texto).not.toContain(secret)
  })

  it('ends sessions that were opened without the first factor', async () => {
    const person = await givenPerson()
    const other = await app.login(person.email, person.senha)
    await enrolTotp(app.request, person.token, () => app.deps.clock.now())
    expect((await app.request('GET', '/auth/eu', { token: other })).status).toBe(401)
    expect((await app.request('GET', '/auth/eu', { token: person.token })).status).toBe(200)
  })
})

async function loginWithCode(person: Person & { readonly segredo: string }): Promise<string> {
  const { desafio } = await openDesafio(app.request, person)
  return loginResponseSchema.parse((await finish({ desafio, codigo: code(person.segredo) })).body).token
}

describe('recovery codes', () => {
  it('work once each, in any spelling, also in parallel', async () => {
    const person = await givenTotp()
    const [first = '', second = ''] = person.recuperacao
    const { desafio } = await openDesafio(app.request, person)
    const written = first.toLowerCase().replaceAll('-', ' ')
    expect((await finish({ desafio, recuperacao: written })).status).toBe(200)
    const again = await openDesafio(app.request, person)
    expect((await finish({ desafio: again.desafio, recuperacao: first })).status).toBe(403)
    const opened = await Promise.all([1, 2, 3].map(() => openDesafio(app.request, person)))
    const answers = await Promise.all(opened.map((login) => finish({ desafio: login.desafio, recuperacao: second })))
    expect(statuses(answers)).toEqual([200, 403, 403])
    const { rows } = await app.database.owner.query(
      `select count(*)::int as usados from codigos_recuperacao where usuario_id = $1 and usado_em is not null`,
      [person.id],
    )
    expect(rows).toEqual([{ usados: 2 }])
    const { rows: told } = await app.database.owner.query(
      `select (select count(*)::int from emails where para = $1 and assunto = 'Um código de recuperação foi usado') as mails,
              (select count(*)::int from auditoria where quem_id = $2 and acao = 'codigoRecuperacaoUsado') as atos`,
      [person.email, person.id],
    )
    expect(told).toEqual([{ mails: 2, atos: 2 }])
  })

  it('end when new ones are made', async () => {
    const person = await givenTotp()
    const token = await loginWithCode(person)
    const { body } = await app.request('POST', '/auth/recuperacao', { token })
    expect(body['recuperacao']).toHaveLength(10)
    const { desafio } = await openDesafio(app.request, person)
    expect((await finish({ desafio, recuperacao: person.recuperacao[0] })).status).toBe(403)
    const without = await givenPerson()
    expect(await app.request('POST', '/auth/recuperacao', { token: without.token })).toMatchObject({
      status: 409,
      body: { codigo: 'semSegundoFator' },
    })
  })
})

describe('a passkey', () => {
  it('enters without a password, and as the second step after one', async () => {
    const person = await givenPerson()
    const { authenticator, recuperacao } = await enrolPasskey(app.request, person.token, ORIGIN)
    expect(recuperacao).toHaveLength(10)
    const { desafio, opcoes } = await passkeyOptions(app.request)
    expect(opcoes).toMatchObject({ rpId: RP_ID, userVerification: 'required' })
    const credencial = authenticator.login({ ...opcoes, origin: ORIGIN })
    const entered = await app.request('POST', '/auth/passkey/entrar', { body: { desafio, credencial } })
    expect([entered.status, loginResponseSchema.parse(entered.body).usuario.email]).toEqual([200, person.email])
    const login = await openDesafio(app.request, person)
    expect(login.metodos).toEqual(['passkey', 'recuperacao'])
    const { opcoes: second } = await passkeyOptions(app.request)
    const step = { desafio: login.desafio, credencial: authenticator.login({ ...second, origin: ORIGIN }) }
    expect((await finish(step)).status).toBe(200)
    const { body } = await app.request('GET', '/auth/passkeys', { token: person.token })
    expect(body['passkeys']).toMatchObject([{ nome: 'Celular', ultimoUso: app.deps.clock.now().toISOString() }])
    expect(JSON.stringify(body)).not.toContain(credencial.id)
  })

  it('signs each challenge once, also in parallel', async () => {
    const person = await givenPerson()
    const { authenticator } = await enrolPasskey(app.request, person.token, ORIGIN)
    const { desafio, opcoes } = await passkeyOptions(app.request)
    const body = { desafio, credencial: authenticator.login({ ...opcoes, origin: ORIGIN }) }
    const answers = await Promise.all([1, 2, 3].map(() => app.request('POST', '/auth/passkey/entrar', { body })))
    expect(statuses(answers)).toEqual([200, 403, 403])
    expect((await app.request('POST', '/auth/passkey/entrar', { body })).status).toBe(403)
  })

  it.each([
    ['of another address', { origin: 'https://painel.teste' }],
    ['for another host', { rpId: 'outro.test' }],
    ['without verification of the person', { flags: UNVERIFIED }],
    ['with a counter that falls', { counter: 1 }],
  ])('refuses a signature %s', async (_what, wrong) => {
    const person = await givenPerson()
    const { authenticator } = await enrolPasskey(app.request, person.token, ORIGIN)
    const enter = async (changes: object): Promise<number> => {
      const { desafio, opcoes } = await passkeyOptions(app.request)
      const credencial = authenticator.login({ ...opcoes, origin: ORIGIN, ...changes })
      return (await app.request('POST', '/auth/passkey/entrar', { body: { desafio, credencial } })).status
    }
    expect(await enter({ counter: 5 })).toBe(200)
    expect(await enter(wrong)).toBe(403)
    expect(await enter({ counter: 6 })).toBe(200)
  })

  it('does not finish the login of another person', async () => {
    const [ana, bia] = [await givenTotp(), await givenPerson()]
    const { authenticator } = await enrolPasskey(app.request, bia.token, ORIGIN)
    const { desafio } = await openDesafio(app.request, ana)
    const { opcoes } = await passkeyOptions(app.request)
    const credencial = authenticator.login({ ...opcoes, origin: ORIGIN })
    expect((await finish({ desafio, credencial })).status).toBe(403)
    const other = await passkeyOptions(app.request)
    const fresh = authenticator.login({ ...other.opcoes, origin: ORIGIN })
    const { desafio: strange } = await passkeyOptions(app.request)
    const crossed = { desafio: strange, credencial: fresh }
    expect((await app.request('POST', '/auth/passkey/entrar', { body: crossed })).status).toBe(403)
  })

  it('is registered only in the session that asked, once, and without a certificate', async () => {
    const [ana, bia] = [await givenPerson(), await givenPerson()]
    const ask = async (): Promise<string> => {
      const { body } = await app.request('POST', '/auth/passkeys/opcoes', { token: ana.token })
      return String(Reflect.get(Object(body['opcoes']), 'challenge'))
    }
    const store = (token: string, credencial: object): ReturnType<typeof app.request> =>
      app.request('POST', '/auth/passkeys', { token, body: { nome: 'Chave', credencial } })
    const signed = async (fmt?: string): Promise<object> =>
      createAuthenticator().register({ challenge: await ask(), rpId: RP_ID, origin: ORIGIN }, { ...(fmt && { fmt }) })
    expect((await store(bia.token, await signed())).body['codigo']).toBe('desafioVencido')
    expect((await store(ana.token, await signed('fido-u2f'))).body['codigo']).toBe('codigoIncorreto')
    const credencial = await signed()
    const answers = await Promise.all([store(ana.token, credencial), store(ana.token, credencial)])
    expect(statuses(answers)).toEqual([201, 403])
  })

  it('cannot be removed by another person, and its removal sends a mail', async () => {
    const [ana, bia] = [await givenPerson(), await givenPerson()]
    const { passkey } = await enrolPasskey(app.request, ana.token, ORIGIN)
    const path = `/auth/passkeys/${passkey.id}`
    expect((await app.request('DELETE', path, { token: bia.token })).status).toBe(404)
    expect((await app.request('DELETE', '/auth/passkeys/x', { token: ana.token })).status).toBe(404)
    expect((await app.request('DELETE', path, { token: ana.token })).status).toBe(204)
    expect((await app.request('POST', '/auth/login', { body: ana })).status).toBe(200)
    const { rows } = await app.database.owner.query(
      `select detalhe from auditoria where quem_id = $1 and acao = 'segundoFatorAlterado' order by id`,
      [ana.id],
    )
    expect(rows).toEqual([{ detalhe: 'Chave de acesso adicionada' }, { detalhe: 'Chave de acesso removida' }])
    const { rows: mails } = await app.database.owner.query(
      `select count(*)::int as n from emails where para = $1 and tipo = 'seguranca'`,
      [ana.email],
    )
    expect(mails).toEqual([{ n: 2 }])
  })
})

describe('no other way in', () => {
  it('asks for the factor after a reset of the password, which ends open logins', async () => {
    const person = await givenTotp()
    const { desafio } = await openDesafio(app.request, person)
    await app.request('POST', '/auth/esqueci-senha', { body: { email: person.email } })
    const { body } = await app.request('GET', '/admin/emails', { token: await app.admin() })
    const [, token] = /redefinir-senha\?token=([\w-]+)/.exec(JSON.stringify(body)) ?? []
    const senha = 'outra-senha-de-teste'
    expect((await app.request('POST', '/auth/redefinir-senha', { body: { token, senha } })).status).toBe(204)
    expect((await finish({ desafio, codigo: code(person.segredo) })).body['codigo']).toBe('desafioVencido')
    const again = await openDesafio(app.request, { ...person, senha })
    expect((await app.request('GET', '/auth/eu', { token: again.desafio })).status).toBe(401)
  })

  it('refuses a deactivated person after the right second step', async () => {
    const person = await givenTotp()
    const { desafio } = await openDesafio(app.request, person)
    await app.database.owner.query(`update usuarios set status = 'inativo' where id = $1`, [person.id])
    expect((await finish({ desafio, codigo: code(person.segredo) })).body['codigo']).toBe('contaInativa')
  })
})
