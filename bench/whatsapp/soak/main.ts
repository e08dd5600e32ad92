import { setTimeout as espera } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type FakeCustomer, createFakePhone, createFakeCustomer, createFakeServer } from '@balcao/whatsapp/rede-falsa'
import { publish } from '../../report.ts'
import { createSoakFaults, injectFaults } from './faults.ts'
import { createLedger } from './ledger.ts'
import { createSoakShop } from './shop.ts'

/**
 * Soak test: `npm run soak:whatsapp -- --minutos 30`. Customers write and every message is answered, under the
 * faults of `faults.ts`. At the end every accepted message must be stored once and answered once. Exits with 1 if
 * not, or if one of the faults never happened; `--publicar` writes the result to docs/benchmarks.json.
 */

const { values } = parseArgs({
  options: {
    minutos: { type: 'string', default: '30' },
    semente: { type: 'string', default: '1' },
    publicar: { type: 'boolean', default: false },
  },
})
const MINUTES = Number(values.minutos)
const SEED = Number(values.semente)
const CUSTOMERS = 6
const PAUSE_MS = 150
/** Unanswered messages after which a customer pauses: the soak checks totals, not speed. */
const MAX_UNANSWERED = 20
/** The soak gives up after this time without progress. */
const STALLED_MS = 90_000
const REPORT_MS = 60_000

// As the server does: a rejection that the library leaves unhandled when a connection is cut must not end the
// process.
process.on('unhandledRejection', () => undefined)
const faults = createSoakFaults(SEED)
const server = await createFakeServer()
const phone = createFakePhone(server, { numero: '5511990000001', lid: '100000000000001', nome: 'Loja' })
const shop = createSoakShop(server.url, faults)
const customers = Array.from({ length: CUSTOMERS }, (_, n) =>
  createFakeCustomer(server, { numero: `55119700000${n + 10}`, lid: `30000000000${n + 10}`, nome: `Cliente ${n}` }),
)
const ledger = createLedger(customers, shop, faults)

async function writeMessages(cliente: FakeCustomer, until: number): Promise<void> {
  for (let n = 0; performance.now() < until; n += 1) {
    const text = `${cliente.nome} ${n}`
    const id = await cliente.say(phone, text)
    ledger.accepted(id)
    if (faults.happens('messages twice', 10)) await cliente.say(phone, text, { id })
    do await espera(PAUSE_MS)
    while (n - cliente.received.length > MAX_UNANSWERED && performance.now() < until)
  }
}

async function disturb(until: number): Promise<void> {
  while (performance.now() < until) {
    await espera(1_000)
    if (faults.happens('lines cut', 4)) server.cutAll()
    if (faults.happens('lines ended with 503', 12)) server.endAll('503')
    if (faults.happens('logins refused with 503', 12)) {
      server.faults.refuseLogin = '503'
      server.cutAll()
      await espera(500)
      server.faults.refuseLogin = undefined
    }
    if (faults.happens('process restarted', 20)) await shop.restart()
  }
}

const report = (): void => void process.stderr.write(`soak · ${ledger.progress()}\n`)

await shop.open()
await phone.scan((await shop.host().reached('pareando')).qrCode)
await shop.host().reached('conectado')
injectFaults(server, faults)
const reportTimer = setInterval(report, REPORT_MS)
const endsAt = performance.now() + MINUTES * 60_000
await Promise.all([...customers.map((cliente) => writeMessages(cliente, endsAt)), disturb(endsAt)])
faults.end()
// This message releases a held one. A new connection delivers the stanzas whose receipt was lost.
for (const cliente of customers) ledger.accepted(await cliente.say(phone, 'fim'))
server.cutAll()

let lastProgress = ''
for (let since = performance.now(); !ledger.isComplete() && performance.now() - since < STALLED_MS; await espera(250)) {
  if (ledger.progress() === lastProgress) continue
  lastProgress = ledger.progress()
  since = performance.now()
}
clearInterval(reportTimer)
await shop.close()

const section = ledger.section(MINUTES, SEED)
if (values.publicar) await publish([section], `npm run soak:whatsapp -- --minutos ${MINUTES}`)
else for (const { measure, value } of section.lines) process.stdout.write(`${measure}: ${value}\n`)
process.stdout.write(ledger.isExact() ? 'the books balance\n' : 'THE BOOKS DO NOT BALANCE, or a fault never happened\n')
process.exit(ledger.isExact() ? 0 : 1)
