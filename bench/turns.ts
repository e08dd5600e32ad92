import { type BenchCustomer, createBenchCustomers } from './messages/customers.ts'
import { ALL_KINDS, type Kind, KINDS, type KindsBench, openKindsBench, ORDER_KINDS } from './messages/kinds.ts'
import { median, meterCpu, pause, percentile } from './messages/meters.ts'
import { atLeast, atMost, figure, type Line, type Section, shown } from './report.ts'

const CUSTOMERS = 1_000
const ROUNDS = 5
const MIXED_CUSTOMERS = 1_500
const STEADY_S = 20
const MANY = 100_000

interface Played {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Seconds per thousand turns, database included. */
  readonly cpu: number
  /** Per hundred turns. */
  readonly statements: number
}

type Turn = () => Promise<readonly number[]>

/** Plays the turns with at most `inFlight` at once. Ends when everything is stored, sent and marked. */
async function playAll(bench: KindsBench, turns: readonly Turn[], inFlight: number): Promise<Played> {
  const cpu = meterCpu(bench.botBench.dataDir)
  const before = bench.statements()
  const start = performance.now()
  const times: number[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let turn = turns[next++]; turn !== undefined; turn = turns[next++]) times.push(...(await turn()))
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  await bench.botBench.runtime.idle()
  const seconds = (performance.now() - start) / 1_000
  const { nodeS, postgresS } = cpu()
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 50),
    p99: percentile(times, 99),
    cpu: ((nodeS + postgresS) / times.length) * 1_000,
    statements: ((bench.statements() - before) / times.length) * 100,
  }
}

function medians(played: readonly Played[]): Played {
  return {
    perSecond: median(played.map(({ perSecond }) => perSecond)),
    p50: median(played.map(({ p50 }) => p50)),
    p99: median(played.map(({ p99 }) => p99)),
    cpu: median(played.map(({ cpu }) => cpu)),
    statements: median(played.map(({ statements }) => statements)),
  }
}

interface Load {
  readonly inFlight: number
  /** True with a window of the panel open, which shows what happens. */
  readonly watched: boolean
}

async function measureKinds(bench: KindsBench, { inFlight, watched }: Load): Promise<Section> {
  bench.openWindows(watched)
  const rounds = new Map<string, Played[]>(ALL_KINDS.map(({ name }) => [name, []]))
  const journeys: Played[] = []
  const confirmations: Played[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const customers = createBenchCustomers(await bench.createConta(), CUSTOMERS)
    for (const kind of ALL_KINDS) {
      const turns = customers.map((customer) => async () => [await bench.play(customer, kind)])
      rounds.get(kind.name)?.push(await playAll(bench, turns, inFlight))
    }
    journeys.push(await playAll(bench, await orderScripts(bench), inFlight))
    confirmations.push(await playConfirmations(bench, inFlight))
  }
  bench.openWindows(false)
  const option = medians(rounds.get(KINDS.option.name) ?? []).perSecond
  return {
    title: `Turns: each kind, ${inFlight} in flight${watched ? ', a window of the panel open' : ''}`,
    lines: [
      ...ALL_KINDS.map((kind) => kindLine(kind, medians(rounds.get(kind.name) ?? []), option)),
      kindLine({ name: 'an order, from greeting to confirmation' }, medians(journeys), option, ORDER_GOAL),
      shown(ORDER_KINDS.confirm.name, costOf(medians(confirmations), option)),
    ],
    notes: [
      `Rate and its share of a menu option; p99; statements for 100 customers; CPU seconds for 1,000 customers, database included. Medians of ${ROUNDS} rounds of ${CUSTOMERS} customers.`,
      'A question is two turns: it is stored, and the answer is stored and sent. Its rate counts both.',
      ...(watched ? ['The window is counted up to its socket: events are read and built, not sent.'] : []),
    ],
  }
}

/**
 * Of the rate of a menu option. A confirmation prices the cart again and stores the order, and the confirmations of one
 * conta wait for each other: their numbers have no gap.
 */
const ORDER_GOAL = 0.5

async function orderScripts(bench: KindsBench): Promise<Turn[]> {
  const customers = createBenchCustomers(await bench.createConta({ orders: true }), CUSTOMERS)
  return scripts(bench, customers, Object.values(ORDER_KINDS))
}

/** Customers of a shop that takes orders confirm what they ordered before. Only the confirmations are measured. */
async function playConfirmations(bench: KindsBench, inFlight: number): Promise<Played> {
  const customers = createBenchCustomers(await bench.createConta({ orders: true }), CUSTOMERS)
  const turnsOf = (kind: Kind): Turn[] => customers.map((customer) => async () => [await bench.play(customer, kind)])
  const { confirm, ...before } = ORDER_KINDS
  for (const kind of Object.values(before)) await playAll(bench, turnsOf(kind), inFlight)
  return playAll(bench, turnsOf(confirm), inFlight)
}

function kindLine(
  { name, turns = 1 }: Pick<Kind, 'name' | 'turns'>,
  { perSecond, ...played }: Played,
  option: number,
  goal = 0.6,
): Line {
  const turnsPerSecond = perSecond * turns
  const value = costOf({ ...played, perSecond: turnsPerSecond }, option)
  return { measure: name, value, goal: `≥ ${goal} ×`, ok: turnsPerSecond / option >= goal }
}

function costOf({ perSecond, p99, statements, cpu }: Played, option: number): string {
  const rate = `${figure(Math.round(perSecond), '/s')}, ${figure(perSecond / option, '×')}`
  return `${rate}; ${figure(p99, 'ms')}; ${figure(Math.round(statements))} statements, ${figure(cpu, 's')}`
}

/** Each customer plays the kinds, one after the other. The customers are at different kinds at the same time. */
function scripts(bench: KindsBench, customers: readonly BenchCustomer[], kinds: readonly Kind[] = ALL_KINDS): Turn[] {
  return customers.map((customer) => async () => {
    const times: number[] = []
    for (const kind of kinds) times.push(await bench.play(customer, kind))
    return times
  })
}

async function measureMixed(bench: KindsBench, oneByOne: KindsBench): Promise<Section> {
  const play = async (one: KindsBench, inFlight: number, count: number): Promise<Played> =>
    playAll(one, scripts(one, createBenchCustomers(await one.createConta(), count)), inFlight)
  const few: Played[] = []
  const many: Played[] = []
  const single: Played[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    few.push(await play(bench, 50, MIXED_CUSTOMERS))
    many.push(await play(bench, 500, MIXED_CUSTOMERS))
    single.push(await play(oneByOne, 50, MIXED_CUSTOMERS / 5))
  }
  const [at50, at500, alone] = [medians(few), medians(many), medians(single)]
  return {
    title: 'Turns: all kinds mixed',
    lines: [
      atLeast('50 in flight', at50.perSecond, 3_000, '/s'),
      shown('50 in flight, p50 / p99', `${figure(at50.p50)} / ${figure(at50.p99, 'ms')}`),
      atLeast('500 in flight', at500.perSecond, 4_000, '/s'),
      shown('500 in flight, p50 / p99', `${figure(at500.p50)} / ${figure(at500.p99, 'ms')}`),
      atMost('CPU for 1,000 turns at 500 in flight, database included', at500.cpu, 0.3, 's'),
      shown('statements for 100 turns, 50 / 500 in flight', `${figure(at50.statements)} / ${figure(at500.statements)}`),
      shown('one transaction per turn, 50 in flight', figure(alone.perSecond, '/s')),
      atLeast('times the rate of one transaction per turn', at500.perSecond / alone.perSecond, 5, '×'),
    ],
    notes: [`Medians of ${ROUNDS} rounds. One transaction per turn: the same code with batches of one turn.`],
  }
}

/** 50 turns a second: menu options, and every tenth a hand-off. */
async function measureSteady(bench: KindsBench): Promise<Section> {
  const times: number[] = []
  const contaId = await bench.createConta()
  const customers = createBenchCustomers(contaId, 50 * STEADY_S)
  await playAll(
    bench,
    customers.map((customer) => async () => [await bench.play(customer, KINDS.first)]),
    50,
  )
  const running: Promise<void>[] = []
  const start = performance.now()
  for (const [index, customer] of customers.entries()) {
    const wait = start + index * 20 - performance.now()
    if (wait > 0) await pause(wait)
    const kind = index % 10 === 9 ? KINDS.handover : KINDS.option
    running.push(bench.play(customer, kind).then((ms) => void times.push(ms)))
  }
  await Promise.all(running)
  return {
    title: 'Turns: a steady 50 a second, a tenth of them hand-offs',
    lines: [
      atMost('reply, p50', percentile(times, 50), 4, 'ms'),
      atMost('reply, p99', percentile(times, 99), 15, 'ms'),
    ],
  }
}

async function measureGrowth(bench: KindsBench): Promise<Section> {
  const rate = async (contaId: string): Promise<number> =>
    (await playAll(bench, scripts(bench, createBenchCustomers(contaId, CUSTOMERS)), 500)).perSecond
  const large = await bench.createConta()
  const fill = createBenchCustomers(large, MANY)
  await playAll(
    bench,
    fill.map((customer) => async () => [await bench.play(customer, KINDS.first)]),
    500,
  )
  const small: number[] = []
  const crowded: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    small.push(await rate(await bench.createConta()))
    crowded.push(await rate(large))
  }
  return {
    title: 'Turns: 100,000 customers in one account, all kinds mixed',
    lines: [
      shown('1,000 customers', figure(median(small), '/s')),
      shown('100,000 customers', figure(median(crowded), '/s')),
      atLeast('rate with 100,000 over rate with 1,000', median(crowded) / median(small), 0.9, '×'),
    ],
  }
}

/**
 * Plans that PostgreSQL made for empty tables read all customers of a conta for each one. The analysis replaces them,
 * as autovacuum does within a minute.
 */
async function warmUp(bench: KindsBench): Promise<void> {
  const customers = createBenchCustomers(await bench.createConta(), CUSTOMERS)
  await playAll(bench, scripts(bench, customers), 100)
  await bench.botBench.analyze()
}

/** Each kind of turn, without and with an open window. */
export async function measureEachKind(): Promise<Section[]> {
  const bench = await openKindsBench()
  try {
    return await measureAllKinds(bench)
  } finally {
    await bench.botBench.close()
  }
}

async function measureAllKinds(bench: KindsBench): Promise<Section[]> {
  await warmUp(bench)
  const kinds: Section[] = []
  for (const watched of [false, true]) {
    for (const inFlight of [50, 500]) kinds.push(await measureKinds(bench, { inFlight, watched }))
  }
  return kinds
}

export async function measureTurns(): Promise<Section[]> {
  const bench = await openKindsBench()
  const oneByOne = await openKindsBench({ batchMax: 1, parallelBatches: 16 })
  try {
    await warmUp(bench)
    const steady = await measureSteady(bench)
    const kinds: Section[] = []
    for (const watched of [false, true]) {
      for (const inFlight of [50, 500]) kinds.push(await measureKinds(bench, { inFlight, watched }))
    }
    const mixed = await measureMixed(bench, oneByOne)
    const growth = await measureGrowth(bench)
    const [error] = [...bench.phones.errors(), ...oneByOne.phones.errors()]
    if (error !== undefined) throw new Error(error)
    return [...kinds, mixed, steady, growth]
  } finally {
    await bench.botBench.close()
    await oneByOne.botBench.close()
  }
}
