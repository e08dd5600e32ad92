import { once } from 'node:events'
import { setTimeout as espera } from 'node:timers/promises'
import { type FakeCustomer, createFakeCustomer } from '@balcao/whatsapp/rede-falsa'
import { atMost, figure, type Line, type Section, shown } from './report.ts'
import { createMeasuredProcess, type MeasuredProcess } from './whatsapp/medido.ts'
import { measureBrowserSessions } from './whatsapp/navegador.ts'

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
  onSection: (secao: Section) => Promise<void> = () => Promise.resolve(),
): Promise<Section[]> {
  const secoes: Section[] = []
  for (const [nome, medir] of Object.entries(PARTS)) {
    if (requested.length > 0 && !requested.includes(nome)) continue
    const secao = await medir()
    await onSection(secao)
    secoes.push(secao)
  }
  return secoes
}

async function measureSessions(): Promise<Section> {
  const medido = await createMeasuredProcess()
  const linhas: Line[] = []
  const pareamentos: number[] = []
  let primeira = 0
  let ultima = 0
  for (const degrau of SESSION_STEPS) {
    while (medido.phones.length < degrau) pareamentos.push(await medido.pair())
    const { rss, heap } = await medido.measure()
    process.stderr.write(`bench · whatsapp · ${degrau} sessions\n`)
    if (degrau === 1) primeira = rss
    ultima = rss
    linhas.push(shown(`${degrau} idle: resident / heap`, `${figure(mb(rss), 'MB')} / ${figure(mb(heap), 'MB')}`))
  }
  const sessoes = medido.phones.length
  await espera(IDLE_MS)
  const { rss: sozinho } = await medido.measure('assim')
  linhas.push(shown(`${sessoes} idle for a minute, nothing collected by us`, figure(mb(sozinho), 'MB')))
  linhas.push(atMost('resident, for each session beyond the first', mb(ultima - primeira) / (sessoes - 1), 1, 'MB'))
  linhas.push(shown('pairing, from the start to open, p50', figure(quantile(pareamentos), 'ms')))
  linhas.push(shown('pairing, p99', figure(quantile(pareamentos, 0.99), 'ms')))
  linhas.push(shown(`all ${sessoes} come back at once`, figure(await medido.reopen(), 'ms')))
  await medido.close()
  return {
    titulo: 'WhatsApp: sessions without a browser',
    linhas,
    notas: [
      'A process with sessions alone against the fake network of `packages/whatsapp/test`, which is another process. Keys are in a file, as in the product they are in the database. ' +
        'Before each reading the process gives back what nobody holds (one full collection that compacts).',
    ],
  }
}

async function exchangeMessages(medido: MeasuredProcess, cliente: FakeCustomer, vezes: number): Promise<number[]> {
  const [celular] = medido.phones
  if (celular === undefined) throw new Error('session missing')
  const tempos: number[] = []
  for (let vez = 0; vez < vezes; vez += 1) {
    const inicio = performance.now()
    const resposta = cliente.nth(cliente.received.length + 1)
    await cliente.say(celular, `mensagem ${vez}`)
    await resposta
    tempos.push(performance.now() - inicio)
  }
  return tempos
}

async function measureMessagesOfSession(): Promise<Section> {
  const medido = await createMeasuredProcess()
  await medido.pair()
  const clientes = Array.from({ length: CUSTOMERS }, (_, n) =>
    createFakeCustomer(medido.server, {
      numero: `55119700000${n + 10}`,
      lid: `30000000000${n + 10}`,
      nome: `Cliente ${n}`,
    }),
  )
  const [um] = clientes
  if (um === undefined) throw new Error('customer missing')
  // The first message of each customer starts a Signal session; later ones only advance the ratchet.
  for (const cliente of clientes) await exchangeMessages(medido, cliente, 2)
  process.stderr.write('bench · whatsapp · messages\n')
  const sozinho = await exchangeMessages(medido, um, ROUND_TRIPS)
  const antes = await medido.measure()
  const inicio = performance.now()
  await Promise.all(clientes.map((cliente) => exchangeMessages(medido, cliente, PER_CUSTOMER)))
  const segundos = (performance.now() - inicio) / 1_000
  const { cpuMs } = await medido.measure()
  const trocas = CUSTOMERS * PER_CUSTOMER
  const ilegiveis = clientes.reduce((soma, cliente) => soma + cliente.unreadable.length, 0)
  await medido.close()
  return {
    titulo: 'WhatsApp: messages of one session',
    linhas: [
      shown('one customer, message to answer, p50', figure(quantile(sozinho), 'ms')),
      shown('one customer, message to answer, p99', figure(quantile(sozinho, 0.99), 'ms')),
      shown(`${CUSTOMERS} customers at once, round trips a second`, figure(trocas / segundos, '/s')),
      shown('CPU of the session for a message and its answer', figure((cpuMs - antes.cpuMs) / trocas, 'ms')),
      atMost('answers that could not be read', ilegiveis, 0, ''),
    ],
    notas: ['Both ends encrypt; the customers and the network share the other core. The pace of sending is off.'],
  }
}

async function measureReconnections(): Promise<Section> {
  const medido = await createMeasuredProcess()
  await medido.pair()
  const cair = async (vezes: number): Promise<void> => {
    for (let vez = 0; vez < vezes; vez += 1) {
      const voltou = once(medido.server.events, 'conectou')
      medido.phones[0]?.devices.get(1)?.connection?.cut()
      await voltou
    }
  }
  process.stderr.write('bench · whatsapp · reconnections\n')
  await cair(WARM_UP)
  const antes = await medido.measure()
  const inicio = performance.now()
  await cair(RECONNECTIONS)
  const cadaMs = (performance.now() - inicio) / RECONNECTIONS
  const depois = await medido.measure()
  await medido.close()
  return {
    titulo: `WhatsApp: one line cut ${RECONNECTIONS} times`,
    linhas: [
      shown('back after a cut, on average', figure(cadaMs, 'ms')),
      shown('heap before', figure(mb(antes.heap), 'MB')),
      shown('heap after', figure(mb(depois.heap), 'MB')),
      atMost('heap kept by each', (depois.heap - antes.heap) / 1_024 / RECONNECTIONS, 10, 'KB'),
    ],
    notas: [`After ${WARM_UP} that are not counted, while code is compiled and buffers grow to their size.`],
  }
}
