import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as z from 'zod'
import { type BotBench, collectWhenIdle, openBotBench } from '@balcao/server/bench'
import { type BenchCustomer, createCustomerPhones, handInToRuntime, SCRIPT } from './messages/customers.ts'
import { benchConfig } from './messages/config.ts'
import { pause } from './messages/meters.ts'
import { atMost, figure, type Section, shown } from './report.ts'

const CUSTOMERS = 10_000
const IN_FLIGHT = 100
/** The product looks every 30 s. */
const COLLECTOR_MS = 5_000
const IDLE_MS = 30_000

const readingSchema = z.object({ busy: z.number(), idle: z.number(), heap: z.number(), buffers: z.number() })
const readingsSchema = z.object({ before: readingSchema, once: readingSchema, often: readingSchema })
/** In MB: resident after the work and 30 s later, then heap and buffers after a forced collection. */
type Reading = z.output<typeof readingSchema>

const mb = (bytes: number): number => bytes / 2 ** 20
const rssMb = (): number => mb(process.memoryUsage.rss())

export async function measureMemory(): Promise<Section[]> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const { before, once: first, often } = readingsSchema.parse(JSON.parse(output))
  const more = SCRIPT.length * CUSTOMERS
  return [
    {
      title: `Memory: ${figure(CUSTOMERS)} customers in one process`,
      lines: [
        shown('before: resident / heap', `${figure(before.idle)} / ${figure(before.heap, 'MB')}`),
        shown('each wrote once: resident at the end of the work', figure(first.busy, 'MB')),
        atMost('each wrote once: resident above before, idle', first.idle - before.idle, 40, 'MB'),
        shown('each wrote once: heap for each customer', figure(perCustomerBytes(before, first), 'B')),
        shown(`${figure(more)} more messages: resident at the end of the work`, figure(often.busy, 'MB')),
        atMost(`${figure(more)} more messages: resident above before, idle`, often.idle - before.idle, 40, 'MB'),
        shown(`${figure(more)} more messages: heap for each customer`, figure(perCustomerBytes(before, often), 'B')),
      ],
      notes: [
        `The bot runtime without HTTP. Idle: ${IDLE_MS / 1_000} s after the work, with the product's collector every ${COLLECTOR_MS / 1_000} s instead of every 30 s. Heap: after a forced collection, buffers included.`,
      ],
    },
  ]
}

function perCustomerBytes(before: Reading, after: Reading): number {
  const grown = after.heap + after.buffers - before.heap - before.buffers
  return Math.round((grown * 2 ** 20) / CUSTOMERS)
}

/** Plays one line of the script for the customers `from` to `from + count`. */
function createPlay(botBench: BotBench, contaId: string) {
  const phones = createCustomerPhones()
  botBench.onPhoneMessage(phones.receive)
  const handIn = handInToRuntime(botBench)
  const customer = (n: number): BenchCustomer => ({ contaId, telefone: `55119${10_000_000 + n}`, nome: `Cliente ${n}` })
  return async (line: number, from: number, count: number): Promise<void> => {
    const { text: written = '', replies = () => [] } = SCRIPT[line] ?? {}
    let next = from
    const worker = async (): Promise<void> => {
      while (next < from + count) {
        const author = customer(next)
        next += 1
        const answered = phones.expect(author.telefone, replies(author.nome))
        await handIn(author, botBench.ids.uuid(), written)
        await answered
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
    await botBench.runtime.idle()
  }
}

async function read(gc: unknown): Promise<Reading> {
  const busy = rssMb()
  await pause(IDLE_MS)
  const idle = rssMb()
  if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { busy, idle, heap: mb(heapUsed), buffers: mb(arrayBuffers) }
}

/** The measured process. */
async function measureHere(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  const botBench = await openBotBench({ config: benchConfig() })
  collectWhenIdle({ warn: console.warn }, COLLECTOR_MS)
  const play = createPlay(botBench, await botBench.createConta())
  const lines = [...SCRIPT.keys()]
  // Compiles the code and opens the connections.
  for (const line of lines) await play(line, CUSTOMERS, 300)
  const before = await read(gc)
  await play(0, 0, CUSTOMERS)
  const first = await read(gc)
  for (const line of [...lines.slice(1), 0]) await play(line, 0, CUSTOMERS)
  const often = await read(gc)
  await botBench.close()
  process.stdout.write(JSON.stringify({ before, once: first, often }))
}

if (process.argv[1] === join(import.meta.dirname, 'memory.ts')) {
  await measureHere()
  process.exit(0)
}
