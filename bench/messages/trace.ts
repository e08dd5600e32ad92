import { openBotBench, type Realtime } from '@balcao/server/bench'
import { benchConfig } from './config.ts'
import { createBenchCustomers, createCustomerPhones, handInToRuntime, SCRIPT } from './customers.ts'

const CUSTOMERS = 100
const WARM_UP = 20

type Observe = NonNullable<Parameters<typeof openBotBench>[0]['observe']>
type Database = Parameters<Observe>[0]

/** A moment of the batch. Times are monotonic, in ms. */
interface Step {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Records when the transactions of a database wait, ask and commit. */
function traceDatabase(db: Database, steps: Step[]): Database {
  const record = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const from = performance.now()
    const result = await work
    steps.push({ name, from, to: performance.now() })
    return result
  }
  return {
    ...db,
    transaction: async (contas, fn, options) => {
      let worked = performance.now()
      const called = worked
      const result = await db.transaction(
        contas,
        async (tx) => {
          steps.push({ name: 'connection', from: called, to: performance.now() })
          const done = await fn({
            ...tx,
            send: (statement, values) => record(`  ${statement.name}`, tx.send(statement, values)),
          })
          worked = performance.now()
          return done
        },
        options,
      )
      steps.push({ name: 'COMMIT', from: worked, to: performance.now() })
      return result
    },
  }
}

const line = ({ name, from, to }: Step, start: number): string =>
  `${name.padEnd(32)} from ${(from - start).toFixed(2).padStart(7)} to ${(to - start).toFixed(2).padStart(7)} ms, ${(to - from).toFixed(2)} ms\n`

/** Prints the steps of one batch of menu options, from the arrival of its messages to the last answer on a phone. */
export async function traceBatch(): Promise<void> {
  const steps: Step[] = []
  const published: number[] = []
  const sent: number[] = []
  const publish: Realtime['publish'] = () => void published.push(performance.now())
  const observe: Observe = (db) => traceDatabase(db, steps)
  const bench = await openBotBench({ config: benchConfig(), observe, published: publish, watched: () => true })
  const phones = createCustomerPhones()
  bench.onPhoneMessage((mensagem) => {
    sent.push(performance.now())
    phones.receive(mensagem)
  })
  const handIn = handInToRuntime(bench)
  const [first, option] = SCRIPT
  if (first === undefined || option === undefined) throw new Error('the script has two lines')
  const contaId = await bench.createConta()
  for (let round = 0; round <= WARM_UP; round += 1) {
    const customers = createBenchCustomers(contaId, CUSTOMERS)
    for (const { text, replies } of [first, option]) {
      await bench.runtime.idle()
      for (const list of [steps, published, sent]) list.length = 0
      const start = performance.now()
      const answered = customers.map((customer) => phones.expect(customer.telefone, replies(customer.nome)))
      await Promise.all(customers.map((customer) => handIn(customer, bench.ids.uuid(), text)))
      await Promise.all(answered)
      if (round === WARM_UP && text === option.text) print(start, steps, { published, sent })
    }
  }
  await bench.runtime.idle()
  await bench.close()
}

interface Moments {
  readonly published: readonly number[]
  readonly sent: readonly number[]
}

function print(start: number, steps: readonly Step[], { published, sent }: Moments): void {
  const ordered = steps.toSorted((one, other) => one.from - other.from)
  const begin = ordered[0]?.from ?? start
  const committed = ordered.find(({ name }) => name === 'COMMIT')?.to ?? start
  const moments = [
    { name: 'queue', from: start, to: begin },
    ...ordered,
    { name: 'effects (events)', from: committed, to: published.at(-1) ?? committed },
    { name: 'send', from: sent[0] ?? committed, to: sent.at(-1) ?? committed },
  ]
  process.stdout.write(`One batch of ${CUSTOMERS} menu options\n${moments.map((step) => line(step, start)).join('')}`)
}
