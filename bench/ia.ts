import type { Config } from '@balcao/contract/entities/config'
import { type BotBench, createIa, openBotBench } from '@balcao/server/bench'
import { createFakeGemini, type FakeGemini, VALID_KEY } from '@balcao/server/testing'
import {
  type BenchCustomer,
  playScript,
  createBenchCustomers,
  createCustomerPhones,
  type HandIn,
  handInToRuntime,
  type ScriptLine,
  SCRIPT,
  type CustomerPhones,
} from './messages/customers.ts'
import { benchConfig } from './messages/config.ts'
import { percentile } from './messages/meters.ts'
import { atMost, figure, type Section, shown } from './report.ts'

const QUESTIONS = 200
const HELD_QUESTIONS = 40
const MENU_CUSTOMERS = 200

const PRESENTATION = 'Sou a IA da loja.'

export function configWithIa(): Config {
  const config = benchConfig()
  const comportamentos = { ...config.ia.comportamentos, sempreResponder: true }
  return {
    ...config,
    gemini: { apiKey: VALID_KEY },
    ia: { ...config.ia, ativa: true, esperaSegundos: 0, comportamentos, apresentacao: PRESENTATION },
  }
}

const [GREETING] = SCRIPT
const QUESTION = 'vocês fazem bolo de fubá?'
export const IA_SCRIPT: readonly ScriptLine[] = [{ text: QUESTION, replies: () => [PRESENTATION, `ECO ${QUESTION}`] }]

async function greet(
  botBench: BotBench,
  telefones: CustomerPhones,
  enter: HandIn,
  cliente: BenchCustomer,
): Promise<void> {
  await playScript(botBench, telefones, enter, cliente, GREETING === undefined ? [] : [GREETING])
}

/** Asks one question at a time to a provider that answers immediately, so the measured time is the product's own. */
async function measureCost(botBench: BotBench, telefones: CustomerPhones): Promise<number[]> {
  const contaId = await botBench.createConta({ config: configWithIa() })
  const enter = handInToRuntime(botBench)
  const times: number[] = []
  for (const cliente of createBenchCustomers(contaId, QUESTIONS)) {
    await greet(botBench, telefones, enter, cliente)
    times.push(...(await playScript(botBench, telefones, enter, cliente, IA_SCRIPT)))
  }
  // The first requests load the library.
  return times.slice(20)
}

async function measureProvider(gemini: FakeGemini): Promise<number[]> {
  const times: number[] = []
  const corpo = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: QUESTION }] }] })
  for (let vez = 0; vez < QUESTIONS; vez += 1) {
    const start = performance.now()
    const reply = await fetch(`${gemini.url}/v1beta/models/gemini-2.5-flash:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': VALID_KEY },
      body: corpo,
    })
    await reply.json()
    times.push(performance.now() - start)
  }
  return times.slice(20)
}

/** Menu replies to customers, one by one, while the provider holds the questions of others. */
async function measureMenu(botBench: BotBench, telefones: CustomerPhones, contaId: string): Promise<number[]> {
  const enter = handInToRuntime(botBench)
  const times: number[] = []
  for (const cliente of createBenchCustomers(contaId, MENU_CUSTOMERS)) {
    times.push(...(await playScript(botBench, telefones, enter, cliente, SCRIPT.slice(0, 2))))
  }
  return times
}

async function holdQuestions(
  botBench: BotBench,
  telefones: CustomerPhones,
  gemini: FakeGemini,
  contaId: string,
): Promise<void> {
  const enter = handInToRuntime(botBench)
  gemini.answerAlways(() => ({ tipo: 'nunca' }))
  for (const cliente of createBenchCustomers(contaId, HELD_QUESTIONS)) {
    await greet(botBench, telefones, enter, cliente)
    await enter(cliente, botBench.ids.uuid(), QUESTION)
  }
}

export async function measureIa(): Promise<Section[]> {
  const gemini = await createFakeGemini()
  const ai = createIa({ urls: { gemini: gemini.url }, log: { warn: () => {} }, timeoutMs: 60_000 })
  const botBench = await openBotBench({ ai, config: benchConfig() })
  const telefones = createCustomerPhones()
  botBench.onPhoneMessage(telefones.receive)
  try {
    const times = await measureCost(botBench, telefones)
    const provedor = percentile(await measureProvider(gemini), 50)
    const contaId = await botBench.createConta({ config: configWithIa() })
    await measureMenu(botBench, telefones, contaId)
    const sem = await measureMenu(botBench, telefones, contaId)
    await holdQuestions(botBench, telefones, gemini, contaId)
    const com = await measureMenu(botBench, telefones, contaId)
    if (telefones.errors().length > 0) throw new Error(telefones.errors().slice(0, 5).join('\n'))
    return [
      {
        title: 'Assistant',
        lines: [
          shown('question to answer, a provider that answers at once, p50', figure(percentile(times, 50), 'ms')),
          shown("of it the provider's stand-in, p50", figure(provedor, 'ms')),
          atMost('ours, p50', percentile(times, 50) - provedor, 15, 'ms'),
          shown('question to answer, a provider that answers at once, p95', figure(percentile(times, 95), 'ms')),
          shown('menu reply, no assistant questions, p95', figure(percentile(sem, 95), 'ms')),
          shown(`menu reply, ${HELD_QUESTIONS} questions held for 60 s, p95`, figure(percentile(com, 95), 'ms')),
          atMost('menu reply with them over without, p95', percentile(com, 95) / percentile(sem, 95), 1.5, '×'),
        ],
      },
    ]
  } finally {
    await botBench.close()
    await gemini.close()
  }
}
