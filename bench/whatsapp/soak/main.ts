import { setTimeout as espera } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type ClienteFalso, createCelular, createCliente, createServidor } from '@balcao/whatsapp/rede-falsa'
import { publishPart } from '../../report.ts'
import { createFaltas, estragar } from './faltas.ts'
import { createLivro } from './livro.ts'
import { createLoja } from './loja.ts'

/**
 * Soak test: `npm run soak:whatsapp -- --minutos 30`. Customers write and every message is answered, under the
 * faults of `faltas.ts`. At the end every accepted message must be stored once and answered once. Exits with 1 if
 * not, or if one of the faults never happened; `--publicar` writes the result to docs/benchmarks.md.
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
/** Unanswered messages after which a customer pauses: the soak checks totals, not speed. */
const SEM_RESPOSTA = 20
/** The soak gives up after this time without progress. */
const PARADO_MS = 90_000
const RELATO_MS = 60_000

// As the server does: a rejection that the library leaves unhandled when a connection is cut must not end the
// process.
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
// This message releases a held one. A new connection delivers the stanzas whose receipt was lost.
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
