import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MenuConfig } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { choicesOf } from './fake-interactive.ts'
import { createFakeMeta, type FakeMeta, type FakeMetaMessage } from './fake-meta.ts'
import {
  createMetaCustomer,
  type MetaCustomer,
  type MetaLoja,
  startMetaLoja,
  untilConnected,
  untilSettled,
} from './meta-loja.ts'

let database: TestDatabase
let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let customers = 0

const open = () =>
  createTestApp({ database, oficialUrl: meta.url, oficialTimings: { confirmationMs: 50, reconnectDelay: () => 50 } })

beforeAll(async () => {
  database = await createTestDatabase()
  meta = await createFakeMeta()
  app = await open()
  loja = await startMetaLoja(app, meta, { juntarMensagens: 'oficial' })
})
afterAll(async () => {
  await app.close()
  await meta.close()
  await database.drop()
})

function customer(): MetaCustomer {
  customers += 1
  const number = `551193100${String(customers).padStart(4, '0')}`
  return createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Ana', number })
}

const readConfig = async () => configRoute.response.parse((await app.request('GET', '/config')).body).config

async function saveMenu(menu: Partial<MenuConfig>): Promise<void> {
  const config = await readConfig()
  const saved = await app.request('PUT', '/config', { ...config, menu: { ...config.menu, ...menu } })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
}

const options = (count: number): MenuConfig['opcoes'] =>
  Array.from({ length: count }, (_, index) => ({
    numero: String(index + 1),
    titulo: `${index + 1}º assunto do atendimento`,
    tipo: 'mensagem',
    resposta: `Resposta ${index + 1}`,
  }))

async function answers(ana: MetaCustomer, count: number): Promise<FakeMetaMessage[]> {
  await ana.hasRead(count)
  await untilSettled(app)
  expect(ana.received()).toHaveLength(count)
  return ana.received()
}

async function greeting(): Promise<FakeMetaMessage | undefined> {
  const ana = customer()
  await ana.says('oi')
  return (await answers(ana, 1))[0]
}

const tap = (ana: MetaCustomer, kind: 'button_reply' | 'list_reply', id: string, title: string) =>
  ana.sends({ type: 'interactive', interactive: { type: kind, [kind]: { id, title } }, context: { id: 'wamid.MENU' } })

describe('menu on the official API', () => {
  it('leaves as buttons for 3 options, as a list for 4 to 10, as text for 11', async () => {
    const sent: (FakeMetaMessage | undefined)[] = []
    for (const count of [3, 4, 10, 11]) {
      await saveMenu({ menuPrincipal: 'Escolha:', opcoes: options(count) })
      sent.push(await greeting())
    }
    expect(sent.map((message) => message?.interactive?.type)).toEqual(['button', 'list', 'list', undefined])
    const [buttons, list] = sent
    if (buttons?.interactive === undefined || list?.interactive === undefined) throw new Error('no choices sent')
    expect(choicesOf(buttons.interactive)).toEqual([
      { id: '1', title: '1º assunto do atendi' },
      { id: '2', title: '2º assunto do atendi' },
      { id: '3', title: '3º assunto do atendi' },
    ])
    expect(choicesOf(list.interactive)[3]).toEqual({
      ...{ id: '4', title: '4º assunto do atendiment' },
      description: '4º assunto do atendimento',
    })
    expect(buttons.interactive.body.text).toMatch(/^👋 Olá, Ana![^]*\n\nEscolha:\n\n\*1\* - 1º assunto/)
    expect(sent[3]?.text?.body).toContain('*11* - 11º assunto')
  })

  it('leaves as text when it is longer than the body of a menu, or when switched off', async () => {
    await saveMenu({ menuPrincipal: 'x'.repeat(1_020), opcoes: options(2) })
    expect(await greeting()).toMatchObject({ type: 'text', text: { body: expect.stringContaining('*2* - ') } })
    await saveMenu({ menuPrincipal: 'Escolha:', opcoes: options(2), interativo: false })
    expect(await greeting()).toMatchObject({ type: 'text' })
    await saveMenu({ interativo: true })
    expect(await greeting()).toMatchObject({ type: 'interactive' })
  })

  it('keeps the buttons when the texts before them are too long for the body', async () => {
    const { mensagens } = (await readConfig()).menu
    await saveMenu({ mensagens: { ...mensagens, boasVindas: 'y'.repeat(1_010) }, opcoes: options(2) })
    const ana = customer()
    await ana.says('oi')
    expect(await answers(ana, 2)).toMatchObject([{ type: 'text' }, { type: 'interactive' }])
    await saveMenu({ mensagens })
  })

  it('reads a tap as the number, and typed answers as before', async () => {
    await saveMenu({ menuPrincipal: 'Escolha:', opcoes: options(4) })
    const ana = customer()
    await ana.says('oi')
    await answers(ana, 1)
    await tap(ana, 'list_reply', '2', '2º assunto do atendiment')
    await answers(ana, 2)
    await ana.says('3')
    await answers(ana, 3)
    await ana.says('4º assunto do atendimento')
    await answers(ana, 4)
    expect((await ana.hasRead(4)).slice(1)).toEqual(['Resposta 2', 'Resposta 3', 'Resposta 4'])
    const stored = await app.sql(
      `select m.direcao, m.texto from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
       join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id where c.telefone = $1 order by m.id`,
      [ana.number],
    )
    expect(stored.slice(0, 3)).toEqual([
      { direcao: 'entrada', texto: 'oi' },
      { direcao: 'saida', texto: ana.received()[0]?.interactive?.body.text },
      { direcao: 'entrada', texto: '2' },
    ])
  })

  it('offers a page of the catalogue as a list of ten rows', async () => {
    for (let n = 1; n <= 9; n += 1) {
      const produto = { nome: `Bolo ${n}`, descricao: 'Fofo', preco: 10, ativo: true }
      expect((await app.request('POST', '/produtos', produto)).status).toBe(200)
    }
    await saveMenu({ opcoes: [{ numero: '1', titulo: 'Loja', tipo: 'loja', resposta: 'Nossa loja:' }] })
    const ana = customer()
    await ana.says('oi')
    await answers(ana, 1)
    await tap(ana, 'button_reply', '1', 'Loja')
    const [, page] = await answers(ana, 2)
    if (page?.interactive === undefined) throw new Error('no list sent')
    expect(page.interactive.body.text).toMatch(/^Nossa loja:\n\n\*1\* - Bolo 1 · R\$ 10,00/)
    expect(choicesOf(page.interactive).map(({ id, title }) => `${id} ${title}`)).toEqual([
      ...Array.from({ length: 8 }, (_, n) => `${n + 1} Bolo ${n + 1}`),
      ...['mais Ver outros', '0 Voltar ao menu'],
    ])
    await tap(ana, 'list_reply', 'mais', 'Ver outros')
    expect((await answers(ana, 3))[2]).toMatchObject({ interactive: { type: 'button' } })
    await tap(ana, 'button_reply', '9', 'Bolo 9')
    expect((await answers(ana, 4))[3]?.text?.body).toContain('*Bolo 9*')
  })

  it('sends the same buttons once after a restart', async () => {
    await saveMenu({ menuPrincipal: 'Escolha:', opcoes: options(3) })
    const ana = customer()
    meta.queueOutcomes({ status: 500, codigo: 131000 })
    await ana.says('oi')
    await waitUntil(async () => (await app.sql('select 1 from saida where tentativas > 0')).length === 1)
    await app.close()
    expect(ana.received()).toEqual([])
    app = await open()
    await untilConnected(app)
    const [sent] = await answers(ana, 1)
    expect(sent).toMatchObject({ interactive: { type: 'button', action: { buttons: { length: 3 } } } })
  })
})
