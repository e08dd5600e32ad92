import { type BotBench, openBotBench } from '@balcao/server/bench'
import {
  type BenchCustomer,
  playScript,
  createBenchCustomers,
  createCustomerPhones,
  type HandIn,
  handInToRuntime,
  SCRIPT,
  type CustomerPhones,
} from './messages/customers.ts'
import { benchConfig } from './messages/config.ts'
import { type CpuUse, median, meterCpu, pause, percentile } from './messages/meters.ts'
import { handInOneByOne } from './messages/naive.ts'
import { atLeast, atMost, figure, type Section, shown } from './report.ts'

const CUSTOMERS = 500
const ROUNDS = 5

export interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Seconds per thousand messages. */
  readonly cpu: CpuUse
}

const total = ({ nodeS, postgresS }: CpuUse): number => nodeS + postgresS

/** All customers talk at once, each waiting for its replies. Ends when the last reply is stored, sent and marked. */
export async function runRound(
  botBench: BotBench,
  telefones: CustomerPhones,
  handIn: HandIn,
  clientes: readonly BenchCustomer[],
): Promise<Round> {
  const cpu = meterCpu(botBench.dataDir)
  const start = performance.now()
  const times = (await Promise.all(clientes.map((cliente) => playScript(botBench, telefones, handIn, cliente)))).flat()
  await botBench.runtime.idle()
  const seconds = (performance.now() - start) / 1000
  const used = cpu()
  const milhares = times.length / 1000
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    cpu: { nodeS: used.nodeS / milhares, postgresS: used.postgresS / milhares },
  }
}

function summarize(rounds: readonly Round[]): Round {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    cpu: {
      nodeS: median(rounds.map(({ cpu }) => cpu.nodeS)),
      postgresS: median(rounds.map(({ cpu }) => cpu.postgresS)),
    },
  }
}

/** Checks that each message was stored, answered and counted exactly once and that `saida` becomes empty. */
export async function checkTotals(botBench: BotBench, contaId: string, received: number, sent: number): Promise<void> {
  let line = await readTotals(botBench, contaId)
  // The phone has a message before its row of `saida` is deleted.
  for (let waited = 0; waited < 2_000 && line?.presas !== 0; waited += 50) {
    await pause(50)
    line = await readTotals(botBench, contaId)
  }
  const certo = line?.entradas === received && line.saidas === sent && line.usadas === sent && line.presas === 0
  if (!certo)
    throw new Error(
      `wrong totals: ${received} asked and ${sent} answered, but the database says ${JSON.stringify(line)}`,
    )
}

interface Totals {
  readonly entradas: number
  readonly saidas: number
  readonly presas: number
  readonly usadas: number
}

function readTotals({ db }: BotBench, contaId: string): Promise<Totals | undefined> {
  return db.transaction(contaId, async (tx) => {
    const { rows } = await tx.query<Totals & Record<string, unknown>>(
      `select (select count(*) from mensagens where conta_id = $1 and direcao = 'entrada') as entradas,
         (select count(*) from mensagens where conta_id = $1 and direcao = 'saida') as saidas,
         (select count(*) from saida where conta_id = $1) as presas,
         (select coalesce(sum(usadas), 0) from uso_diario where conta_id = $1) as usadas`,
      [contaId],
    )
    return rows[0]
  })
}

export const REPLIES = SCRIPT.reduce((sum, { replies }) => sum + replies('').length, 0)

/**
 * (a) Compares the product with one transaction per message. The two take turns, so noise of the machine affects
 * both.
 */
async function compareWithNaive(botBench: BotBench, telefones: CustomerPhones): Promise<Section> {
  const product: Round[] = []
  const oneByOne: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { bot, handIn, results } of [
      { bot: true, handIn: handInToRuntime(botBench), results: product },
      { bot: false, handIn: handInOneByOne(botBench, telefones.receive), results: oneByOne },
    ]) {
      const contaId = await botBench.createConta({ bot })
      const result = await runRound(botBench, telefones, handIn, createBenchCustomers(contaId, CUSTOMERS))
      await checkTotals(botBench, contaId, CUSTOMERS * SCRIPT.length, CUSTOMERS * REPLIES)
      results.push(result)
    }
  }
  const ours = summarize(product)
  const theirs = summarize(oneByOne)
  const ratio = median(product.map((r, index) => r.perSecond / (oneByOne[index]?.perSecond ?? 1)))
  return {
    title: `Messages: ${CUSTOMERS} customers at once, ${SCRIPT.length} messages each, stored, answered and marked sent`,
    lines: [
      atLeast('messages a second', ours.perSecond, 3_000, '/s'),
      shown('reply, p50', figure(ours.p50, 'ms')),
      shown('reply, p99', figure(ours.p99, 'ms')),
      atMost('CPU for 1,000 messages, database included', total(ours.cpu), 0.25, 's'),
      shown('of it Node / PostgreSQL', `${figure(ours.cpu.nodeS)} s / ${figure(ours.cpu.postgresS)} s`),
      shown('one transaction per message: messages a second', figure(theirs.perSecond, '/s')),
      shown('one transaction per message: CPU for 1,000 messages', figure(total(theirs.cpu), 's')),
      atLeast('times the rate of one transaction per message', ratio, 5, '×'),
      atMost('replies that were wrong, missing or twice', telefones.errors().length, 0, ''),
    ],
    notes: [`Medians of ${ROUNDS} rounds. Both modes alternate on the same server.`],
  }
}

async function measureGrowth(botBench: BotBench, telefones: CustomerPhones): Promise<Section> {
  const handIn = handInToRuntime(botBench)
  const crowded = await botBench.createConta()
  const playFiveHundred = async (contaId: string): Promise<number> =>
    (await runRound(botBench, telefones, handIn, createBenchCustomers(contaId, 500))).perSecond
  for (let group = 0; group < 15; group += 1) await playFiveHundred(crowded)
  // The two measurements take turns, so noise of the machine affects both.
  const quietRates: number[] = []
  const crowdedRates: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const quiet = await botBench.createConta()
    await playFiveHundred(quiet)
    quietRates.push(await playFiveHundred(quiet))
    crowdedRates.push(await playFiveHundred(crowded))
  }
  const [quietRate, crowdedRate] = [median(quietRates), median(crowdedRates)]
  return {
    title: 'Messages: many customers in one account',
    lines: [
      shown('messages a second, the last of 1,000 customers', figure(quietRate, '/s')),
      shown('messages a second, the last of 10,000 customers', figure(crowdedRate, '/s')),
      atLeast('rate with 10,000 over rate with 1,000', crowdedRate / quietRate, 0.9, '×'),
    ],
  }
}

/** Time of one committed insert at the same pace, for ten seconds: the machine's lower bound. */
async function measureCommits(botBench: BotBench): Promise<number[]> {
  const times: number[] = []
  const start = performance.now()
  for (let index = 0; index < 500; index += 1) {
    const missing = start + index * 20 - performance.now()
    if (missing > 0) await pause(missing)
    const before = performance.now()
    await botBench.commitOneRow()
    times.push(performance.now() - before)
  }
  return times.slice(50)
}

async function measureSteadyRate(botBench: BotBench, telefones: CustomerPhones): Promise<Section> {
  const handIn = handInToRuntime(botBench)
  const vinteSegundos = async (): Promise<number[]> => {
    const contaId = await botBench.createConta()
    const times: Promise<number[]>[] = []
    const start = performance.now()
    for (const [index, cliente] of createBenchCustomers(contaId, 1_000).entries()) {
      const missing = start + index * 20 - performance.now()
      if (missing > 0) await pause(missing)
      times.push(playScript(botBench, telefones, handIn, cliente, SCRIPT.slice(0, 1)))
    }
    return (await Promise.all(times)).flat().slice(100)
  }
  const vezes: number[][] = []
  const regua: number[][] = []
  for (let round = 0; round < 3; round += 1) {
    vezes.push(await vinteSegundos())
    regua.push(await measureCommits(botBench))
  }
  await botBench.analyze()
  const mediano = (measures: readonly number[][], p: number): number =>
    median(measures.map((medidos) => percentile(medidos, p)))
  return {
    title: 'Messages: a steady 50 a second',
    lines: [
      shown('reply, p50', figure(mediano(vezes, 50), 'ms')),
      atMost('reply, p99', mediano(vezes, 99), 5, 'ms'),
      shown('the machine: one row inserted and committed at this pace, p50', figure(mediano(regua, 50), 'ms')),
      shown('the machine: one row inserted and committed at this pace, p99', figure(mediano(regua, 99), 'ms')),
    ],
    notes: ['Medians of three runs of 20 s, measured before the bursts, whose checkpoints would distort them.'],
  }
}

async function measureOneCustomer(botBench: BotBench, telefones: CustomerPhones): Promise<Section> {
  const contaId = await botBench.createConta()
  const handIn = handInToRuntime(botBench)
  const times: number[] = []
  for (const cliente of createBenchCustomers(contaId, 50)) {
    times.push(...(await playScript(botBench, telefones, handIn, cliente)))
    await pause(5)
  }
  return {
    title: 'Messages: one customer alone, typing indicator off',
    lines: [
      atMost('reply, p50', percentile(times, 50), 10, 'ms'),
      shown('reply, p99', figure(percentile(times, 99), 'ms')),
    ],
  }
}

export async function measureMessages(): Promise<Section[]> {
  const botBench = await openBotBench({ config: benchConfig() })
  const telefones = createCustomerPhones()
  botBench.onPhoneMessage(telefones.receive)
  try {
    const aquecimento = await botBench.createConta()
    for (let round = 0; round < 4; round += 1) {
      await runRound(botBench, telefones, handInToRuntime(botBench), createBenchCustomers(aquecimento, 250))
    }
    const quietas = [await measureSteadyRate(botBench, telefones), await measureOneCustomer(botBench, telefones)]
    const sections = [await compareWithNaive(botBench, telefones), await measureGrowth(botBench, telefones), ...quietas]
    if (telefones.errors().length > 0) throw new Error(telefones.errors().slice(0, 5).join('\n'))
    return sections
  } finally {
    await botBench.close()
  }
}

if (process.argv[1] === import.meta.filename) {
  const sections = await measureMessages()
  for (const { title, lines } of sections) {
    process.stderr.write(`\n${title}\n`)
    for (const { measure, value, goal, ok } of lines) {
      process.stderr.write(`  ${ok ? ' ' : '✗'} ${measure.padEnd(58)} ${value.padStart(14)}  ${goal}\n`)
    }
  }
  process.stdout.write(`${JSON.stringify(sections, null, 2)}\n`)
  process.exit(0)
}
