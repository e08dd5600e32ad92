import { openBotBench } from '@balcao/server/bench'
import { measureLineMemory } from './lines/memory.ts'
import { measureLists } from './lines/lists.ts'
import { measureStreams } from './lines/streams.ts'
import { benchConfig } from './messages/config.ts'
import { createBenchCustomers, createCustomerPhones, handInToRuntime, SCRIPT } from './messages/customers.ts'
import { median } from './messages/meters.ts'
import { checkTotals, REPLIES, runRound } from './messages.ts'
import { atLeast, atMost, figure, type Section, shown } from './report.ts'

const LINES = 3
const CUSTOMERS = 3_000
const ROUNDS = 9

/** Several lines of one account, and the chat on the site. All figures are ratios within this run. */
export async function measureLines(): Promise<Section[]> {
  return [await measureTurns(), await measureLists(), await measureLineMemory(), await measureStreams()]
}

/** The two accounts take turns, and so does which of them is first, so noise of the machine affects both. */
async function measureTurns(): Promise<Section> {
  const botBench = await openBotBench({ config: benchConfig() })
  const phones = createCustomerPhones()
  botBench.onPhoneMessage(phones.receive)
  const rateOf = async (lines: number): Promise<number> => {
    const contaId = await botBench.createConta({ lines })
    const customers = createBenchCustomers(contaId, CUSTOMERS, botBench.linesOf(contaId))
    const { perSecond } = await runRound(botBench, phones, handInToRuntime(botBench), customers)
    await checkTotals(botBench, contaId, CUSTOMERS * SCRIPT.length, CUSTOMERS * REPLIES)
    return perSecond
  }
  // Compiles the code and opens the connections.
  await rateOf(1)
  await rateOf(LINES)
  const [one, several]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const lines of round % 2 === 0 ? [1, LINES] : [LINES, 1])
      (lines === 1 ? one : several).push(await rateOf(lines))
  }
  await botBench.close()
  const ratio = median(several.map((rate, index) => rate / (one[index] ?? rate)))
  return {
    title: `Lines: ${figure(CUSTOMERS)} customers at once on one line and on ${LINES} lines of one account`,
    lines: [
      shown('messages a second, one line', figure(median(one), '/s')),
      shown(`messages a second, ${LINES} lines`, figure(median(several), '/s')),
      atLeast(`rate with ${LINES} lines over rate with one`, ratio, 0.95, '×'),
      atMost('replies that were wrong, missing or twice', phones.errors().length, 0, ''),
    ],
    notes: [`Medians of ${ROUNDS} rounds, ${SCRIPT.length} messages of each customer.`],
  }
}
