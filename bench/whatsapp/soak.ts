import { parseArgs } from 'node:util'
import {
  type ClienteFalso,
  createAnfitriao,
  createCelular,
  createCliente,
  createServidor,
  novaMensagem,
  novoDisco,
} from '@balcao/whatsapp/rede-falsa'
import { createWhatsapp } from '@balcao/whatsapp/connector'
import { createFaltas, estragar } from './faltas.ts'

/**
 * A long bad day: `npm run soak:whatsapp -- --minutos 30`. Customers write, every message is answered, and lines are cut, stores
 * fail or are slow, messages come twice or in another order, the server refuses, the process starts anew. In the end the books must
 * balance: what was accepted is stored once and answered once. Exits with 1 when they do not.
 */

const { values } = parseArgs({
  options: { minutos: { type: 'string', default: '30' }, semente: { type: 'string', default: '1' } },
})
const MINUTOS = Number(values.minutos)
const CLIENTES = 6
const PAUSA_MS = 150
/** After the last message, for what is still on its way. */
const SOBRA_MS = 3 * 60_000

const faltas = createFaltas(Number(values.semente))
const servidor = await createServidor()
const celular = createCelular(servidor, { numero: '5511990000001', lid: '100000000000001', nome: 'Loja' })
const disco = novoDisco()
const aceitas = new Map<string, string>()
const naFila = new Map<string, ReturnType<typeof novaMensagem>>()
const espera = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Slow one time, broken the next. */
async function tropecar(qual: string): Promise<void> {
  if (faltas.agora(20)) {
    faltas.anotar('slow store')
    await espera(50)
  }
  if (!faltas.agora(120)) return
  faltas.anotar(`store failed on ${qual}`)
  throw new Error('the store failed')
}

const criar = createWhatsapp({
  url: servidor.url,
  registrar: () => undefined,
  esperas: () => 50,
  ackMs: 1_000,
  ritmo: { folego: 1_000_000 },
})

function viver(): { readonly host: ReturnType<typeof createAnfitriao>; readonly conector: ReturnType<typeof criar> } {
  const base = createAnfitriao(disco, {
    antesDeLer: () => tropecar('a read'),
    antesDeGravar: () => tropecar('a write'),
    antesDeReceber: () => tropecar('a message'),
  })
  const host = {
    ...base,
    receber: async (recebida: Parameters<typeof base.receber>[0]) => {
      const repetida = disco.recebidas.some(({ id }) => id === recebida.id)
      await base.receber(recebida)
      // Stored and queued in one transaction, as the product does.
      if (repetida) return
      const resposta = novaMensagem(recebida.endereco, `re: ${recebida.id}`)
      disco.enviadas.push(resposta)
      naFila.set(resposta.idExterno, resposta)
    },
  }
  return { host, conector: criar(host) }
}

let vida = viver()
let despachando = true
/** The outbox: what could not be sent goes again, under the same id. */
async function despachar(): Promise<void> {
  while (despachando) {
    for (const mensagem of naFila.values()) {
      await vida.conector.send(mensagem).then(
        () => naFila.delete(mensagem.idExterno),
        () => espera(20),
      )
    }
    await espera(10)
  }
}

async function escrever(cliente: ClienteFalso, ate: number): Promise<void> {
  for (let n = 0; performance.now() < ate; n += 1) {
    const texto = `${cliente.nome} ${n}`
    const id = await cliente.diz(celular, texto)
    aceitas.set(id, texto)
    if (faltas.agora(10)) {
      faltas.anotar('messages twice')
      await cliente.diz(celular, texto, { id })
    }
    await espera(PAUSA_MS)
  }
}

/** Cuts lines, refuses logins for a while, and lets the process start anew. */
async function atrapalhar(ate: number): Promise<void> {
  while (performance.now() < ate) {
    await espera(1_000)
    if (faltas.agora(3)) {
      faltas.anotar('lines cut')
      servidor.cortarTudo()
    }
    if (faltas.agora(10)) {
      faltas.anotar('logins refused with 503')
      servidor.falhas.recusarLogin = '503'
      servidor.cortarTudo()
      await espera(500)
      servidor.falhas.recusarLogin = undefined
    }
    if (faltas.agora(20)) {
      faltas.anotar('process started anew')
      await vida.conector.stop()
      vida = viver()
      await vida.conector.start()
    }
  }
}

await vida.conector.start()
await celular.escanear((await vida.host.ate('pareando')).qrCode)
await vida.host.ate('conectado')
const clientes = Array.from({ length: CLIENTES }, (_, n) =>
  createCliente(servidor, { numero: `55119700000${n + 10}`, lid: `30000000000${n + 10}`, nome: `Cliente ${n}` }),
)
const despacho = despachar()
estragar(servidor, faltas)
const ate = performance.now() + MINUTOS * 60_000
await Promise.all([...clientes.map((cliente) => escrever(cliente, ate)), atrapalhar(ate)])
faltas.acabar()
// Whatever was held back goes out before it.
for (const cliente of clientes) aceitas.set(await cliente.diz(celular, 'fim'), 'fim')

const esperadas = [...aceitas.keys()]
const guardadas = (): number => new Set(disco.recebidas.map(({ id }) => id)).size
const respondidas = (): number => clientes.reduce((soma, { recebidas }) => soma + recebidas.length, 0)
const limite = performance.now() + SOBRA_MS
while ((guardadas() < esperadas.length || respondidas() < esperadas.length) && performance.now() < limite)
  await espera(100)
despachando = false
await despacho

const lidas = clientes.flatMap(({ recebidas }) => recebidas.map(({ texto }) => texto))
const certas = new Set(esperadas.map((id) => `re: ${id}`))
const livro = {
  accepted: esperadas.length,
  stored: disco.recebidas.length,
  'stored, each once': guardadas(),
  'answers read': lidas.length,
  'answers, each once': new Set(lidas.filter((texto) => certas.has(texto))).size,
  'left in the journal': disco.chegadas.size,
}
const exato = Object.entries(livro).every(([o, n]) => n === (o === 'left in the journal' ? 0 : esperadas.length))
process.stdout.write(`${MINUTOS} min, seed ${values.semente}\n`)
for (const [o, n] of faltas.contadas) process.stdout.write(`  ${o}: ${n}\n`)
for (const [o, n] of Object.entries(livro)) process.stdout.write(`${o}: ${n}\n`)
process.stdout.write(exato ? 'the books balance\n' : 'THE BOOKS DO NOT BALANCE\n')
process.exit(exato ? 0 : 1)
