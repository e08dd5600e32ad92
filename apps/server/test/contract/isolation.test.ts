import { randomBytes } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteShape } from '@balcao/contract/define-route'
import { configRoute } from '@balcao/contract/routes/config'
import { apiRoutes } from '@balcao/contract/routes/all'
import { SEALED_PLACES } from '#db/sealed-values.ts'
import { createLog } from '#log.ts'
import { enrolPasskey, enrolTotp } from '#test/auth/identity.ts'
import { createTestApp, loginAt, type TestApp, type TestUser, waitUntil } from '#test/app.ts'

/**
 * A conta whose texts contain a random word, and a second conta that calls every route with the first conta's ids.
 * No answer may contain the word and no row may change. The log is checked for the same word.
 * Row-level security is off during these calls, so the queries of the program must isolate the contas alone. A
 * separate test checks row-level security alone.
 */

const PALAVRA = `zq${randomBytes(8).toString('hex')}`
const CHAVE = `AIza${randomBytes(16).toString('hex')}`
const TELEFONE = '5511987654321'
const SENHA = 'senha-da-loja-segura'

let app: TestApp
let admin: TestUser
let ana: TestUser
let bia: TestUser
let socket: Socket
let times: readonly TestUser[] = []
const heard: string[] = []
const log: string[] = []
/** One id of each kind of row. */
let ids: readonly string[] = []
/** Of an authenticator app, and recovery codes. */
let segredos: readonly string[] = []

/** They end the sessions of the calls themselves. */
const FORA = new Set(['logout', 'encerrarOutrasSessoes'])
const lines: [string, RouteShape][] = Object.entries(apiRoutes)

/** Calls a route with the other conta's id in every place where a server could read it. */
async function perguntar(quem: TestUser, row: RouteShape, caminho: string): Promise<{ status: number; texto: string }> {
  const conta = ana.contaId
  const semCorpo = row.method === 'GET' || row.bodyType === 'multipart'
  const reply = await fetch(`${app.url}/api${caminho}?contaId=${conta}&conta_id=${conta}&userId=${conta}`, {
    method: row.method,
    headers: {
      authorization: `Bearer ${quem.token}`,
      'x-conta-id': conta,
      ...(semCorpo ? {} : { 'content-type': 'application/json' }),
    },
    ...(semCorpo ? {} : { body: JSON.stringify({ contaId: conta, userId: conta, id: ids[0] }) }),
  })
  return { status: reply.status, texto: await reply.text() }
}

async function retrato(): Promise<Record<string, unknown>[]> {
  const tables = [
    'produtos',
    'configuracoes',
    'contatos',
    'conversas',
    'mensagens',
    'respostas_rapidas',
    'usuarios',
    'bots',
  ]
  const um = (tabela: string): string => {
    const columns = tabela === 'bots' ? 'status' : '*'
    return `select '${tabela}' as tabela, count(*)::int as linhas, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as soma
            from (select ${columns} from ${tabela} where conta_id = '${ana.contaId}') t`
  }
  const people = `usuario_id in (select id from usuarios where conta_id = '${ana.contaId}')`
  const identidade = ['passkeys', 'codigos_recuperacao'].map(
    (tabela) => `select '${tabela}', count(*)::int, md5(coalesce(string_agg(t::text, '' order by t::text), ''))
      from ${tabela} t where ${people}`,
  )
  const sessoes = `select 'sessoes', count(*)::int, '' from sessoes where revogada_em is null and ${people}`
  return app.sql([...tables.map(um), ...identidade, sessoes].join(' union all '))
}

function feito({ status }: { readonly status: number }): void {
  expect(status).toBeLessThan(300)
}

/** The operador gets app and passkey. Returns the ids of the passkey and of a session. */
async function givenSecondFactors(): Promise<string[]> {
  const { token } = await loginAt(app.url, 'rui@loja.test', SENHA)
  const { segredo, recuperacao } = await enrolTotp(app.send, token, () => new Date())
  segredos = [segredo, ...recuperacao, ...recuperacao.map((code) => code.replaceAll('-', ''))]
  const { passkey } = await enrolPasskey(app.send, token, 'http://localhost:3000')
  const { body } = await app.send('GET', '/auth/sessoes', { token })
  return [passkey.id, String(Reflect.get(Object(Object(body['sessoes'])[0]), 'id'))]
}

async function encherALoja(): Promise<void> {
  const { config } = configRoute.response.parse((await ana.request('GET', '/config')).body)
  const menu = { ...config.menu, menuPrincipal: `Menu ${PALAVRA}` }
  const full = {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    gemini: { apiKey: CHAVE },
    ia: { ...config.ia, apiKey: CHAVE, promptTreinamento: `Fale de ${PALAVRA}` },
    menu,
  }
  feito(await ana.request('PUT', '/config', full))
  const produto = { nome: `Bolo ${PALAVRA}`, descricao: 'de fubá', preco: 10 }
  feito(await ana.request('POST', '/produtos', produto))
  const respostas = [{ atalho: 'oi', texto: `Olá ${PALAVRA}` }]
  feito(await ana.request('PUT', '/atendimento/respostas-rapidas', { respostas }))
  const operador = { nome: 'Rui', email: 'rui@loja.test', setores: ['geral'], senha: SENHA }
  feito(await ana.request('POST', '/conta/operadores', operador))
  await ana.request('POST', '/bot/iniciar')
  await waitUntil(async () => (await ana.request('GET', '/bot/status')).body['status'] === 'AGUARDANDO_QR')
  await ana.request('POST', '/simulador/escanear', {})
  await waitUntil(async () => (await ana.request('GET', '/bot/status')).body['status'] === 'CONECTADO')
  for (const texto of [`quero ${PALAVRA}`, 'atendente']) {
    const { status } = await ana.request('POST', '/simulador/mensagens', {
      telefone: TELEFONE,
      nome: `Zé ${PALAVRA}`,
      texto,
    })
    expect(status).toBe(202)
  }
  await app.idle()
  const types = ['produtos', 'conversas', 'mensagens', 'usuarios', 'contatos']
  const uma = (tabela: string): string =>
    `(select id from ${tabela} where conta_id = '${ana.contaId}' order by id desc limit 1)`
  const found = await app.sql(types.map(uma).join(' union all '))
  ids = [ana.contaId, ...found.map(({ id }) => String(id)), ...(await givenSecondFactors())]
  expect(ids).toHaveLength(1 + types.length + 2)
}

beforeAll(async () => {
  const stream = { write: (line: string) => void log.push(line) }
  app = await createTestApp({ log: createLog('trace', { destination: stream }).log })
  admin = await loginAt(app.url, 'dona@loja.test', 'senha-da-dona')
  for (const email of ['ana@loja.test', 'bia@loja.test']) {
    const corpo = { nome: email.slice(0, 3), email, senha: SENHA, telefone: '', empresa: 'Loja' }
    feito(await admin.request('POST', '/admin/usuarios', corpo))
  }
  ana = await loginAt(app.url, 'ana@loja.test', SENHA)
  bia = await loginAt(app.url, 'bia@loja.test', SENHA)
  times = await Promise.all(Array.from({ length: 8 }, () => loginAt(app.url, 'bia@loja.test', SENHA)))
  socket = io(app.url, { auth: { token: bia.token }, transports: ['websocket'], forceNew: true })
  socket.onAny((...everything: unknown[]) => void heard.push(JSON.stringify(everything)))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  await encherALoja()
})
afterAll(async () => {
  socket?.disconnect()
  await app?.close()
})

async function muros(mode: 'disable' | 'enable'): Promise<string[]> {
  const parsed = await app.sql(
    `select relname as nome from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and ${mode === 'disable' ? 'relrowsecurity' : 'relforcerowsecurity'}
     order by relname`,
  )
  const names = parsed.map(({ nome }) => String(nome))
  for (const name of names) await app.sql(`alter table "${name}" ${mode} row level security`)
  return names
}

describe('all routes, without row-level security', () => {
  beforeAll(async () => {
    expect((await muros('disable')).length).toBeGreaterThan(20)
  })
  afterAll(() => muros('enable'))

  it('returns a conta’s texts only to that conta and its AI key to no one', async () => {
    const comPalavra: string[] = []
    for (const [name, row] of lines.filter(([, { method, path }]) => method === 'GET' && !path.includes(':'))) {
      const { texto } = await perguntar(ana, row, row.path)
      if (texto.includes(PALAVRA)) comPalavra.push(name)
      expect([name, texto.includes(CHAVE)]).toEqual([name, false])
    }
    // Guards against an empty test: the word must be readable by its owner.
    expect(comPalavra).toEqual(
      expect.arrayContaining([
        'config',
        'conversas',
        'conversasHumanas',
        'mensagens',

        'produtos',
        'respostasRapidas',
      ]),
    )
  })

  it('returns no text of another conta and changes none of its rows', { timeout: 120_000 }, async () => {
    const before = await retrato()
    const values = [...ids, TELEFONE, 'geral']
    const perguntas = lines.filter(([name]) => !FORA.has(name))
    for (const [i, [name, row]] of perguntas.entries()) {
      const paths = row.path.includes(':') ? values.map((id) => row.path.replace(/:\w+/g, id)) : [row.path]
      for (const caminho of paths) {
        const { status, texto } = await perguntar(times[i % times.length] ?? bia, row, caminho)
        // A 429 or 500 would not prove isolation.
        const semResposta = [429, 500].includes(status)
        expect([name, caminho, texto.includes(PALAVRA), semResposta]).toEqual([name, caminho, false, false])
      }
    }
    expect(await retrato()).toEqual(before)
  })

  it('sends no event of another conta to the socket', async () => {
    await bia.request('POST', '/atendimento/teste-conversa', {})
    await waitUntil(async () => heard.some((event) => event.includes('novaConversaHumana')))
    expect(heard.filter((event) => event.includes(PALAVRA) || event.includes(ana.contaId))).toEqual([])
  })

  it('shows the administrador the conta without its texts', async () => {
    for (const [name, row] of lines.filter(
      ([, { method, permission }]) => method === 'GET' && permission === 'admin',
    )) {
      const { status, texto } = await perguntar(admin, row, row.path.replace(/:\w+/g, ids[0] ?? ''))
      expect([name, status < 500, texto.includes(PALAVRA)]).toEqual([name, true, false])
    }
    expect((await perguntar(admin, apiRoutes.usuarios, '/admin/usuarios')).texto).toContain('ana@loja.test')
  })
})

describe('row-level security', () => {
  it('hides all rows of another conta and rejects their change in every table', async () => {
    const comConta = await app.sql(
      `select c.table_name as nome from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.column_name = 'conta_id' and t.table_type = 'BASE TABLE'
       and c.table_name <> all (array['usuarios', 'emails', 'auditoria'])`,
    )
    const seen: [string, unknown][] = []
    for (const { nome } of comConta) {
      const tabela = `"${String(nome)}"`
      const [{ n } = { n: 0 }] = await app.sql(
        `select count(*)::int as n from ${tabela} where conta_id = '${ana.contaId}'`,
      )
      if (Number(n) > 0) seen.push([tabela, n])
      const porBia = await app.deps.db.transaction(bia.contaId, async (tx) => {
        const { rows } = await tx.query(`select 1 from ${tabela} where conta_id <> $1`, [bia.contaId])
        return rows.length
      })
      expect([tabela, porBia]).toEqual([tabela, 0])
    }
    // Guards against empty tables.
    expect(seen.length).toBeGreaterThan(8)
    const mexidas = await app.deps.db.transaction(bia.contaId, async (tx) => {
      const done = ['update produtos set nome = nome', 'delete from mensagens', 'update conversas set status = status']
      const respostas = []
      for (const sql of done) respostas.push(await tx.query(`${sql} where conta_id = $1`, [ana.contaId]))
      return respostas.map(({ rowCount }) => rowCount)
    })
    expect(mexidas).toEqual([0, 0, 0])
  })
})

describe('server log', () => {
  it('contains only JSON lines without customer texts, phones, passwords, tokens or keys', async () => {
    await loginAt(app.url, 'ana@loja.test', `errada-${PALAVRA}`).catch(() => undefined)
    await ana.request('POST', '/gemini/validar', { apiKey: `${CHAVE}x` })
    const everything = log.join('')
    expect(log.length).toBeGreaterThan(0)
    for (const line of log) expect(() => JSON.parse(line)).not.toThrow()
    for (const secret of [PALAVRA, TELEFONE, SENHA, CHAVE, ana.token, bia.token, ...segredos])
      expect(everything).not.toContain(secret)
  })
})

describe('database', () => {
  it('stores no readable password, token or key', async () => {
    const sealed: string[] = []
    const tables = await app.sql(
      `select table_name as t from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    for (const { t } of tables) {
      const lines = JSON.stringify(await app.sql(`select t::text from "${String(t)}" t`))
      for (const secret of [SENHA, CHAVE, ana.token, ...segredos])
        expect([t, lines.includes(secret)]).toEqual([t, false])
      if (lines.includes('selado:k')) sealed.push(String(t))
    }
    // The reseal command knows all tables with sealed values.
    const known = SEALED_PLACES.map(({ table }) => table)
    expect(sealed).toContain('configuracoes')
    expect(known).toEqual(expect.arrayContaining(sealed))
  })
})
