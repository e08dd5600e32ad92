import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Webchat } from '@balcao/contract/entities/webchat'
import { segredoWebchatRoute } from '@balcao/contract/routes/webchat'
import * as z from 'zod/mini'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { givenConta, openConversas } from '#test/builders.ts'
import { docx, png } from '#test/midias/sample-files.ts'
import { openStream } from './read-stream.ts'
import { chatLine, chatOf, createVisitor, openChat, type TestVisitor, visitorOf } from './visitor.ts'

const SITE = 'https://www.loja.test'
const GREETING = 'Olá'

let app: TestApp
let ana: TestUser
let bia: TestUser
let chat: Webchat
let other: Webchat
let addresses = 0

const freshIp = (): string => `203.0.113.${(addresses += 1)}`
const visitorPath = (): string => `/web/${chat.chave}/visitantes`

/** From a fresh network address, because an address may create 20 in an hour. */
async function visit(input: object = {}, { chave }: Pick<Webchat, 'chave'> = chat): Promise<TestVisitor> {
  const ip = freshIp()
  const send: TestApp['send'] = (method, path, options) => app.send(method, path, { ...options, ip })
  return createVisitor({ send }, { chave }, input)
}

const answers = (visitor: TestVisitor, count: number): Promise<string[]> =>
  waitUntil(async () => {
    const texts = await visitor.received(app)
    return texts.length >= count && texts
  })

/** Hands over to people and returns the id of the conversa. */
async function askPerson(visitor: TestVisitor, nome: string): Promise<string> {
  await visitor.says(app, 'atendente')
  const conversa = await waitUntil(
    async () => (await openConversas(ana)).find(({ cliente }) => cliente.nome === nome) ?? null,
  )
  return conversa.id
}

const writeAsPerson = (conversaId: string, mensagem: string) =>
  ana.request('POST', `/atendimento/conversas/${conversaId}/mensagem`, { mensagem })

const stateOf = async (texto: string): Promise<unknown> =>
  (await app.sql('select estado from mensagens where texto = $1', [texto]))[0]?.['estado']

beforeAll(async () => {
  app = await createTestApp({ trustProxy: true })
  ana = await givenConta(app, 'Dona Ana')
  bia = await givenConta(app, 'Dona Bia')
  chat = await openChat(ana, SITE)
  other = await openChat(bia, SITE)
})
afterAll(() => app.close())

describe('PUT /linhas/:id/webchat', () => {
  it('keeps absent fields and normalises the sites', async () => {
    const origens = [' HTTPS://WWW.Loja.Test:443/ ', 'http://localhost:8080']
    const saved = await chatOf(bia, { origens, cor: '#AA3300' })
    expect(saved).toMatchObject({ origens: [SITE, 'http://localhost:8080'], cor: '#aa3300', pedirNome: false })
    expect(saved.codigo).toBe(`<script async src="http://localhost:3000/chat/${saved.chave}/chat.js"></script>`)
    expect(await chatOf(bia, { saudacao: 'Oi!' })).toEqual({ ...saved, saudacao: 'Oi!' })
    expect(await chatOf(bia)).toEqual({ ...saved, saudacao: 'Oi!' })
  })

  it.each([
    ['a site without https', { origens: ['http://loja.test'] }],
    ['a site with a path', { origens: ['https://loja.test/contato'] }],
    ['a second directive', { origens: ['https://loja.test; script-src *'] }],
    ['any site', { origens: ['*'] }],
    ['11 sites', { origens: Array.from({ length: 11 }, (_, n) => `https://loja${n}.test`) }],
    ['no colour', { cor: 'red' }],
    ['a long greeting', { saudacao: 'a'.repeat(301) }],
  ])('refuses %s with 400 and changes nothing', async (_case, change) => {
    const { status, body } = await ana.request('PUT', `${await chatLine(ana)}/webchat`, change)
    expect({ status, codigo: body['codigo'] }).toEqual({ status: 400, codigo: 'dadosInvalidos' })
    expect(await chatOf(ana)).toEqual(chat)
  })

  it('answers 404 for the line of another shop and for a line that does not exist', async () => {
    for (const path of [await chatLine(bia), `/linhas/${randomUUID()}`, '/linhas/x']) {
      for (const [method, act] of [
        ['GET', ''],
        ['PUT', ''],
        ['POST', '/segredo'],
      ] as const) {
        const { status } = await ana.request(method, `${path}/webchat${act}`, method === 'PUT' ? {} : undefined)
        expect([path, method, status]).toEqual([path, method, 404])
      }
    }
  })
})

describe('GET /web/:chave/config', () => {
  it('shows the shop without a login', async () => {
    const { status, body } = await app.send('GET', `/web/${chat.chave}/config`)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        nome: 'Padaria Aurora',
        cor: chat.cor,
        saudacao: chat.saudacao,
        aberto: expect.any(Boolean),
        pedirNome: false,
      },
    })
  })

  it.each(['curta', 'a'.repeat(20), `${'a'.repeat(20)}%27%20or%201=1`])('answers 404 for the key %s', async (chave) => {
    expect(await app.send('GET', `/web/${chave}/config`)).toMatchObject({ status: 404 })
  })

  it('answers 404 while the line is stopped', async () => {
    await bia.request('POST', `${await chatLine(bia)}/parar`)
    expect(await app.send('GET', `/web/${other.chave}/config`)).toMatchObject({ status: 404 })
    await bia.request('POST', `${await chatLine(bia)}/iniciar`)
    expect(await app.send('GET', `/web/${other.chave}/config`)).toMatchObject({ status: 200 })
  })

  it.each([
    [SITE, 200],
    ['http://localhost:3000', 200],
    ['https://loja.test', 403],
    [`${SITE}.evil.test`, 403],
    ['null', 403],
  ])('answers a request from %s with %i', async (origin, status) => {
    const reply = await fetch(`${app.url}/api/web/${chat.chave}/config`, { headers: { origin } })
    expect(reply.status).toBe(status)
  })
})

describe('POST /web/:chave/visitantes', () => {
  it('creates a visitor for 30 days and no contato', async () => {
    const { status, body } = await app.send('POST', visitorPath(), { body: { nome: 'Zoé' }, ip: freshIp() })
    expect(status).toBe(201)
    const days = (new Date(String(body['expiraEm'])).getTime() - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 1)
    expect(await app.sql(`select 1 from contatos where nome = 'Zoé'`)).toEqual([])
    const [row] = await app.sql(`select token_hash::text as hash from webchat_visitantes where nome = 'Zoé'`)
    expect(row?.['hash']).not.toContain(String(body['token']))
  })

  it('stores the page without its query', async () => {
    await visit({ nome: 'Com página', pagina: `${SITE}/produto?email=a@b.test#x` })
    const [row] = await app.sql(`select pagina from webchat_visitantes where nome = 'Com página'`)
    expect(row?.['pagina']).toBe(`${SITE}/produto`)
  })

  it('refuses the 21st visitor of an address with 429', async () => {
    const ip = freshIp()
    const statuses: number[] = []
    for (let n = 0; n < 21; n += 1) statuses.push((await app.send('POST', visitorPath(), { body: {}, ip })).status)
    expect(statuses).toEqual([...Array<number>(20).fill(201), 429])
    expect(await app.send('POST', visitorPath(), { body: {}, ip: freshIp() })).toMatchObject({ status: 201 })
  })

  it.each([
    ['an empty name', { nome: ' ' }],
    ['a long name', { nome: 'a'.repeat(121) }],
    ['a page that is no text', { pagina: {} }],
    ['an identity without signature', { identidade: { id: '7' } }],
  ])('refuses %s with 400', async (_case, body) => {
    expect(await app.send('POST', visitorPath(), { body, ip: freshIp() })).toMatchObject({ status: 400 })
  })
})

describe('identity of a visitor', () => {
  const secretOf = async (user: TestUser): Promise<string> =>
    segredoWebchatRoute.response.parse((await user.request('POST', `${await chatLine(user)}/webchat/segredo`)).body)
      .segredo
  const sign = (segredo: string, id: string): string => createHmac('sha256', segredo).update(id, 'utf8').digest('hex')

  it('refuses every identity before there is a secret', async () => {
    const identidade = { id: '7', assinatura: sign('', '7') }
    const reply = await app.send('POST', `/web/${other.chave}/visitantes`, { body: { identidade }, ip: freshIp() })
    expect(reply).toMatchObject({ status: 403, body: { codigo: 'identidadeInvalida' } })
  })

  it('joins the devices of one proved id and refuses a wrong, foreign or outdated signature', async () => {
    const old = await secretOf(ana)
    const segredo = await secretOf(ana)
    const foreign = await secretOf(bia)
    for (const assinatura of [sign(old, 'é7'), sign(foreign, 'é7'), sign(segredo, '8'), 'x', '']) {
      const body = { identidade: { id: 'é7', assinatura } }
      const { status, body: answer } = await app.send('POST', visitorPath(), { body, ip: freshIp() })
      expect({ status, codigo: answer['codigo'] }).toEqual({ status: 403, codigo: 'identidadeInvalida' })
    }
    const identidade = { id: 'é7', assinatura: sign(segredo, 'é7'), nome: 'Ivo' }
    const [phone, desk] = [await visit({ identidade }), await visit({ identidade })]
    await phone.says(app, 'oi do celular')
    await waitUntil(async () => (await desk.messages(app)).some(({ texto }) => texto === 'oi do celular'))
    await desk.says(app, 'oi do computador')
    expect(await app.sql(`select 1 from contatos where nome = 'Ivo'`)).toHaveLength(1)
    expect(await (await visit()).messages(app)).toEqual([])
    expect(app.responseTexts.filter((text) => text.includes(segredo))).toEqual([])
  })

  it('never joins a typed phone with a contato', async () => {
    await ana.request('POST', '/contatos', { nome: 'Telma', telefone: '11987650001' })
    const visitor = await visit({ nome: '11987650001' })
    await visitor.says(app, 'meu telefone é 11987650001')
    await answers(visitor, 1)
    const rows = await app.sql(
      `select telefone, endereco from contatos where conta_id = $1 and nome in ('Telma', '11987650001') order by telefone`,
      [ana.contaId],
    )
    expect(rows.map(({ telefone }) => telefone)).toEqual(['', '5511987650001'])
  })
})

describe('tokens of visitors', () => {
  const ROUTES = [
    ['GET', '/mensagens', undefined],
    ['POST', '/mensagens', { id: randomUUID(), texto: 'oi' }],
    ['GET', '/eventos', undefined],
    ['POST', '/digitando', undefined],
    ['POST', '/lida', { ate: randomUUID() }],
    ['DELETE', '/visitantes/eu', undefined],
  ] as const

  it.each(ROUTES)(
    '%s %s answers 401 without a token and with a wrong one, 404 with that of another key',
    async (method, path, body) => {
      const foreign = await visit({}, other)
      const tried = ['', 'x'.repeat(43), ana.token].map((token) => visitorOf(chat.chave, token))
      for (const visitor of tried) {
        const { status, body: answer } = await visitor.ask(app, method, path, body)
        expect({ status, codigo: answer['codigo'] }).toEqual({ status: 401, codigo: 'semSessao' })
      }
      expect(await visitorOf(chat.chave, foreign.token).ask(app, method, path, body)).toMatchObject({ status: 404 })
    },
  )

  it('end after 30 days', async () => {
    const visitor = await visit()
    await app.sql(
      `update webchat_visitantes set expira_em = now() - interval '1 second' where nome = '' and id = (
      select id from webchat_visitantes where conta_id = $1 order by criado_em desc limit 1)`,
      [ana.contaId],
    )
    expect(await visitor.ask(app, 'GET', '/mensagens')).toMatchObject({ status: 401 })
  })

  it('do not open the panel', async () => {
    const { token } = await visit()
    expect(await app.send('GET', '/atendimento/conversas', { token })).toMatchObject({ status: 401 })
  })
})

describe('POST /web/:chave/mensagens', () => {
  it('answers with the menu, as on any connector, and stores a repeated id once', async () => {
    const visitor = await visit({ nome: 'Rui' })
    const id = randomUUID()
    for (let n = 0; n < 3; n += 1) await visitor.says(app, 'bom dia', id)
    const texts = await answers(visitor, 2)
    expect(texts[0]).toContain(GREETING)
    const mensagens = await visitor.messages(app)
    expect(mensagens.filter(({ de }) => de === 'visitante')).toMatchObject([
      { id, texto: 'bom dia', autor: 'Rui', estado: 'entregue' },
    ])
    expect(mensagens[0]).toMatchObject({ id })
    expect(await app.sql(`select telefone from contatos where nome = 'Rui'`)).toEqual([{ telefone: '' }])
  })

  it('keeps equal ids of two visitors apart', async () => {
    const [one, two] = [await visit(), await visit()]
    const id = randomUUID()
    await one.says(app, 'segredo do primeiro', id)
    await two.says(app, 'segunda voz', id)
    const texts = (await two.messages(app)).map(({ texto }) => texto)
    expect(texts).toContain('segunda voz')
    expect(texts).not.toContain('segredo do primeiro')
  })

  it('takes 5 messages in advance and then 429', async () => {
    const visitor = await visit()
    const send = (n: number) => visitor.ask(app, 'POST', '/mensagens', { id: randomUUID(), texto: `n${n}` })
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => send(n)))
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(replies.length - refused.length).toBeGreaterThanOrEqual(5)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    const quiet = await visit()
    expect(await quiet.ask(app, 'POST', '/mensagens', { id: randomUUID(), texto: 'oi' })).toMatchObject({ status: 202 })
  })

  it.each([
    ['no id', { texto: 'oi' }],
    ['an id that is no UUID', { id: '1', texto: 'oi' }],
    ['an empty text', { id: randomUUID(), texto: ' ' }],
    ['a long text', { id: randomUUID(), texto: 'a'.repeat(4_097) }],
    ['no object', ['oi']],
  ])('refuses %s with 400', async (_case, body) => {
    expect(await (await visit()).ask(app, 'POST', '/mensagens', body)).toMatchObject({ status: 400 })
  })

  it('stores hostile texts as they are', async () => {
    const visitor = await visit({ nome: '<b>Zé</b>' })
    const texto = `'); drop table contatos; -- <img src=x onerror=alert(1)> \u202E \u0000 😀`
    await visitor.says(app, texto)
    const [mensagem] = await visitor.messages(app)
    expect(mensagem).toMatchObject({ texto: texto.replace('\u0000', ''), autor: '<b>Zé</b>' })
  })
})

describe('POST /web/:chave/midias', () => {
  const form = (bytes: Buffer, name: string, id: string = randomUUID()): FormData => {
    const data = new FormData()
    data.set('id', id)
    data.set('arquivo', new Blob([new Uint8Array(bytes)]), name)
    return data
  }

  it('stores a file once and gives it a signed address', async () => {
    const visitor = await visit({ nome: 'Foto' })
    const data = form(png(), 'bolo.png')
    for (let n = 0; n < 2; n += 1) {
      expect(await visitor.ask(app, 'POST', '/midias', data)).toMatchObject({ status: 202 })
    }
    const sent = (await visitor.messages(app)).filter(({ de }) => de === 'visitante')
    expect(sent).toMatchObject([{ texto: '', midia: { tipo: 'imagem' } }])
    const file = await fetch(`${app.url}${sent[0]?.midia?.url}`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it.each([
    ['a program', form(Buffer.from([0x4d, 0x5a, 0, 0, 1, 2, 3]), 'a.exe'), 400],
    [
      'no file',
      (() => {
        const data = new FormData()
        data.set('id', randomUUID())
        return data
      })(),
      400,
    ],
    ['no UUID', form(docx(), 'a.docx', '7'), 400],
    ['6 MB', form(Buffer.alloc(6_000_000, 1), 'a.png'), 413],
  ])('refuses %s', async (_case, data, status) => {
    expect(await (await visit()).ask(app, 'POST', '/midias', data)).toMatchObject({ status })
  })
})

describe('GET /web/:chave/mensagens', () => {
  it('continues after a cursor, which is null only while there is no message', async () => {
    const visitor = await visit()
    expect((await visitor.ask(app, 'GET', '/mensagens')).body).toEqual({ mensagens: [], proximoCursor: null })
    await visitor.says(app, 'oi')
    await answers(visitor, 2)
    const { proximoCursor } = (await visitor.ask(app, 'GET', '/mensagens')).body
    expect(proximoCursor).toMatch(/^\d+$/)
    const rest = await visitor.ask(app, 'GET', `/mensagens?depois=${String(proximoCursor)}`)
    expect(rest.body).toEqual({ mensagens: [], proximoCursor })
    await visitor.says(app, '4')
    await waitUntil(async () => (await visitor.messages(app, String(proximoCursor))).length >= 2)
    const [first] = await visitor.messages(app, String(proximoCursor))
    expect(first?.texto).toBe('4')
  })

  it.each(['x', '-1', '1e3', '9'.repeat(40), "1' or '1'='1"])('refuses the cursor %s with 400', async (cursor) => {
    const visitor = await visit()
    const { status } = await visitor.ask(app, 'GET', `/mensagens?depois=${encodeURIComponent(cursor)}`)
    expect(status).toBe(400)
  })

  it('makes a message of a person `entregue` when it is read and `lida` on POST /lida', async () => {
    const visitor = await visit({ nome: 'Lia' })
    const conversaId = await askPerson(visitor, 'Lia')
    await writeAsPerson(conversaId, 'Posso ajudar, Lia?')
    await waitUntil(async () => (await app.sql('select 1 from saida')).length === 0)
    expect(await stateOf('Posso ajudar, Lia?')).toBe('enviada')
    const mensagem = await waitUntil(
      async () => (await visitor.messages(app)).find(({ texto }) => texto === 'Posso ajudar, Lia?') ?? null,
    )
    expect(mensagem).toMatchObject({ de: 'loja', autor: 'Dona Ana' })
    await waitUntil(async () => (await stateOf('Posso ajudar, Lia?')) === 'entregue')
    expect((await visitor.messages(app)).find(({ texto }) => texto === 'atendente')?.estado).toBe('lida')
    expect(await visitor.ask(app, 'POST', '/lida', { ate: mensagem.id })).toMatchObject({ status: 204 })
    await waitUntil(async () => (await stateOf('Posso ajudar, Lia?')) === 'lida')
    expect(await (await visit()).ask(app, 'POST', '/lida', { ate: mensagem.id })).toMatchObject({ status: 404 })
  })
})

describe('conversa of a visitor', () => {
  it('shows the name as claimed until a person writes another one', async () => {
    const visitor = await visit({ nome: 'Nara' })
    await askPerson(visitor, 'Nara')
    const find = async () => (await openConversas(ana)).find(({ cliente }) => cliente.nome.startsWith('Nara'))
    const conversa = await find()
    expect(conversa?.cliente).toEqual({ nome: 'Nara', telefone: '', nomeInformado: true })
    await ana.request('PUT', `/contatos/${conversa?.contatoId}`, { nome: 'Nara Lima' })
    expect((await find())?.cliente).toEqual({ nome: 'Nara Lima', telefone: '' })
  })

  it('refuses a reaction and an edit, which the chat does not show', async () => {
    const visitor = await visit({ nome: 'Olga' })
    const conversaId = await askPerson(visitor, 'Olga')
    const { body } = await writeAsPerson(conversaId, 'sai as 9h')
    const { id } = z.object({ mensagem: z.object({ id: z.string() }) }).parse(body).mensagem
    const { status } = await ana.request('PUT', `/atendimento/mensagens/${id}`, { texto: 'sai às 9h' })
    expect(status).toBe(409)
  })
})

describe('GET /web/:chave/eventos', () => {
  it('brings messages, states and typing, each with an id, and resumes without gap or repetition', async () => {
    const visitor = await visit({ nome: 'Sol' })
    const stream = await openStream(app, chat.chave, { token: visitor.token, ip: freshIp() })
    expect([stream.status, stream.headers.get('content-type'), stream.headers.get('content-encoding')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      null,
    ])
    const conversaId = await askPerson(visitor, 'Sol')
    const own = await stream.until(({ event, data }) => event === 'mensagem' && data['texto'] === 'atendente')
    await stream.until(
      ({ event, data }) => event === 'estado' && data['id'] === own.data['id'] && data['estado'] === 'entregue',
    )
    await writeAsPerson(conversaId, 'primeira')
    await stream.until(({ data }) => data['texto'] === 'primeira')
    await ana.request('POST', `/atendimento/conversas/${conversaId}/digitando`)
    await stream.until(({ event }) => event === 'digitando')
    await stream.until(
      ({ event, data }) => event === 'estado' && data['id'] === own.data['id'] && data['estado'] === 'lida',
    )
    const last = stream.events.at(-1)?.id
    stream.close()
    await writeAsPerson(conversaId, 'segunda')
    await writeAsPerson(conversaId, 'terceira')
    const resumed = await openStream(app, chat.chave, { token: visitor.token, last, ip: freshIp() })
    await resumed.until(({ data }) => data['texto'] === 'terceira')
    const all = [...stream.events, ...resumed.events]
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const fromStreams = all.flatMap(({ event, data }) => (event === 'mensagem' ? [data['id']] : []))
    expect(fromStreams).toEqual((await visitor.messages(app)).map(({ id }) => id))
    resumed.close()
  })

  it('refuses the fourth stream of an address with 429 until one is closed', async () => {
    const ip = freshIp()
    const { token } = await visit()
    const open = () => openStream(app, chat.chave, { token, ip })
    const streams = [await open(), await open(), await open()]
    expect((await open()).status).toBe(429)
    streams[0]?.close()
    await waitUntil(async () => {
      const stream = await open()
      streams.push(stream)
      return stream.status === 200
    })
    for (const stream of streams) stream.close()
  })

  it('refuses an id that is no event with 400', async () => {
    const { token } = await visit()
    expect((await openStream(app, chat.chave, { token, last: 'x', ip: freshIp() })).status).toBe(400)
  })
})

describe('server that stops', () => {
  it('ends the open streams, so that it does not wait for them', async () => {
    const own = await createTestApp()
    const { chave } = await openChat(own.admin, SITE)
    const { token } = await createVisitor(own, { chave })
    const stream = await openStream(own, chave, { token })
    expect(stream.status).toBe(200)
    await Promise.all([own.close(), stream.ended])
  })
})

describe('POST /web/:chave/digitando', () => {
  it('shows the panel that the visitor types', async () => {
    const visitor = await visit({ nome: 'Tia' })
    const conversaId = await askPerson(visitor, 'Tia')
    const socket = await app.connect(ana)
    expect(await visitor.ask(app, 'POST', '/digitando')).toMatchObject({ status: 204 })
    await waitUntil(() => JSON.stringify(socket.received).includes(conversaId))
  })
})

describe('DELETE /web/:chave/visitantes/eu', () => {
  it('erases contato, messages and visitor, and ends the stream', async () => {
    const visitor = await visit({ nome: 'Vera Apagada', pagina: `${SITE}/vera` })
    await visitor.says(app, 'apague-me')
    await answers(visitor, 1)
    const stream = await openStream(app, chat.chave, { token: visitor.token, ip: freshIp() })
    expect(await visitor.ask(app, 'DELETE', '/visitantes/eu')).toMatchObject({ status: 204 })
    await stream.ended
    expect(await visitor.ask(app, 'GET', '/mensagens')).toMatchObject({ status: 401 })
    expect(await app.sql(`select 1 from contatos where nome = 'Vera Apagada'`)).toEqual([])
    expect(await app.sql(`select 1 from mensagens where texto = 'apague-me'`)).toEqual([])
    expect(await app.sql(`select 1 from webchat_visitantes where nome = 'Vera Apagada'`)).toEqual([])
  })

  it('erases nothing under a legal hold', async () => {
    const visitor = await visit({ nome: 'Guardada' })
    await visitor.says(app, 'guarde-me')
    await ana.request('PUT', '/lgpd/privacidade', { guardaLegal: true })
    expect(await visitor.ask(app, 'DELETE', '/visitantes/eu')).toMatchObject({ status: 409 })
    await ana.request('PUT', '/lgpd/privacidade', { guardaLegal: false })
    expect((await visitor.messages(app)).map(({ texto }) => texto)).toContain('guarde-me')
  })

  it('is equal to an erasure by the shop, which finds the visitor by the id of the contato', async () => {
    const visitor = await visit({ nome: 'Wanda', pagina: `${SITE}/wanda` })
    await visitor.says(app, 'oi')
    const [contato] = await app.sql(`select id from contatos where nome = 'Wanda'`)
    const path = `/lgpd/titulares/${String(contato?.['id'])}`
    const { body } = await ana.request('GET', `${path}/exportacao`)
    expect(body).toMatchObject({ visitas: [{ nome: 'Wanda', identidade: '', pagina: `${SITE}/wanda` }] })
    expect(await ana.request('DELETE', path)).toMatchObject({ status: 200 })
    expect(await visitor.ask(app, 'GET', '/mensagens')).toMatchObject({ status: 401 })
  })
})
