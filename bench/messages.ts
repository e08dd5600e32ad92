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
import { type BotBench, openBotBench } from './messages/house.ts'
import { type CpuUse, median, meterCpu, percentile } from './messages/meters.ts'
import { handInOneByOne } from './messages/naive.ts'
import { atLeast, atMost, figure, type Section, shown } from './report.ts'

const CUSTOMERS = 500
const ROUNDS = 5

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Seconds per thousand messages. */
  readonly cpu: CpuUse
}

const total = ({ nodeS, postgresS }: CpuUse): number => nodeS + postgresS

/** All customers talk at once, each waiting for its replies. Ends when the last reply is stored, sent and marked. */
async function runRound(
  house: BotBench,
  telefones: CustomerPhones,
  entrar: HandIn,
  clientes: readonly BenchCustomer[],
): Promise<Round> {
  const cpu = meterCpu(house.dataDir)
  const inicio = performance.now()
  const tempos = (await Promise.all(clientes.map((cliente) => playScript(house, telefones, entrar, cliente)))).flat()
  await house.runtime.idle()
  const segundos = (performance.now() - inicio) / 1000
  const usada = cpu()
  const milhares = tempos.length / 1000
  return {
    perSecond: tempos.length / segundos,
    p50: percentile(tempos, 50),
    p99: percentile(tempos, 99),
    cpu: { nodeS: usada.nodeS / milhares, postgresS: usada.postgresS / milhares },
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

/** Checks that each message was stored, answered and counted exactly once and that `saida` is empty. */
async function checkTotals({ db }: BotBench, contaId: string, recebidas: number, enviadas: number): Promise<void> {
  const [linha] = await db.transaction(contaId, async (tx) => {
    const { rows } = await tx.query<{ entradas: number; saidas: number; presas: number; usadas: number }>(
      `select (select count(*) from mensagens where conta_id = $1 and direcao = 'entrada') as entradas,
         (select count(*) from mensagens where conta_id = $1 and direcao = 'saida') as saidas,
         (select count(*) from saida where conta_id = $1) as presas,
         (select coalesce(sum(usadas), 0) from uso_diario where conta_id = $1) as usadas`,
      [contaId],
    )
    return rows
  })
  const certo =
    linha?.entradas === recebidas && linha.saidas === enviadas && linha.usadas === enviadas && linha.presas === 0
  if (!certo)
    throw new Error(
      `wrong totals: ${recebidas} asked and ${enviadas} answered, but the database says ${JSON.stringify(linha)}`,
    )
}

const REPLIES = SCRIPT.reduce((soma, { replies }) => soma + replies('').length, 0)

/**
 * (a) Compares the product with one transaction per message. The two take turns, so noise of the machine affects
 * both.
 */
async function compareWithNaive(house: BotBench, telefones: CustomerPhones): Promise<Section> {
  const produto: Round[] = []
  const umPorUm: Round[] = []
  for (let vez = 0; vez < ROUNDS; vez += 1) {
    for (const { bot, entrar, resultados } of [
      { bot: true, entrar: handInToRuntime(house), resultados: produto },
      { bot: false, entrar: handInOneByOne(house, telefones.receive), resultados: umPorUm },
    ]) {
      const contaId = await house.createConta({ bot })
      const resultado = await runRound(house, telefones, entrar, createBenchCustomers(contaId, CUSTOMERS))
      await checkTotals(house, contaId, CUSTOMERS * SCRIPT.length, CUSTOMERS * REPLIES)
      resultados.push(resultado)
    }
  }
  const nosso = summarize(produto)
  const deles = summarize(umPorUm)
  const razao = median(produto.map((r, indice) => r.perSecond / (umPorUm[indice]?.perSecond ?? 1)))
  return {
    titulo: `Messages: ${CUSTOMERS} customers at once, ${SCRIPT.length} messages each, stored, answered and marked sent`,
    linhas: [
      atLeast('messages a second', nosso.perSecond, 3_000, '/s'),
      shown('reply, p50', figure(nosso.p50, 'ms')),
      shown('reply, p99', figure(nosso.p99, 'ms')),
      atMost('CPU for 1,000 messages, database included', total(nosso.cpu), 0.25, 's'),
      shown('of it Node / PostgreSQL', `${figure(nosso.cpu.nodeS)} s / ${figure(nosso.cpu.postgresS)} s`),
      shown('one transaction per message: messages a second', figure(deles.perSecond, '/s')),
      shown('one transaction per message: CPU for 1,000 messages', figure(total(deles.cpu), 's')),
      atLeast('times the rate of one transaction per message', razao, 5, '×'),
      atMost('replies that were wrong, missing or twice', telefones.errors().length, 0, ''),
    ],
    notas: [`Medians of ${ROUNDS} rounds, the two ways taking turns on the same server.`],
  }
}

async function measureGrowth(house: BotBench, telefones: CustomerPhones): Promise<Section> {
  const entrar = handInToRuntime(house)
  const muitos = await house.createConta()
  const quinhentos = async (contaId: string): Promise<number> =>
    (await runRound(house, telefones, entrar, createBenchCustomers(contaId, 500))).perSecond
  for (let grupo = 0; grupo < 15; grupo += 1) await quinhentos(muitos)
  // The two measurements take turns, so noise of the machine affects both.
  const comPoucos: number[] = []
  const comMuitos: number[] = []
  for (let vez = 0; vez < 5; vez += 1) {
    const poucos = await house.createConta()
    await quinhentos(poucos)
    comPoucos.push(await quinhentos(poucos))
    comMuitos.push(await quinhentos(muitos))
  }
  const [taxaDePoucos, taxaDeMuitos] = [median(comPoucos), median(comMuitos)]
  return {
    titulo: 'Messages: many customers in one account',
    linhas: [
      shown('messages a second, the last of 1,000 customers', figure(taxaDePoucos, '/s')),
      shown('messages a second, the last of 10,000 customers', figure(taxaDeMuitos, '/s')),
      atLeast('rate with 10,000 over rate with 1,000', taxaDeMuitos / taxaDePoucos, 0.9, '×'),
    ],
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Time of one committed insert at the same pace, for ten seconds: the machine's lower bound. */
async function measureCommits(house: BotBench): Promise<number[]> {
  const tempos: number[] = []
  const inicio = performance.now()
  for (let indice = 0; indice < 500; indice += 1) {
    const falta = inicio + indice * 20 - performance.now()
    if (falta > 0) await pause(falta)
    const antes = performance.now()
    await house.commitOneRow()
    tempos.push(performance.now() - antes)
  }
  return tempos.slice(50)
}

async function measureSteadyRate(house: BotBench, telefones: CustomerPhones): Promise<Section> {
  const entrar = handInToRuntime(house)
  const vinteSegundos = async (): Promise<number[]> => {
    const contaId = await house.createConta()
    const tempos: Promise<number[]>[] = []
    const inicio = performance.now()
    for (const [indice, cliente] of createBenchCustomers(contaId, 1_000).entries()) {
      const falta = inicio + indice * 20 - performance.now()
      if (falta > 0) await pause(falta)
      tempos.push(playScript(house, telefones, entrar, cliente, SCRIPT.slice(0, 1)))
    }
    return (await Promise.all(tempos)).flat().slice(100)
  }
  const vezes: number[][] = []
  const regua: number[][] = []
  for (let vez = 0; vez < 3; vez += 1) {
    vezes.push(await vinteSegundos())
    regua.push(await measureCommits(house))
  }
  await house.analyze()
  const mediano = (medidas: readonly number[][], p: number): number =>
    median(medidas.map((medidos) => percentile(medidos, p)))
  return {
    titulo: 'Messages: a steady 50 a second',
    linhas: [
      shown('reply, p50', figure(mediano(vezes, 50), 'ms')),
      atMost('reply, p99', mediano(vezes, 99), 5, 'ms'),
      shown('the machine: one row inserted and committed at this pace, p50', figure(mediano(regua, 50), 'ms')),
      shown('the machine: one row inserted and committed at this pace, p99', figure(mediano(regua, 99), 'ms')),
    ],
    notas: ['Medians of three runs of twenty seconds, before the bursts: their checkpoints would be measured here.'],
  }
}

async function measureOneCustomer(house: BotBench, telefones: CustomerPhones): Promise<Section> {
  const contaId = await house.createConta()
  const entrar = handInToRuntime(house)
  const tempos: number[] = []
  for (const cliente of createBenchCustomers(contaId, 50)) {
    tempos.push(...(await playScript(house, telefones, entrar, cliente)))
    await pause(5)
  }
  return {
    titulo: 'Messages: one customer alone, typing indicator off',
    linhas: [
      atMost('reply, p50', percentile(tempos, 50), 10, 'ms'),
      shown('reply, p99', figure(percentile(tempos, 99), 'ms')),
    ],
  }
}

export async function measureMessages(): Promise<Section[]> {
  const house = await openBotBench()
  const telefones = createCustomerPhones()
  house.onPhoneMessage(telefones.receive)
  try {
    const aquecimento = await house.createConta()
    for (let vez = 0; vez < 4; vez += 1) {
      await runRound(house, telefones, handInToRuntime(house), createBenchCustomers(aquecimento, 250))
    }
    const quietas = [await measureSteadyRate(house, telefones), await measureOneCustomer(house, telefones)]
    const secoes = [await compareWithNaive(house, telefones), await measureGrowth(house, telefones), ...quietas]
    if (telefones.errors().length > 0) throw new Error(telefones.errors().slice(0, 5).join('\n'))
    return secoes
  } finally {
    await house.close()
  }
}

if (process.argv[1] === import.meta.filename) {
  const secoes = await measureMessages()
  for (const { titulo, linhas } of secoes) {
    process.stderr.write(`\n${titulo}\n`)
    for (const { medida, valor, meta, ok } of linhas) {
      process.stderr.write(`  ${ok ? ' ' : '✗'} ${medida.padEnd(58)} ${valor.padStart(14)}  ${meta}\n`)
    }
  }
  process.stdout.write(`${JSON.stringify(secoes, null, 2)}\n`)
  process.exit(0)
}
