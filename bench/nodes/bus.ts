import { randomUUID } from 'node:crypto'
import {
  connectDirect,
  createPostgresBus,
  createVault,
  type EmbeddedServer,
  type PostgresBus,
} from '@balcao/server/bench'
import { pause, percentile } from '../messages/meters.ts'
import { atMost, figure, type Section, shown } from '../report.ts'

const EVENTS_PER_S = 500
const EVENTS_S = 10
/** A message event of the panel. */
const EVENT_BYTES = 600
const LISTENERS = [10, 50]
const NOTIFY_S = 4

async function startBus({ target }: Pick<EmbeddedServer, 'target'>): Promise<PostgresBus> {
  const bus = createPostgresBus({
    connect: () => connectDirect(target),
    ...{ node: randomUUID(), seal: createVault('segredo do banco de provas'), log: { warn: () => undefined } },
  })
  await bus.start()
  return bus
}

/** Both ends run in this process, so their clocks are one. */
async function measureEvents(server: EmbeddedServer): Promise<Section['lines']> {
  const [from, to] = [await startBus(server), await startBus(server)]
  const times: number[] = []
  to.subscribe('eventos', (data) => times.push(performance.now() - Number(data.split(' ')[0])))
  const filler = 'x'.repeat(EVENT_BYTES)
  const start = performance.now()
  for (let n = 0; n < EVENTS_PER_S * EVENTS_S; n += 1) {
    const wait = start + (n * 1_000) / EVENTS_PER_S - performance.now()
    if (wait > 0) await pause(wait)
    from.publish('eventos', `${performance.now()} ${filler}`)
  }
  while (times.length < EVENTS_PER_S * EVENTS_S) await pause(10)
  await Promise.all([from.close(), to.close()])
  return [
    atMost(`event to another node at ${EVENTS_PER_S}/s, p50`, percentile(times, 50), 5, 'ms'),
    atMost(`event to another node at ${EVENTS_PER_S}/s, p99`, percentile(times, 99), 25, 'ms'),
  ]
}

/** Sends notifications as fast as one connection can. Each statement sends one. */
async function measureListeners(server: EmbeddedServer, listeners: number): Promise<Section['lines']> {
  const sender = await connectDirect(server.target)
  const clients = await Promise.all(Array.from({ length: listeners }, () => connectDirect(server.target)))
  let delivered = 0
  for (const client of clients) {
    client.on('notification', () => (delivered += 1))
    await client.query('listen bench')
  }
  const start = performance.now()
  let sent = 0
  while (performance.now() - start < NOTIFY_S * 1_000) {
    await sender.query("select pg_notify('bench', $1)", [`${sent} ${'x'.repeat(EVENT_BYTES)}`])
    sent += 1
  }
  while (delivered < sent * listeners) await pause(10)
  const seconds = (performance.now() - start) / 1_000
  await Promise.all([sender, ...clients].map((client) => client.end()))
  const rates = `${figure(Math.round(sent / seconds), '/s')}; ${figure(Math.round(delivered / seconds), '/s')}`
  return [shown(`${listeners} listeners: notifications sent; delivered`, rates)]
}

export async function measureBus(server: EmbeddedServer): Promise<Section> {
  const lines = [...(await measureEvents(server))]
  for (const listeners of LISTENERS) lines.push(...(await measureListeners(server, listeners)))
  return {
    title: 'Nodes: packets',
    lines,
    notes: [`Events of ${EVENT_BYTES} bytes. The listeners share this process and its core with the sender.`],
  }
}
