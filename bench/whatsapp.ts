import { once } from 'node:events'
import { setTimeout as espera } from 'node:timers/promises'
import { type ClienteFalso, createCliente } from '@balcao/whatsapp/rede-falsa'
import { atMost, figure, type Line, type Section, shown } from './report.ts'
import { createMedido, type Medido } from './whatsapp/medido.ts'
import { medirNavegador } from './whatsapp/navegador.ts'

const DEGRAUS = [1, 10, 50, 200] as const
/** V8 collects garbage of an idle process after a shorter time than this. */
const OCIO_MS = 60_000
const VOLTAS = 300
const CLIENTES = 20
const POR_CLIENTE = 20
const AQUECER = 100
const RECONEXOES = 500

const mb = (bytes: number): number => bytes / 2 ** 20
const meio = (valores: readonly number[], parte = 0.5): number =>
  valores.toSorted((a, b) => a - b)[Math.floor(valores.length * parte)] ?? 0

const PARTES: Readonly<Record<string, () => Promise<Section>>> = {
  mensagens: medirConversa,
  quedas: medirReconexoes,
  sessoes: medirSessoes,
  navegador: medirNavegador,
}

/** Measures cost and speed of WhatsApp sessions. Calls `pronta` with each section as soon as it is measured. */
export async function measureWhatsapp(
  pedidas: readonly string[] = [],
  pronta: (secao: Section) => Promise<void> = () => Promise.resolve(),
): Promise<Section[]> {
  const secoes: Section[] = []
  for (const [nome, medir] of Object.entries(PARTES)) {
    if (pedidas.length > 0 && !pedidas.includes(nome)) continue
    const secao = await medir()
    await pronta(secao)
    secoes.push(secao)
  }
  return secoes
}

async function medirSessoes(): Promise<Section> {
  const medido = await createMedido()
  const linhas: Line[] = []
  const pareamentos: number[] = []
  let primeira = 0
  let ultima = 0
  for (const degrau of DEGRAUS) {
    while (medido.celulares.length < degrau) pareamentos.push(await medido.parear())
    const { rss, heap } = await medido.medir()
    process.stderr.write(`bench · whatsapp · ${degrau} sessions\n`)
    if (degrau === 1) primeira = rss
    ultima = rss
    linhas.push(shown(`${degrau} idle: resident / heap`, `${figure(mb(rss), 'MB')} / ${figure(mb(heap), 'MB')}`))
  }
  const sessoes = medido.celulares.length
  await espera(OCIO_MS)
  const { rss: sozinho } = await medido.medir('assim')
  linhas.push(shown(`${sessoes} idle for a minute, nothing collected by us`, figure(mb(sozinho), 'MB')))
  linhas.push(atMost('resident, for each session beyond the first', mb(ultima - primeira) / (sessoes - 1), 1, 'MB'))
  linhas.push(shown('pairing, from the start to open, p50', figure(meio(pareamentos), 'ms')))
  linhas.push(shown('pairing, p99', figure(meio(pareamentos, 0.99), 'ms')))
  linhas.push(shown(`all ${sessoes} come back at once`, figure(await medido.reabrir(), 'ms')))
  await medido.fechar()
  return {
    titulo: 'WhatsApp: sessions without a browser',
    linhas,
    notas: [
      'A process with sessions alone against the fake network of `packages/whatsapp/test`, which is another process. Keys are in a file, as in the product they are in the database. ' +
        'Before each reading the process gives back what nobody holds (one full collection that compacts).',
    ],
  }
}

async function conversar(medido: Medido, cliente: ClienteFalso, vezes: number): Promise<number[]> {
  const [celular] = medido.celulares
  if (celular === undefined) throw new Error('session missing')
  const tempos: number[] = []
  for (let vez = 0; vez < vezes; vez += 1) {
    const inicio = performance.now()
    const resposta = cliente.nesima(cliente.recebidas.length + 1)
    await cliente.diz(celular, `mensagem ${vez}`)
    await resposta
    tempos.push(performance.now() - inicio)
  }
  return tempos
}

async function medirConversa(): Promise<Section> {
  const medido = await createMedido()
  await medido.parear()
  const clientes = Array.from({ length: CLIENTES }, (_, n) =>
    createCliente(medido.servidor, {
      numero: `55119700000${n + 10}`,
      lid: `30000000000${n + 10}`,
      nome: `Cliente ${n}`,
    }),
  )
  const [um] = clientes
  if (um === undefined) throw new Error('customer missing')
  // The first message of each customer starts a Signal session; later ones only advance the ratchet.
  for (const cliente of clientes) await conversar(medido, cliente, 2)
  process.stderr.write('bench · whatsapp · messages\n')
  const sozinho = await conversar(medido, um, VOLTAS)
  const antes = await medido.medir()
  const inicio = performance.now()
  await Promise.all(clientes.map((cliente) => conversar(medido, cliente, POR_CLIENTE)))
  const segundos = (performance.now() - inicio) / 1_000
  const { cpuMs } = await medido.medir()
  const trocas = CLIENTES * POR_CLIENTE
  const ilegiveis = clientes.reduce((soma, cliente) => soma + cliente.ilegiveis.length, 0)
  await medido.fechar()
  return {
    titulo: 'WhatsApp: messages of one session',
    linhas: [
      shown('one customer, message to answer, p50', figure(meio(sozinho), 'ms')),
      shown('one customer, message to answer, p99', figure(meio(sozinho, 0.99), 'ms')),
      shown(`${CLIENTES} customers at once, round trips a second`, figure(trocas / segundos, '/s')),
      shown('CPU of the session for a message and its answer', figure((cpuMs - antes.cpuMs) / trocas, 'ms')),
      atMost('answers that could not be read', ilegiveis, 0, ''),
    ],
    notas: ['Both ends encrypt; the customers and the network share the other core. The pace of sending is off.'],
  }
}

async function medirReconexoes(): Promise<Section> {
  const medido = await createMedido()
  await medido.parear()
  const cair = async (vezes: number): Promise<void> => {
    for (let vez = 0; vez < vezes; vez += 1) {
      const voltou = once(medido.servidor.eventos, 'conectou')
      medido.celulares[0]?.aparelhos.get(1)?.conexao?.cortar()
      await voltou
    }
  }
  process.stderr.write('bench · whatsapp · reconnections\n')
  await cair(AQUECER)
  const antes = await medido.medir()
  const inicio = performance.now()
  await cair(RECONEXOES)
  const cadaMs = (performance.now() - inicio) / RECONEXOES
  const depois = await medido.medir()
  await medido.fechar()
  return {
    titulo: `WhatsApp: one line cut ${RECONEXOES} times`,
    linhas: [
      shown('back after a cut, on average', figure(cadaMs, 'ms')),
      shown('heap before', figure(mb(antes.heap), 'MB')),
      shown('heap after', figure(mb(depois.heap), 'MB')),
      atMost('heap kept by each', (depois.heap - antes.heap) / 1_024 / RECONEXOES, 10, 'KB'),
    ],
    notas: [`After ${AQUECER} that are not counted, while code is compiled and buffers grow to their size.`],
  }
}
