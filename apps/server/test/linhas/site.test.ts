import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { getConfig, givenConta, openConversas, saveConfig } from '#test/builders.ts'
import { openStream } from '#test/webchat/read-stream.ts'
import { addChatLine, chatOf, createVisitor, type TestVisitor } from '#test/webchat/visitor.ts'
import { addLine, changeLine, lineWith, listLines } from './lines.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ trustProxy: true })
})
afterAll(() => app.close())
afterEach(() => void vi.restoreAllMocks())

let addresses = 0
/** An account with a chat, from its own network address. */
async function givenChat() {
  const dona = await givenConta(app)
  await saveConfig(dona)
  const id = (await addChatLine(dona)).replace('/linhas/', '')
  const chat = await chatOf(dona)
  const ip = `198.51.100.${(addresses += 1)}`
  const from: Pick<TestApp, 'send'> = {
    send: (method, path, options) => app.send(method, path, { ...options, ip }),
  }
  const visit = (nome: string): Promise<TestVisitor> => createVisitor(from, chat, { nome })
  return { dona, id, chat, from, visit }
}

const waiting = (dona: TestUser, nome: string) =>
  waitUntil(async () => (await openConversas(dona)).find(({ cliente }) => cliente.nome === nome) ?? null)

describe('a line of the chat on the site', () => {
  it('is connected from its creation on, and while it is active', async () => {
    const { dona, id, chat, from, visit } = await givenChat()
    expect(await lineWith(dona, id)).toMatchObject({ conector: 'webchat', ativa: true, status: 'CONECTADO' })
    const visitor = await visit('Ivo')
    await visitor.says(from, 'oi')
    await waitUntil(async () => (await visitor.received(from)).length > 0)
    const off = await changeLine(dona, id, { ativa: false })
    expect(off).toMatchObject({ status: 200, body: { linha: { ativa: false, status: 'PARADO' } } })
    expect(await from.send('GET', `/web/${chat.chave}/config`)).toMatchObject({ status: 404 })
    const refused = await visitor.ask(from, 'POST', '/mensagens', { id: crypto.randomUUID(), texto: 'alguém?' })
    expect(refused.status).toBe(404)
    expect((await dona.request('POST', `/linhas/${id}/iniciar`)).status).toBeGreaterThanOrEqual(400)
    expect((await changeLine(dona, id, { ativa: true })).status).toBe(200)
    await waitUntil(async () => (await lineWith(dona, id)).status === 'CONECTADO')
    await visitor.says(from, 'voltei')
    expect((await visitor.messages(from)).map(({ texto }) => texto)).toContain('voltei')
  })

  it('follows `ativa` also if the node dies between the commit and the order to its session', async () => {
    const { dona, id, chat, from } = await givenChat()
    const died = () => Promise.reject(new Error('died'))
    vi.spyOn(app.deps.bots, 'stop').mockImplementation(died)
    vi.spyOn(app.deps.bots, 'start').mockImplementation(died)
    expect((await changeLine(dona, id, { ativa: false })).status).toBe(200)
    await waitUntil(async () => (await lineWith(dona, id)).status === 'PARADO')
    expect(await from.send('GET', `/web/${chat.chave}/config`)).toMatchObject({ status: 404 })
    expect((await changeLine(dona, id, { ativa: true })).status).toBe(200)
    await waitUntil(async () => (await lineWith(dona, id)).status === 'CONECTADO')
    await waitUntil(async () => (await from.send('GET', `/web/${chat.chave}/config`)).status === 200)
  })

  it('starts and ends nothing on the other lines of the account', async () => {
    const { dona, id } = await givenChat()
    const before = await listLines(dona)
    await changeLine(dona, id, { ativa: false })
    await changeLine(dona, id, { ativa: true })
    await waitUntil(async () => (await lineWith(dona, id)).status === 'CONECTADO')
    const main = (lines: typeof before) => lines.find(({ principal }) => principal)
    expect(main(await listLines(dona))).toEqual(main(before))
  })

  it('starts when a line changes to the chat, beside another chat', async () => {
    const { dona, id } = await givenChat()
    const other = await addLine(dona, 'Filial')
    await changeLine(dona, other.id, { conector: 'webchat' })
    await waitUntil(async () => (await lineWith(dona, other.id)).status === 'CONECTADO')
    expect((await lineWith(dona, id)).status).toBe('CONECTADO')
  })

  it('is never the main line', async () => {
    const { dona, id } = await givenChat()
    expect(await changeLine(dona, id, { principal: true })).toMatchObject({
      status: 400,
      body: { codigo: 'dadosInvalidos', erro: 'O chat no site não pode ser a linha principal.' },
    })
    expect(await changeLine(dona, dona.contaId, { conector: 'webchat' })).toMatchObject({ status: 400 })
    const filial = await addLine(dona, 'Filial')
    expect(await changeLine(dona, filial.id, { conector: 'webchat', principal: true })).toMatchObject({ status: 400 })
    const config = await getConfig(app, dona)
    const saved = await dona.request('PUT', '/config', {
      ...config,
      whatsapp: { ...config.whatsapp, conector: 'webchat' },
    })
    expect(saved).toMatchObject({ status: 400, body: { codigo: 'dadosInvalidos' } })
    const lines = await listLines(dona)
    expect(lines.map(({ nome, principal, conector }) => [nome, principal, conector])).toEqual([
      ['Principal', true, 'simulador'],
      ['Filial', false, 'simulador'],
      ['Site', false, 'webchat'],
    ])
    expect((await getConfig(app, dona)).versao).toBe(config.versao)
  })
})

describe('DELETE /linhas/:id of a chat', () => {
  it('refuses while people serve, and with `encerrar` ends tokens, streams and conversas', async () => {
    const { dona, id, chat, from, visit } = await givenChat()
    const visitor = await visit('Nara')
    await visitor.says(from, 'atendente')
    const conversa = await waiting(dona, 'Nara')
    const stream = await openStream(app, chat.chave, { token: visitor.token, ip: '198.51.100.99' })
    const refused = await dona.request('DELETE', `/linhas/${id}`)
    expect(refused).toMatchObject({ status: 409, body: { codigo: 'linhaEmUso', conversas: 1 } })
    expect(await visitor.ask(from, 'GET', '/mensagens')).toMatchObject({ status: 200 })
    expect((await dona.request('DELETE', `/linhas/${id}?encerrar=false`)).status).toBe(409)
    expect((await dona.request('DELETE', `/linhas/${id}?encerrar=talvez`)).status).toBe(400)
    expect((await dona.request('DELETE', `/linhas/${id}?encerrar=true`)).status).toBe(204)
    await stream.ended
    const after = await visitor.ask(from, 'GET', '/mensagens')
    expect([401, 404]).toContain(after.status)
    expect(await from.send('GET', `/web/${chat.chave}/config`)).toMatchObject({ status: 404 })
    expect(await from.send('POST', `/web/${chat.chave}/visitantes`, { body: {} })).toMatchObject({ status: 404 })
    expect(await openConversas(dona)).toEqual([])
    const kept = await dona.request('GET', `/atendimento/conversas/${conversa.id}`)
    expect(kept).toMatchObject({ status: 200, body: { conversa: { status: 'finalizada', linha: { nome: 'Site' } } } })
    const written = await dona.request('POST', `/atendimento/conversas/${conversa.id}/mensagem`, { mensagem: 'oi?' })
    expect(written.status).toBeGreaterThanOrEqual(400)
    const reopened = await dona.request('POST', `/atendimento/conversas/${conversa.id}/reabrir`)
    expect(reopened.status).toBeGreaterThanOrEqual(400)
    expect(await app.sql('select 1 from linhas_bots where linha_id = $1 and desejado', [id])).toEqual([])
  })
})
