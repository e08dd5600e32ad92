import { expect, it } from 'vitest'
import { PASSWORD, waitUntil } from '#test/app.ts'
import { createSockets } from '#test/realtime/sockets.ts'
import { chatOf, customerSays } from '#test/builders.ts'
import { longIt } from './faults.ts'
import { useProcesses } from './fixture.ts'
import { at } from './processes.ts'

const fleet = useProcesses('muted', { env: { RECADOS: 'mudos' } })
const WAKE_MS = 2_000
const RESYNC_MS = 10_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 3_000

it('answers every message although no packet reaches another node', async () => {
  const { ledger, shop } = fleet()
  await ledger.burst([shop], { customers: 10, messages: 6 }).done
  await ledger.exact()
})

it('answers within 2 s a message that the other node stored', async () => {
  const { shop, nodes, holderOf } = fleet()
  const holder = await waitUntil(() => holderOf(shop.contaId))
  const other = nodes.find((node) => node !== holder)
  if (other === undefined) throw new Error('a fleet of two has two nodes')
  const startedAt = performance.now()
  await customerSays(at(other, shop), '5511922220001', 'oi')
  await waitUntil(async () => (await chatOf(shop, '5511922220001')).length >= 2)
  expect(performance.now() - startedAt).toBeLessThan(WAKE_MS + SLOW_MACHINE_MS)
})

it('refuses a revoked login on the other node within 10 s', async () => {
  const { shop, nodes } = fleet()
  const [a, b] = nodes
  if (a === undefined || b === undefined) throw new Error('a fleet of two has two nodes')
  const login = await a.login(shop.usuario.email, PASSWORD)
  const status = async (): Promise<number> => (await at(b, login).request('GET', '/auth/eu')).status
  expect(await status()).toBe(200)
  await login.request('POST', '/auth/logout')
  await waitUntil(async () => (await status()) === 401, RESYNC_MS + SLOW_MACHINE_MS)
})

longIt?.('makes windows of the other node fetch again within 10 s after a change', async () => {
  const { shop, nodes } = fleet()
  for (const [here, there] of [nodes, nodes.toReversed()]) {
    if (here === undefined || there === undefined) throw new Error('a fleet of two has two nodes')
    const sockets = createSockets(there.url)
    const { socket, received } = await sockets.connect(shop)
    let closed = false
    socket.on('disconnect', () => (closed = true))
    await customerSays(at(here, shop), `551192222${here.name.at(-1)}002`, 'atendente')
    await waitUntil(() => closed || received.some(([name]) => /conversa/i.test(name)), RESYNC_MS + SLOW_MACHINE_MS)
    sockets.close()
  }
})
