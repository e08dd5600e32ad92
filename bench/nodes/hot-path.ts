import { type BotBench, openBotBench } from '@balcao/server/bench'
import { benchConfig } from '../messages/config.ts'
import {
  createBenchCustomers,
  createCustomerPhones,
  handInToRuntime,
  playScript,
  SCRIPT,
} from '../messages/customers.ts'
import { median } from '../messages/meters.ts'
import { atLeast, figure, type Section, shown } from '../report.ts'

const CUSTOMERS = 500
const ROUNDS = 5

/** Messages a second of a new conta, whose customers all play the script at the same time. */
export async function ratePerSecond(bench: BotBench): Promise<number> {
  const phones = createCustomerPhones()
  bench.onPhoneMessage(phones.receive)
  const customers = createBenchCustomers(await bench.createConta(), CUSTOMERS)
  const start = performance.now()
  await Promise.all(customers.map((customer) => playScript(bench, phones, handInToRuntime(bench), customer)))
  await bench.runtime.idle()
  const seconds = (performance.now() - start) / 1_000
  const [error] = phones.errors()
  if (error !== undefined) throw new Error(error)
  return (CUSTOMERS * SCRIPT.length) / seconds
}

/** The two take turns, so noise of the machine affects both. */
export async function measureHotPath(): Promise<Section> {
  const alone = await openBotBench({ config: benchConfig() })
  const node = await openBotBench({ config: benchConfig(), withOtherNode: true })
  const rates: { readonly alone: number; readonly node: number }[] = []
  for (const bench of [alone, node]) await ratePerSecond(bench)
  for (let round = 0; round < ROUNDS; round += 1)
    rates.push({ alone: await ratePerSecond(alone), node: await ratePerSecond(node) })
  await alone.close()
  await node.close()
  return {
    title: 'Nodes: messages of one of two nodes, against a process alone',
    lines: [
      shown('embedded database: messages a second', figure(Math.round(median(rates.map((one) => one.alone))))),
      shown(
        'DATABASE_URL and another node: messages a second',
        figure(Math.round(median(rates.map((one) => one.node)))),
      ),
      atLeast('rate as a node over rate alone', median(rates.map((one) => one.node / one.alone)), 0.97, '×'),
    ],
    notes: [`Medians of ${ROUNDS} rounds of ${CUSTOMERS} customers with ${SCRIPT.length} messages each.`],
  }
}
