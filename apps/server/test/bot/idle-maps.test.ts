import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_LOGIN, type TestUser, waitUntil } from '#test/app.ts'
import { customerSays, openConversas } from '#test/builders.ts'
import { createIaApp, type IaApp } from '#test/ia/ia-app.ts'
import { type TrackedCollections, trackCollections } from '#test/tracked-collections.ts'

const CUSTOMERS = 120
/** Customers at the same time. */
const LANES = 60
/** The rate limit allows 100 requests a second for each login, so several operadores share the acts. */
const OPERADORES = 8

/** All other collections are empty while the server is idle. */
const KEPT = {
  // An entry for each running bot.
  'src/adapters/simulador/connector.ts': 1,
  'src/bot/session/registry.ts': 1,
  // The windows listen for nodes that leave.
  'src/modules/nos/registry.ts': 1,
  // Built once from the settings: the allowed addresses and the secrets.
  'src/adapters/outbound/outbound.ts': 10,
  'src/security/vault.ts': 1,
}

let collections: TrackedCollections
let app: IaApp
const people: TestUser[] = []
beforeAll(async () => {
  collections = trackCollections()
  app = await createIaApp()
  while (people.length < OPERADORES) people.push(await app.app.login(ADMIN_LOGIN.email, ADMIN_LOGIN.senha))
})
afterAll(async () => {
  await app?.close()
  collections.stop()
})

/** A customer who uses the menu and either asks the AI or is served by a person. */
async function playCustomer(n: number): Promise<void> {
  const { telefone, waitsFor } = app.newCustomer()
  const says = (text: string): Promise<void> => customerSays(app.app, telefone, text)
  await says('oi')
  await says('1')
  if (n % 2 === 0) {
    await says('2')
    await says(`quanto custa o produto ${n}?`)
    await waitsFor(/^ECO/)
    return
  }
  await says('atendente')
  const { request } = people[n % OPERADORES] ?? app.app
  const { id } = await waitUntil(async () => {
    const open = await openConversas({ request }, `?busca=${telefone}&mensagens=0`)
    return open[0] ?? null
  })
  const act = async (name: string, body = {}): Promise<void> => {
    expect((await request('POST', `/atendimento/conversas/${id}/${name}`, body)).status).toBe(200)
  }
  await act('assumir')
  await says('tem pão?')
  await act('mensagem', { mensagem: 'tem sim' })
  await act(n % 4 === 1 ? 'finalizar' : 'devolver')
  await says('obrigada')
}

/** Without the list of common passwords, which has a constant length and loads at the first new password. */
function changingEntries(): Record<string, number> {
  const { 'src/modules/auth/senha/password-rule.ts': _list, ...others } = collections.entries()
  return others
}

describe('the idle server', () => {
  it('keeps no entry of a burst of customers in its maps and sets', async () => {
    const dona = people[0] ?? app.app.admin
    const { socket, received } = await app.app.connect(dona)
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < CUSTOMERS) await playCustomer(next++)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    await app.app.idle()
    expect(received.length).toBeGreaterThan(0)
    socket.disconnect()
    await expect.poll(changingEntries, { interval: 200 }).toEqual(KEPT)
  })
})
