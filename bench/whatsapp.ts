import { once } from 'node:events'
import { setTimeout as espera } from 'node:timers/promises'
import { type FakeCustomer, createFakeCustomer } from '@balcao/whatsapp/rede-falsa'
import { atMost, figure, type Line, type Section, shown } from './report.ts'
import { createMeasuredProcess, type MeasuredProcess } from './whatsapp/measured.ts'
import { measureBrowserSessions } from './whatsapp/browser.ts'

const SESSION_STEPS = [1, 10, 50, 200] as const
/** V8 collects garbage of an idle process after a shorter time than this. */
const IDLE_MS = 60_000
const ROUND_TRIPS = 300
const CUSTOMERS = 20
const PER_CUSTOMER = 20
const WARM_UP = 100
const RECONNECTIONS = 500

const mb = (bytes: number): number => bytes / 2 ** 20
const quantile = (values: readonly number[], part = 0.5): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0

const PARTS: Readonly<Record<string, () => Promise<Section>>> = {
  mensagens: measureMessagesOfSession,
  quedas: measureReconnections,
  sessoes: measureSessions,
  navegador: measureBrowserSessions,
}

/** Measures cost and speed of WhatsApp sessions. Calls `pronta` with each section as soon as it is measured. */
export async function measureWhatsapp(
  requested: readonly string[] = [],
  onSection: (section: Section) => Promise<void> = () => Promise.resolve(),
): Promise<Section[]> {
  const sections: Section[] = []
  for (const [name, medir] of Object.entries(PARTS)) {
    if (requested.length > 0 && !requested.includes(name)) continue
    const section = await medir()
    await onSection(section)
    sections.push(section)
  }
  return sections
}

async function measureSessions(): Promise<Section> {
  const measured = await createMeasuredProcess()
  const lines: Line[] = []
  const pareamentos: number[] = []
  let first = 0
  let last = 0
  for (const step of SESSION_STEPS) {
    while (measured.phones.length < step) pareamentos.push(await measured.pair())
    const { rss, heap } = await measured.measure()
    process.stderr.write(`bench · whatsapp · ${step} sessions\n`)
    if (step === 1) first = rss
    last = rss
    lines.push(shown(`${step} idle: resident / heap`, `${figure(mb(rss), 'MB')} / ${figure(mb(heap), 'MB')}`))
  }
  const sessions = measured.phones.length
  await espera(IDLE_MS)
  const { rss: alone } = await measured.measure('assim')
  lines.push(shown(`${sessions} idle for a minute, nothing collected by us`, figure(mb(alone), 'MB')))
  lines.push(atMost('resident, for each session beyond the first', mb(last - first) / (sessions - 1), 1, 'MB'))
  lines.push(shown('pairing, from the start to open, p50', figure(quantile(pareamentos), 'ms')))
  lines.push(shown('pairing, p99', figure(quantile(pareamentos, 0.99), 'ms')))
  lines.push(shown(`all ${sessions} come back at once`, figure(await measured.reopen(), 'ms')))
  await measured.close()
  return {
    title: 'WhatsApp: sessions without a browser',
    lines,
    notes: [
      'A process with only sessions connects to the fake network of `packages/whatsapp/test` in another process. Keys are in a file; in the product they are in the database. ' +
        'A full compacting garbage collection precedes each reading, except the row "nothing collected by us".',
    ],
  }
}

async function exchangeMessages(measured: MeasuredProcess, cliente: FakeCustomer, times: number): Promise<number[]> {
  const [celular] = measured.phones
  if (celular === undefined) throw new Error('session missing')
  const tempos: number[] = []
  for (let vez = 0; vez < times; vez += 1) {
    const start = performance.now()
    const reply = cliente.nth(cliente.received.length + 1)
    await cliente.say(celular, `mensagem ${vez}`)
    await reply
    tempos.push(performance.now() - start)
  }
  return tempos
}

async function measureMessagesOfSession(): Promise<Section> {
  const measured = await createMeasuredProcess()
  await measured.pair()
  const clientes = Array.from({ length: CUSTOMERS }, (_, n) =>
    createFakeCustomer(measured.server, {
      numero: `55119700000${n + 10}`,
      lid: `30000000000${n + 10}`,
      nome: `Cliente ${n}`,
    }),
  )
  const [um] = clientes
  if (um === undefined) throw new Error('customer missing')
  // The first message of each customer starts a Signal session; later ones only advance the ratchet.
  for (const cliente of clientes) await exchangeMessages(measured, cliente, 2)
  process.stderr.write('bench · whatsapp · messages\n')
  const alone = await exchangeMessages(measured, um, ROUND_TRIPS)
  const before = await measured.measure()
  const start = performance.now()
  await Promise.all(clientes.map((cliente) => exchangeMessages(measured, cliente, PER_CUSTOMER)))
  const seconds = (performance.now() - start) / 1_000
  const { cpuMs } = await measured.measure()
  const swaps = CUSTOMERS * PER_CUSTOMER
  const ilegiveis = clientes.reduce((sum, cliente) => sum + cliente.unreadable.length, 0)
  await measured.close()
  return {
    title: 'WhatsApp: messages of one session',
    lines: [
      shown('one customer, message to answer, p50', figure(quantile(alone), 'ms')),
      shown('one customer, message to answer, p99', figure(quantile(alone, 0.99), 'ms')),
      shown(`${CUSTOMERS} customers at once, round trips a second`, figure(swaps / seconds, '/s')),
      shown('CPU of the session for a message and its answer', figure((cpuMs - before.cpuMs) / swaps, 'ms')),
      atMost('answers that could not be read', ilegiveis, 0, ''),
    ],
    notes: ['Both ends encrypt. Customers and network share the other core. The send pace is off.'],
  }
}

async function measureReconnections(): Promise<Section> {
  const measured = await createMeasuredProcess()
  await measured.pair()
  const cair = async (times: number): Promise<void> => {
    for (let vez = 0; vez < times; vez += 1) {
      const returned = once(measured.server.events, 'conectou')
      measured.phones[0]?.devices.get(1)?.connection?.cut()
      await returned
    }
  }
  process.stderr.write('bench · whatsapp · reconnections\n')
  await cair(WARM_UP)
  const before = await measured.measure()
  const start = performance.now()
  await cair(RECONNECTIONS)
  const cadaMs = (performance.now() - start) / RECONNECTIONS
  const after = await measured.measure()
  await measured.close()
  return {
    title: `WhatsApp: one line cut ${RECONNECTIONS} times`,
    lines: [
      shown('back after a cut, on average', figure(cadaMs, 'ms')),
      shown('heap before', figure(mb(before.heap), 'MB')),
      shown('heap after', figure(mb(after.heap), 'MB')),
      atMost('heap kept by each', (after.heap - before.heap) / 1_024 / RECONNECTIONS, 10, 'KB'),
    ],
    notes: [`The first ${WARM_UP} cuts are a warm-up and not counted.`],
  }
}
