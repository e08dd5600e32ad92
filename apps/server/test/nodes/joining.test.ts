import { afterEach, expect, it, vi } from 'vitest'
import { createFleet, type TestFleet } from './fleet.ts'
import { sendRequest, waitUntil } from '#test/app.ts'
import { givenConta } from '#test/builders.ts'
import { eventually } from '#test/realtime/listen.ts'

let fleet: TestFleet | undefined
afterEach(() => fleet?.close())

async function startOne(): Promise<{ fleet: TestFleet; first: TestFleet['nodes'][number] }> {
  fleet = await createFleet(1)
  const [first] = fleet.nodes
  if (first === undefined) throw new Error('no node')
  return { fleet, first }
}

it('sends the events of a new node to windows that were open before it started', async () => {
  const { fleet: both, first } = await startOne()
  const dona = await givenConta(first.app)
  const window = await first.app.connect(dona)
  const second = await both.start()
  await waitUntil(() => second.app.deps.realtime.watched(dona.contaId), 5_000)
  second.app.deps.realtime.publish(dona.contaId, 'botStatusChange', { userId: dona.contaId, status: 'PARADO' })
  await eventually(() => expect(window.received.map(([name]) => name)).toContain('botStatusChange'))
})

it('closes the sockets of a revoked login on a node that the revoking node does not know yet', async () => {
  const { fleet: both, first } = await startOne()
  const dona = await givenConta(first.app)
  const second = await both.start()
  vi.spyOn(first.app.deps.fleet, 'others').mockReturnValue([])
  const { token } = await first.app.login(dona.usuario.email)
  const { socket } = await second.app.connect({ token })
  await sendRequest(first.app.url, 'POST', '/auth/logout', { token })
  await expect.poll(() => socket.connected).toBe(false)
})

it('drops the cached logins after a gap', async () => {
  const { fleet: both, first } = await startOne()
  const second = await both.start()
  await waitUntil(() => first.app.deps.fleet.others().length === 1)
  const dona = await givenConta(first.app)
  const status = async (): Promise<number> =>
    (await sendRequest(second.app.url, 'GET', '/auth/eu', { token: dona.token })).status
  await first.app.sql('update sessoes set ultimo_uso = now()')
  expect(await status()).toBe(200)
  await second.breakBus()
  await first.app.sql('update sessoes set revogada_em = now()')
  // The connection is back after some milliseconds; the cached login lives for a second.
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await status()).toBe(401)
})
