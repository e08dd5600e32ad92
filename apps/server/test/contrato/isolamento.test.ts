import { randomBytes } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteShape } from '@balcao/contract/define-route'
import { configRoute } from '@balcao/contract/routes/config'
import { apiRoutes } from '@balcao/contract/routes/all'
import { euRoute } from '@balcao/contract/routes/auth'
import { SEALED_PLACES } from '#db/selados.ts'
import { createLog } from '#log.ts'
import { loginWithToken, type TestServer, createTestServer } from '#test/bot/casa.ts'
import { waitUntil } from '#test/bot/house.ts'

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

type Quem = Awaited<ReturnType<typeof loginWithToken>> & { readonly contaId: string }

let casa: TestServer
let admin: Quem
let ana: Quem
let bia: Quem
let socket: Socket
let vezes: readonly Quem[] = []
const ouvido: string[] = []
const log: string[] = []
/** One id of each kind of row. */
let ids: readonly string[] = []

const FORA = new Set(['logout'])
const linhas: [string, RouteShape][] = Object.entries(apiRoutes)

async function entrar(email: string, senha = SENHA): Promise<Quem> {
  const quem = await loginWithToken(casa.url, { email, senha })
  const { usuario } = euRoute.response.parse((await quem.pedir('GET', '/auth/eu')).body)
  return { ...quem, contaId: usuario.contaId }
}

/** Calls a route with the other conta's id in every place where a server could read it. */
async function perguntar(quem: Quem, row: RouteShape, caminho: string): Promise<{ status: number; texto: string }> {
  const conta = ana.contaId
  const semCorpo = row.method === 'GET' || row.bodyType === 'multipart'
  const resposta = await fetch(`${casa.url}/api${caminho}?contaId=${conta}&conta_id=${conta}&userId=${conta}`, {
    method: row.method,
    headers: {
      authorization: `Bearer ${quem.token}`,
      'x-conta-id': conta,
      ...(semCorpo ? {} : { 'content-type': 'application/json' }),
    },
    ...(semCorpo ? {} : { body: JSON.stringify({ contaId: conta, userId: conta, id: ids[0] }) }),
  })
  return { status: resposta.status, texto: await resposta.text() }
}

async function retrato(): Promise<Record<string, unknown>[]> {
  const tabelas = [
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
    const colunas = tabela === 'bots' ? 'status' : '*'
    return `select '${tabela}' as tabela, count(*)::int as linhas, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as soma
            from (select ${colunas} from ${tabela} where conta_id = '${ana.contaId}') t`
  }
  return casa.sql(tabelas.map(um).join(' union all '))
}

function feito({ status }: { readonly status: number }): void {
  expect(status).toBeLessThan(300)
}

async function encherALoja(): Promise<void> {
  const { config } = configRoute.response.parse((await ana.pedir('GET', '/config')).body)
  const menu = { ...config.menu, menuPrincipal: `Menu ${PALAVRA}` }
  const cheia = {
    ...config,
    whatsapp: { ...config.whatsapp, clientId: 'loja' },
    gemini: { apiKey: CHAVE },
    ia: { ...config.ia, apiKey: CHAVE, promptTreinamento: `Fale de ${PALAVRA}` },
    menu,
  }
  feito(await ana.pedir('PUT', '/config', cheia))
  const produto = { nome: `Bolo ${PALAVRA}`, descricao: 'de fubá', preco: 10 }
  feito(await ana.pedir('POST', '/produtos', produto))
  const respostas = [{ atalho: 'oi', texto: `Olá ${PALAVRA}` }]
  feito(await ana.pedir('PUT', '/atendimento/respostas-rapidas', { respostas }))
  const operador = { nome: 'Rui', email: 'rui@loja.test', setores: ['geral'], senha: SENHA }
  feito(await ana.pedir('POST', '/conta/operadores', operador))
  await ana.pedir('POST', '/bot/iniciar')
  await waitUntil(async () => (await ana.pedir('GET', '/bot/status')).body['status'] === 'AGUARDANDO_QR')
  await ana.pedir('POST', '/simulador/escanear', {})
  await waitUntil(async () => (await ana.pedir('GET', '/bot/status')).body['status'] === 'CONECTADO')
  for (const texto of [`quero ${PALAVRA}`, 'atendente']) {
    const { status } = await ana.pedir('POST', '/simulador/mensagens', {
      telefone: TELEFONE,
      nome: `Zé ${PALAVRA}`,
      texto,
    })
    expect(status).toBe(202)
  }
  await casa.idle()
  const tipos = ['produtos', 'conversas', 'mensagens', 'usuarios', 'contatos']
  const uma = (tabela: string): string =>
    `(select id from ${tabela} where conta_id = '${ana.contaId}' order by id desc limit 1)`
  const achados = await casa.sql(tipos.map(uma).join(' union all '))
  ids = [ana.contaId, ...achados.map(({ id }) => String(id))]
  expect(ids).toHaveLength(1 + tipos.length)
}

beforeAll(async () => {
  const fluxo = { write: (linha: string) => void log.push(linha) }
  casa = await createTestServer({ log: createLog('trace', { destination: fluxo }).log })
  admin = await entrar('dona@loja.test', 'senha-da-dona')
  for (const email of ['ana@loja.test', 'bia@loja.test']) {
    const corpo = { nome: email.slice(0, 3), email, senha: SENHA, telefone: '', empresa: 'Loja' }
    feito(await admin.pedir('POST', '/admin/usuarios', corpo))
  }
  ana = await entrar('ana@loja.test')
  bia = await entrar('bia@loja.test')
  vezes = await Promise.all(Array.from({ length: 8 }, () => entrar('bia@loja.test')))
  socket = io(casa.url, { auth: { token: bia.token }, transports: ['websocket'], forceNew: true })
  socket.onAny((...tudo: unknown[]) => void ouvido.push(JSON.stringify(tudo)))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  await encherALoja()
})
afterAll(async () => {
  socket?.disconnect()
  await casa?.close()
})

async function muros(modo: 'disable' | 'enable'): Promise<string[]> {
  const lidas = await casa.sql(
    `select relname as nome from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and ${modo === 'disable' ? 'relrowsecurity' : 'relforcerowsecurity'}
     order by relname`,
  )
  const nomes = lidas.map(({ nome }) => String(nome))
  for (const nome of nomes) await casa.sql(`alter table "${nome}" ${modo} row level security`)
  return nomes
}

describe('all routes, without row-level security', () => {
  beforeAll(async () => {
    expect((await muros('disable')).length).toBeGreaterThan(20)
  })
  afterAll(() => muros('enable'))

  it('returns a conta’s texts only to that conta and its AI key to no one', async () => {
    const comPalavra: string[] = []
    for (const [nome, row] of linhas.filter(([, { method, path }]) => method === 'GET' && !path.includes(':'))) {
      const { texto } = await perguntar(ana, row, row.path)
      if (texto.includes(PALAVRA)) comPalavra.push(nome)
      expect([nome, texto.includes(CHAVE)]).toEqual([nome, false])
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
    const antes = await retrato()
    const valores = [...ids, TELEFONE, 'geral']
    const perguntas = linhas.filter(([nome]) => !FORA.has(nome))
    for (const [i, [nome, row]] of perguntas.entries()) {
      const caminhos = row.path.includes(':') ? valores.map((id) => row.path.replace(/:\w+/g, id)) : [row.path]
      for (const caminho of caminhos) {
        const { status, texto } = await perguntar(vezes[i % vezes.length] ?? bia, row, caminho)
        // A 429 or 500 would not prove isolation.
        const semResposta = [429, 500].includes(status)
        expect([nome, caminho, texto.includes(PALAVRA), semResposta]).toEqual([nome, caminho, false, false])
      }
    }
    expect(await retrato()).toEqual(antes)
  })

  it('sends no event of another conta to the socket', async () => {
    await bia.pedir('POST', '/atendimento/teste-conversa', {})
    await waitUntil(async () => ouvido.some((evento) => evento.includes('novaConversaHumana')))
    expect(ouvido.filter((evento) => evento.includes(PALAVRA) || evento.includes(ana.contaId))).toEqual([])
  })

  it('shows the administrador the conta without its texts', async () => {
    for (const [nome, row] of linhas.filter(([, { method, permission }]) => method === 'GET' && permission === 'admin')) {
      const { status, texto } = await perguntar(admin, row, row.path.replace(/:\w+/g, ids[0] ?? ''))
      expect([nome, status < 500, texto.includes(PALAVRA)]).toEqual([nome, true, false])
    }
    expect((await perguntar(admin, apiRoutes.usuarios, '/admin/usuarios')).texto).toContain('ana@loja.test')
  })
})

describe('row-level security', () => {
  it('hides all rows of another conta and rejects their change in every table', async () => {
    const comConta = await casa.sql(
      `select c.table_name as nome from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.column_name = 'conta_id' and t.table_type = 'BASE TABLE'
       and c.table_name <> all (array['usuarios', 'emails', 'auditoria'])`,
    )
    const vistas: [string, unknown][] = []
    for (const { nome } of comConta) {
      const tabela = `"${String(nome)}"`
      const [{ n } = { n: 0 }] = await casa.sql(
        `select count(*)::int as n from ${tabela} where conta_id = '${ana.contaId}'`,
      )
      if (Number(n) > 0) vistas.push([tabela, n])
      const porBia = await casa.deps.db.transaction(bia.contaId, async (tx) => {
        const { rows } = await tx.query(`select 1 from ${tabela} where conta_id <> $1`, [bia.contaId])
        return rows.length
      })
      expect([tabela, porBia]).toEqual([tabela, 0])
    }
    // Guards against empty tables.
    expect(vistas.length).toBeGreaterThan(8)
    const mexidas = await casa.deps.db.transaction(bia.contaId, async (tx) => {
      const feitas = [
        'update produtos set nome = nome',
        'delete from mensagens',
        'update conversas set status = status',
      ]
      const respostas = []
      for (const sql of feitas) respostas.push(await tx.query(`${sql} where conta_id = $1`, [ana.contaId]))
      return respostas.map(({ rowCount }) => rowCount)
    })
    expect(mexidas).toEqual([0, 0, 0])
  })
})

describe('server log', () => {
  it('contains only JSON lines without customer texts, phones, passwords, tokens or keys', async () => {
    await loginWithToken(casa.url, { email: 'ana@loja.test', senha: `errada-${PALAVRA}` }).catch(() => undefined)
    await ana.pedir('POST', '/gemini/validar', { apiKey: `${CHAVE}x` })
    const tudo = log.join('')
    expect(log.length).toBeGreaterThan(0)
    for (const linha of log) expect(() => JSON.parse(linha)).not.toThrow()
    for (const segredo of [PALAVRA, TELEFONE, SENHA, CHAVE, ana.token, bia.token]) expect(tudo).not.toContain(segredo)
  })
})

describe('database', () => {
  it('stores no readable password, token or key', async () => {
    const seladas: string[] = []
    const tabelas = await casa.sql(
      `select table_name as t from information_schema.tables where table_schema = 'public'`,
    )
    for (const { t } of tabelas) {
      const linhas = JSON.stringify(await casa.sql(`select t::text from "${String(t)}" t`))
      for (const segredo of [SENHA, CHAVE, ana.token]) expect([t, linhas.includes(segredo)]).toEqual([t, false])
      if (linhas.includes('selado:k')) seladas.push(String(t))
    }
    // The reseal command knows all tables with sealed values.
    const conhecidas = SEALED_PLACES.map(({ table }) => table)
    expect(seladas).toContain('configuracoes')
    expect(conhecidas).toEqual(expect.arrayContaining(seladas))
  })
})
