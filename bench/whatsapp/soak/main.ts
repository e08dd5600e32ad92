import { setTimeout as espera } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ClienteFalso, createCelular, createCliente, createServidor } from '@balcao/whatsapp/rede-falsa'
import { publishPart } from '../../report.ts'
import { createFaltas, estragar } from './faltas.ts'
import { createLivro } from './livro.ts'
import { createLoja } from './loja.ts'

/**
 * A long bad day: `npm run soak:whatsapp -- --minutos 30`. Customers write, every message is answered, and lines are cut,
 * stanzas are lost, stores fail or are slow, messages come twice or in another order, the server refuses, the process starts
 * anew. In the end the books must balance: what was accepted is stored once and answered once. Exits with 1 when they do
 * not, or when one of the faults never happened. `--publicar` writes the result to docs/benchmarks.md.
 */

const { values } = parseArgs({
  options: {
    minutos: { type: 'string', default: '30' },
    semente: { type: 'string', default: '1' },
    publicar: { type: 'boolean', default: false },
  },
})
const MINUTOS = Number(values.minutos)
const SEMENTE = Number(values.semente)
const CLIENTES = 6
const PAUSA_MS = 150
/** A customer waits for answers now and then: what is proved is the books, not how fast the machine is. */
const SEM_RESPOSTA = 20
/** So long without any movement, and nothing moves any more. */
const PARADO_MS = 90_000
const RELATO_MS = 60_000

// As the server does: what the library lets go of when a line is cut ends nobody's process.
process.on('unhandledRejection', () => undefined)
const faltas = createFaltas(SEMENTE)
const servidor = await createServidor()
const celular = createCelular(servidor, { numero: '5511990000001', lid: '100000000000001', nome: 'Loja' })
const loja = createLoja(servidor.url, faltas)
const clientes = Array.from({ length: CLIENTES }, (_, n) =>
  createCliente(servidor, { numero: `55119700000${n + 10}`, lid: `30000000000${n + 10}`, nome: `Cliente ${n}` }),
)
const livro = createLivro(clientes, loja, faltas)

async function escrever(cliente: ClienteFalso, ate: number): Promise<void> {
  for (let n = 0; performance.now() < ate; n += 1) {
    const texto = `${cliente.nome} ${n}`
    const id = await cliente.diz(celular, texto)
    livro.aceita(id)
    if (faltas.agora('messages twice', 10)) await cliente.diz(celular, texto, { id })
    do await espera(PAUSA_MS)
    while (n - cliente.recebidas.length > SEM_RESPOSTA && performance.now() < ate)
  }
}

/** Ends lines, refuses logins for a while, and lets the process start anew. */
async function atrapalhar(ate: number): Promise<void> {
  while (performance.now() < ate) {
    await espera(1_000)
    if (faltas.agora('lines cut', 4)) servidor.cortarTudo()
    if (faltas.agora('lines ended with 503', 12)) servidor.despedir('503')
    if (faltas.agora('logins refused with 503', 12)) {
      servidor.falhas.recusarLogin = '503'
      servidor.cortarTudo()
      await espera(500)
      servidor.falhas.recusarLogin = undefined
    }
    if (faltas.agora('process started anew', 20)) await loja.recomecar()
  }
}

const relatar = (): void => void process.stderr.write(`soak · ${livro.andamento()}\n`)

await loja.abrir()
await celular.escanear((await loja.host().ate('pareando')).qrCode)
await loja.host().ate('conectado')
estragar(servidor, faltas)
const relato = setInterval(relatar, RELATO_MS)
const ate = performance.now() + MINUTOS * 60_000
await Promise.all([...clientes.map((cliente) => escrever(cliente, ate)), atrapalhar(ate)])
faltas.acabar()
// What was held back goes out before it; what a dropped receipt left at the server comes with a new line.
for (const cliente of clientes) livro.aceita(await cliente.diz(celular, 'fim'))
servidor.cortarTudo()

let visto = ''
for (let desde = performance.now(); !livro.completo() && performance.now() - desde < PARADO_MS; await espera(250)) {
  if (livro.andamento() === visto) continue
  visto = livro.andamento()
  desde = performance.now()
}
clearInterval(relato)
await loja.fechar()

const secao = livro.secao(MINUTOS, SEMENTE)
if (values.publicar) await publishPart([secao], `npm run soak:whatsapp -- --minutos ${MINUTOS}`)
else for (const { medida, valor } of secao.linhas) process.stdout.write(`${medida}: ${valor}\n`)
process.stdout.write(livro.exato() ? 'the books balance\n' : 'THE BOOKS DO NOT BALANCE, or a fault never happened\n')
process.exit(livro.exato() ? 0 : 1)
