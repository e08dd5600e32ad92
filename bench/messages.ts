import {
  type Cliente,
  conversar,
  createClientes,
  createTelefones,
  type Entrar,
  entrarPeloRuntime,
  ROTEIRO,
  type Telefones,
} from './messages/customers.ts'
import { type House, openHouse } from './messages/house.ts'
import { type Cpu, mediana, medirCpu, percentil } from './messages/meters.ts'
import { entrarUmPorUm } from './messages/naive.ts'
import { atLeast, atMost, figure, type Section, shown } from './report.ts'

const CLIENTES = 500
const RODADAS = 5

interface Rodada {
  readonly porSegundo: number
  readonly p50: number
  readonly p99: number
  /** Seconds per thousand messages. */
  readonly cpu: Cpu
}

const total = ({ nodeS, postgresS }: Cpu): number => nodeS + postgresS

/** All customers talk at once, each waiting for its replies. Ends when the last reply is stored, sent and marked. */
async function rodada(
  house: House,
  telefones: Telefones,
  entrar: Entrar,
  clientes: readonly Cliente[],
): Promise<Rodada> {
  const cpu = medirCpu(house.dataDir)
  const inicio = performance.now()
  const tempos = (await Promise.all(clientes.map((cliente) => conversar(house, telefones, entrar, cliente)))).flat()
  await house.runtime.ocioso()
  const segundos = (performance.now() - inicio) / 1000
  const usada = cpu()
  const milhares = tempos.length / 1000
  return {
    porSegundo: tempos.length / segundos,
    p50: percentil(tempos, 50),
    p99: percentil(tempos, 99),
    cpu: { nodeS: usada.nodeS / milhares, postgresS: usada.postgresS / milhares },
  }
}

function resumir(rodadas: readonly Rodada[]): Rodada {
  return {
    porSegundo: mediana(rodadas.map(({ porSegundo }) => porSegundo)),
    p50: mediana(rodadas.map(({ p50 }) => p50)),
    p99: mediana(rodadas.map(({ p99 }) => p99)),
    cpu: {
      nodeS: mediana(rodadas.map(({ cpu }) => cpu.nodeS)),
      postgresS: mediana(rodadas.map(({ cpu }) => cpu.postgresS)),
    },
  }
}

/** Checks that each message was stored, answered and counted exactly once and that `saida` is empty. */
async function conferir({ db }: House, contaId: string, recebidas: number, enviadas: number): Promise<void> {
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

const RESPOSTAS = ROTEIRO.reduce((soma, { respostas }) => soma + respostas('').length, 0)

/**
 * (a) Compares the product with one transaction per message. The two take turns, so noise of the machine affects
 * both.
 */
async function comparar(house: House, telefones: Telefones): Promise<Section> {
  const produto: Rodada[] = []
  const umPorUm: Rodada[] = []
  for (let vez = 0; vez < RODADAS; vez += 1) {
    for (const { bot, entrar, resultados } of [
      { bot: true, entrar: entrarPeloRuntime(house), resultados: produto },
      { bot: false, entrar: entrarUmPorUm(house, telefones.receber), resultados: umPorUm },
    ]) {
      const contaId = await house.conta({ bot })
      const resultado = await rodada(house, telefones, entrar, createClientes(contaId, CLIENTES))
      await conferir(house, contaId, CLIENTES * ROTEIRO.length, CLIENTES * RESPOSTAS)
      resultados.push(resultado)
    }
  }
  const nosso = resumir(produto)
  const deles = resumir(umPorUm)
  const razao = mediana(produto.map((r, indice) => r.porSegundo / (umPorUm[indice]?.porSegundo ?? 1)))
  return {
    titulo: `Messages: ${CLIENTES} customers at once, ${ROTEIRO.length} messages each, stored, answered and marked sent`,
    linhas: [
      atLeast('messages a second', nosso.porSegundo, 3_000, '/s'),
      shown('reply, p50', figure(nosso.p50, 'ms')),
      shown('reply, p99', figure(nosso.p99, 'ms')),
      atMost('CPU for 1,000 messages, database included', total(nosso.cpu), 0.25, 's'),
      shown('of it Node / PostgreSQL', `${figure(nosso.cpu.nodeS)} s / ${figure(nosso.cpu.postgresS)} s`),
      shown('one transaction per message: messages a second', figure(deles.porSegundo, '/s')),
      shown('one transaction per message: CPU for 1,000 messages', figure(total(deles.cpu), 's')),
      atLeast('times the rate of one transaction per message', razao, 5, '×'),
      atMost('replies that were wrong, missing or twice', telefones.erros().length, 0, ''),
    ],
    notas: [`Medians of ${RODADAS} rounds, the two ways taking turns on the same server.`],
  }
}

async function crescer(house: House, telefones: Telefones): Promise<Section> {
  const entrar = entrarPeloRuntime(house)
  const muitos = await house.conta()
  const quinhentos = async (contaId: string): Promise<number> =>
    (await rodada(house, telefones, entrar, createClientes(contaId, 500))).porSegundo
  for (let grupo = 0; grupo < 15; grupo += 1) await quinhentos(muitos)
  // The two measurements take turns, so noise of the machine affects both.
  const comPoucos: number[] = []
  const comMuitos: number[] = []
  for (let vez = 0; vez < 5; vez += 1) {
    const poucos = await house.conta()
    await quinhentos(poucos)
    comPoucos.push(await quinhentos(poucos))
    comMuitos.push(await quinhentos(muitos))
  }
  const [taxaDePoucos, taxaDeMuitos] = [mediana(comPoucos), mediana(comMuitos)]
  return {
    titulo: 'Messages: many customers in one account',
    linhas: [
      shown('messages a second, the last of 1,000 customers', figure(taxaDePoucos, '/s')),
      shown('messages a second, the last of 10,000 customers', figure(taxaDeMuitos, '/s')),
      atLeast('rate with 10,000 over rate with 1,000', taxaDeMuitos / taxaDePoucos, 0.9, '×'),
    ],
  }
}

const pausa = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Time of one committed insert at the same pace, for ten seconds: the machine's lower bound. */
async function commits(house: House): Promise<number[]> {
  const tempos: number[] = []
  const inicio = performance.now()
  for (let indice = 0; indice < 500; indice += 1) {
    const falta = inicio + indice * 20 - performance.now()
    if (falta > 0) await pausa(falta)
    const antes = performance.now()
    await house.gravarUma()
    tempos.push(performance.now() - antes)
  }
  return tempos.slice(50)
}

async function constante(house: House, telefones: Telefones): Promise<Section> {
  const entrar = entrarPeloRuntime(house)
  const vinteSegundos = async (): Promise<number[]> => {
    const contaId = await house.conta()
    const tempos: Promise<number[]>[] = []
    const inicio = performance.now()
    for (const [indice, cliente] of createClientes(contaId, 1_000).entries()) {
      const falta = inicio + indice * 20 - performance.now()
      if (falta > 0) await pausa(falta)
      tempos.push(conversar(house, telefones, entrar, cliente, ROTEIRO.slice(0, 1)))
    }
    return (await Promise.all(tempos)).flat().slice(100)
  }
  const vezes: number[][] = []
  const regua: number[][] = []
  for (let vez = 0; vez < 3; vez += 1) {
    vezes.push(await vinteSegundos())
    regua.push(await commits(house))
  }
  await house.analisar()
  const mediano = (medidas: readonly number[][], p: number): number =>
    mediana(medidas.map((medidos) => percentil(medidos, p)))
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

async function sozinho(house: House, telefones: Telefones): Promise<Section> {
  const contaId = await house.conta()
  const entrar = entrarPeloRuntime(house)
  const tempos: number[] = []
  for (const cliente of createClientes(contaId, 50)) {
    tempos.push(...(await conversar(house, telefones, entrar, cliente)))
    await pausa(5)
  }
  return {
    titulo: 'Messages: one customer alone, typing indicator off',
    linhas: [
      atMost('reply, p50', percentil(tempos, 50), 10, 'ms'),
      shown('reply, p99', figure(percentil(tempos, 99), 'ms')),
    ],
  }
}

export async function measureMessages(): Promise<Section[]> {
  const house = await openHouse()
  const telefones = createTelefones()
  house.ouvir(telefones.receber)
  try {
    const aquecimento = await house.conta()
    for (let vez = 0; vez < 4; vez += 1) {
      await rodada(house, telefones, entrarPeloRuntime(house), createClientes(aquecimento, 250))
    }
    const quietas = [await constante(house, telefones), await sozinho(house, telefones)]
    const secoes = [await comparar(house, telefones), await crescer(house, telefones), ...quietas]
    if (telefones.erros().length > 0) throw new Error(telefones.erros().slice(0, 5).join('\n'))
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
