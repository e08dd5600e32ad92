import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerEvent } from '@balcao/contract/realtime'
import { TestPanel } from '@balcao/contract/testing/interleaving'
import { createDelayedDatabase, type DelayedDatabase } from '#test/bot/delayed-database.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createAtendimentoApp, type AtendimentoApp } from './atendimento-app.ts'
import { waitUntil } from '#test/app.ts'

let database: TestDatabase
let opening: DelayedDatabase
let shop: AtendimentoApp
beforeAll(async () => {
  database = await createTestDatabase()
  // Delays the answer to the COMMIT of an opening.
  opening = createDelayedDatabase('v.id = i.id returning', 'depois')
  shop = await createAtendimentoApp({ database: database, db: opening.db(database.db) })
})
afterAll(async () => {
  await shop?.close()
  await database?.drop()
})

describe('novaConversaHumana whose commit is answered late', () => {
  const isOpening = (event: ServerEvent, id: string): boolean =>
    event.evento === 'novaConversaHumana' && event.dados.conversa.id === id

  /** A panel that gets the events of acts on a conversa before the event of its opening. */
  async function panelAfter(telefone: string, act: (id: string) => Promise<void>): Promise<TestPanel> {
    const { rui, customerSays } = shop
    await customerSays(telefone, 'oi')
    await shop.app.idle()
    const panel = new TestPanel(rui.contaId, await rui.list('mensagens=1'))
    const since = rui.events.length
    const committed = opening.hold()
    const asked = customerSays(telefone, 'atendente')
    await committed
    const [{ id } = { id: '' }] = (await rui.list()).filter(({ cliente }) => cliente.telefone === telefone)
    await act(id)
    const listed = await rui.list('mensagens=1')
    for (const event of rui.events.slice(since)) panel.receive(event, () => listed)
    expect(rui.events.slice(since).some((event) => isOpening(event, id))).toBe(false)
    const late = rui.events.length
    await opening.release()
    await asked
    await waitUntil(() => rui.events.slice(late).some((event) => isOpening(event, id)))
    for (const event of rui.events.slice(late)) panel.receive(event, () => [])
    return panel
  }
  const succeed = async (reply: Promise<{ readonly status: number }>): Promise<void> =>
    expect((await reply).status).toBe(200)

  it('changes no conversa that operadores took meanwhile', async () => {
    const panel = await panelAfter('5511911770001', async (id) => {
      await succeed(shop.rui.act(id, 'assumir'))
      await succeed(shop.rui.act(id, 'transferir', { setor: 'vendas' }))
    })
    const [listed] = await shop.rui.list('mensagens=1')
    const [shown] = panel.list()
    expect(shown).toMatchObject({ id: listed?.id, status: 'aguardando', setor: 'vendas', revisao: listed?.revisao })
    await succeed(shop.rui.act(listed?.id ?? '', 'finalizar'))
  })

  it('opens no conversa that operadores finished meanwhile', async () => {
    const panel = await panelAfter('5511911770003', async (id) => {
      await succeed(shop.rui.act(id, 'assumir'))
      await succeed(shop.rui.act(id, 'finalizar'))
    })
    expect(panel.list()).toEqual([])
  })
})

it('counts a change by the customer and by an operador as one revisao', async () => {
  const { rui, customerSays } = shop
  const telefone = '5511911770002'
  const revisao = async (): Promise<number | undefined> => {
    await shop.app.idle()
    return (await rui.list()).find(({ cliente }) => cliente.telefone === telefone)?.revisao
  }
  await customerSays(telefone, 'oi')
  await customerSays(telefone, 'atendente')
  const opened = (await revisao()) ?? Number.NaN
  await customerSays(telefone, 'alguém aí?')
  expect(await revisao()).toBe(opened + 1)
  const [{ id } = { id: '' }] = (await rui.list()).filter(({ cliente }) => cliente.telefone === telefone)
  expect((await rui.act(id, 'assumir')).status).toBe(200)
  expect(await revisao()).toBe(opened + 2)
  expect((await rui.act(id, 'mensagem', { mensagem: 'já vou' })).status).toBe(200)
  expect(await revisao()).toBe(opened + 3)
})
