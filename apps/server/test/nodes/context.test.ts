import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PRIVACIDADE_PADRAO } from '@balcao/contract/entities/lgpd'
import { PASSWORD, sendRequest, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, customerSays, givenConta, saveConfig } from '#test/builders.ts'
import { createProduto } from '#test/produtos/loja-requests.ts'
import { createFleet, type TestFleet } from './fleet.ts'

/** Changes made on one node count for the next message on the other one, although every notice of them is lost. */

let fleet: TestFleet
/** Has the bot. */
let dona: TestUser
/** The same login on the other node. */
let elsewhere: Pick<TestUser, 'request'>
let customers = 0
beforeAll(async () => {
  fleet = await createFleet(2)
  const [a, b] = fleet.nodes
  if (a === undefined || b === undefined) throw new Error('a fleet of two has two nodes')
  for (const { app } of [a, b]) vi.spyOn(app.deps.bots, 'contextChanged').mockImplementation(() => undefined)
  dona = await givenConta(a.app)
  const { token } = dona
  elsewhere = { request: async (method, path, body) => sendRequest(b.app.url, method, path, { token, body }) }
  await connectBot(dona)
})
afterAll(() => fleet.close())

function newCustomer(): { readonly says: (text: string) => Promise<void>; readonly texts: () => Promise<string[]> } {
  customers += 1
  const telefone = `55119876${String(50_000 + customers)}`
  return {
    says: (text) => customerSays(dona, telefone, text),
    texts: async () => (await chatOf(dona, telefone)).filter(({ de }) => de === 'bot').map(({ texto }) => texto),
  }
}

async function setManutencao(ativa: boolean): Promise<void> {
  const { status } = await elsewhere.request('POST', '/sistema/manutencao', { senha: PASSWORD, ativa })
  expect(status).toBe(200)
}

it('honours maintenance', async () => {
  const ana = newCustomer()
  await ana.says('oi')
  await waitUntil(async () => (await ana.texts()).length === 2)
  await setManutencao(true)
  await ana.says('1')
  await fleet.nodes[0]?.app.idle()
  expect(await ana.texts()).toHaveLength(2)
  await setManutencao(false)
  await ana.says('menu')
  await waitUntil(async () => (await ana.texts()).length === 3)
})

it('answers with a changed text of the menu', async () => {
  await saveConfig(elsewhere, (config) => ({
    ...config,
    menu: { ...config.menu, mensagens: { ...config.menu.mensagens, boasVindas: 'BEM-VINDO DE NOVO' } },
  }))
  const ana = newCustomer()
  await ana.says('oi')
  await waitUntil(async () => (await ana.texts())[0] === 'BEM-VINDO DE NOVO')
})

it('shows a new produto', async () => {
  await createProduto(elsewhere, { nome: 'Bolo de fubá' })
  const ana = newCustomer()
  await ana.says('oi')
  await ana.says('3')
  await waitUntil(async () => (await ana.texts()).some((text) => text.includes('Bolo de fubá')))
})

it('sends the privacy notice to new customers', async () => {
  const aviso = { ...PRIVACIDADE_PADRAO.aviso, ativo: true }
  expect((await elsewhere.request('PUT', '/lgpd/privacidade', { ...PRIVACIDADE_PADRAO, aviso })).status).toBe(200)
  const ana = newCustomer()
  await ana.says('oi')
  await waitUntil(async () => (await ana.texts()).some((text) => text.includes('/privacy')))
})
