import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { connectBot, givenConta, openConversas } from '#test/builders.ts'
import { addChatLine, chatOf, createVisitor } from '#test/webchat/visitor.ts'
import { addLine, changeLine, connectLine, newPhone, shopTexts, waitingOn, writesOn } from './lines.ts'

let app: TestApp
let dona: TestUser
let first = ''
let filial = ''
let site = ''

const open = (body: object) => dona.request('POST', '/atendimento/conversas', body)
const act = (id: string, action: string, body?: object) =>
  dona.request('POST', `/atendimento/conversas/${id}/${action}`, body)
async function opened(body: object) {
  const answer = await open(body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const { conversa } = iniciarConversaRoute.response.parse(answer.body)
  return { id: conversa.id, linha: conversa.linha?.id }
}

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  first = dona.contaId
  await app.request('POST', `/admin/usuarios/${dona.usuario.id}/limite-linhas`, { limiteLinhas: 20 })
  await connectBot(dona)
  ;({ id: filial } = await addLine(dona, 'Filial'))
  await connectLine(dona, filial)
  site = (await addChatLine(dona)).replace('/linhas/', '')
})
afterAll(() => app.close())

describe('POST /atendimento/conversas with lines', () => {
  it('opens on the main line for a contato without a conversa', async () => {
    expect(await opened({ telefone: newPhone() })).toMatchObject({ linha: first })
  })

  it('opens on the line of the last conversa, also one with the bot', async () => {
    const [served, withBot] = [newPhone(), newPhone()]
    await act(await waitingOn(dona, filial, served), 'finalizar')
    expect(await opened({ telefone: served })).toMatchObject({ linha: filial })
    await writesOn(dona, first, withBot, 'oi')
    await writesOn(dona, filial, withBot, 'oi')
    expect(await opened({ telefone: withBot })).toMatchObject({ linha: filial })
  })

  it('opens on the requested line and sends the first message there only', async () => {
    const telefone = newPhone()
    await act(await waitingOn(dona, filial, telefone), 'finalizar')
    const before = await shopTexts(dona, filial, telefone)
    expect(await opened({ telefone, linhaId: first, mensagem: 'Pela principal' })).toMatchObject({ linha: first })
    await waitUntil(async () => (await shopTexts(dona, first, telefone)).includes('Pela principal'))
    expect((await shopTexts(dona, filial, telefone)).slice(0, before.length)).toEqual(before)
    expect(await shopTexts(dona, filial, telefone)).not.toContain('Pela principal')
  })

  it('opens on the main line if the last line is inactive or deleted', async () => {
    const loja = (await addLine(dona, 'Loja 3')).id
    await connectLine(dona, loja)
    const [inactive, deleted] = [newPhone(), newPhone()]
    for (const telefone of [inactive, deleted]) await act(await waitingOn(dona, loja, telefone), 'finalizar')
    expect((await changeLine(dona, loja, { ativa: false })).status).toBe(200)
    expect(await opened({ telefone: inactive })).toMatchObject({ linha: first })
    expect(await open({ telefone: newPhone(), linhaId: loja })).toMatchObject({ status: 404 })
    expect((await dona.request('DELETE', `/linhas/${loja}`)).status).toBe(204)
    expect(await opened({ telefone: deleted })).toMatchObject({ linha: first })
    expect(await open({ telefone: newPhone(), linhaId: loja })).toMatchObject({ status: 404 })
  })

  it('refuses the chat on the site, an unknown line and the line of another account, and opens nothing', async () => {
    const vizinha = await givenConta(app, 'Vizinha')
    const before = (await openConversas(dona, '?limite=200')).length
    expect(await open({ telefone: newPhone(), linhaId: site })).toMatchObject({
      status: 409,
      body: { codigo: 'linhaNaoEscreve' },
    })
    for (const linhaId of [crypto.randomUUID(), vizinha.contaId, 'x'])
      expect(await open({ telefone: newPhone(), linhaId })).toMatchObject({ status: 404 })
    expect((await open({ telefone: newPhone(), linhaId: 7 })).status).toBe(400)
    expect(await openConversas(dona, '?limite=200')).toHaveLength(before)
  })

  it('refuses a visitor without a phone on every line', async () => {
    const visitor = await createVisitor(app, await chatOf(dona), { nome: 'Nara do site' })
    await visitor.says(app, 'atendente')
    const conversa = await waitUntil(
      async () =>
        (await openConversas(dona, '?limite=200')).find(({ cliente }) => cliente.nome === 'Nara do site') ?? null,
    )
    expect(conversa.linha).toMatchObject({ id: site, conector: 'webchat' })
    await act(conversa.id, 'finalizar')
    const [contato] = await app.sql(`select id from contatos where nome = 'Nara do site'`)
    for (const linhaId of [undefined, first, filial, site])
      expect(await open({ contatoId: contato?.['id'], linhaId })).toMatchObject({
        status: 409,
        body: { codigo: 'linhaNaoEscreve' },
      })
  })

  it('answers `conversaAberta` per line', async () => {
    const telefone = newPhone()
    const { id } = await opened({ telefone, linhaId: first })
    expect(await open({ telefone, linhaId: first })).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAberta', conversaId: id },
    })
    const other = await opened({ telefone, linhaId: filial })
    expect(other.linha).toBe(filial)
    expect(await open({ telefone, linhaId: filial })).toMatchObject({ status: 409, body: { conversaId: other.id } })
  })
})

describe('POST /atendimento/conversas/:id/reabrir with lines', () => {
  it('opens the conversa on its line, also beside an open one on another line', async () => {
    const telefone = newPhone()
    const ended = await waitingOn(dona, filial, telefone)
    expect((await act(ended, 'finalizar')).status).toBe(200)
    const { id } = await opened({ telefone, linhaId: first })
    expect(await act(ended, 'reabrir')).toMatchObject({ status: 200, body: { conversa: { linha: { id: filial } } } })
    await act(id, 'finalizar')
    const second = await opened({ telefone, linhaId: first })
    expect(await act(id, 'reabrir')).toMatchObject({
      status: 409,
      body: { codigo: 'conversaAberta', conversaId: second.id },
    })
  })
})

describe('a message of a person', () => {
  it('leaves on the line of its conversa, whatever the customer wrote last', async () => {
    const telefone = newPhone()
    const here = await waitingOn(dona, first, telefone)
    const there = await waitingOn(dona, filial, telefone)
    for (let n = 0; n < 5; n += 1) {
      await writesOn(dona, n % 2 === 0 ? filial : first, telefone, `pergunta ${n}`)
      expect((await act(here, 'mensagem', { mensagem: `principal ${n}` })).status).toBe(200)
      expect((await act(there, 'mensagem', { mensagem: `filial ${n}` })).status).toBe(200)
    }
    const sent = (texts: readonly string[]): string[] => texts.filter((text) => /^(?:principal|filial) \d$/.test(text))
    const wanted = (line: string): string[] => Array.from({ length: 5 }, (_, n) => `${line} ${n}`)
    await waitUntil(async () => (await shopTexts(dona, first, telefone)).includes('principal 4'))
    await waitUntil(async () => (await shopTexts(dona, filial, telefone)).includes('filial 4'))
    expect(sent(await shopTexts(dona, first, telefone))).toEqual(wanted('principal'))
    expect(sent(await shopTexts(dona, filial, telefone))).toEqual(wanted('filial'))
  })

  it('waits for its own line while another one of the contato is connected', async () => {
    const telefone = newPhone()
    const there = await waitingOn(dona, filial, telefone)
    await dona.request('POST', `/linhas/${filial}/parar`)
    await act(there, 'mensagem', { mensagem: 'espera a filial' })
    await writesOn(dona, first, telefone, 'oi')
    expect(await shopTexts(dona, first, telefone)).not.toContain('espera a filial')
    const waiting = await app.sql(`select linha_id from saida where conta_id = $1`, [first])
    expect(waiting.every(({ linha_id: line }) => line === filial)).toBe(true)
    await connectLine(dona, filial)
    await waitUntil(async () => (await shopTexts(dona, filial, telefone)).includes('espera a filial'))
    expect(await shopTexts(dona, first, telefone)).not.toContain('espera a filial')
  })

  it('stays on the line through a transfer and a return to the bot', async () => {
    const telefone = newPhone()
    const there = await waitingOn(dona, filial, telefone)
    await act(there, 'transferir', { setor: 'suporte' })
    await act(there, 'mensagem', { mensagem: 'do suporte' })
    await waitUntil(async () => (await shopTexts(dona, filial, telefone)).includes('do suporte'))
    const before = (await shopTexts(dona, filial, telefone)).length
    expect((await act(there, 'devolver')).status).toBe(200)
    await writesOn(dona, filial, telefone, '4')
    await waitUntil(async () => (await shopTexts(dona, filial, telefone)).length > before)
    expect(await shopTexts(dona, first, telefone)).toEqual([])
  })
})
