import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLine } from '#db/statement/line.ts'
import type { Ai } from '#ports/ai.ts'
import {
  connectBot,
  createCustomer,
  createTestRuntime,
  MUTE_BUS,
  type TestCustomer,
  type TestNode,
  type TestNodeOptions,
  type TestRuntime,
  textsOf,
} from '#test/bot/test-runtime.ts'
import { waitUntil } from '#test/app.ts'

/** Which node asks the AI. */

const NEVER = 3_600_000
let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

interface AskingNode extends TestNode {
  /** The questions that this node asked. */
  readonly asked: string[]
}

async function startNode(name: string, options: TestNodeOptions = {}): Promise<AskingNode> {
  const asked: string[] = []
  const ai: Ai = {
    answer: (request) => {
      asked.push(request.pergunta)
      return Promise.resolve({ tipo: 'texto', texto: `IA: ${request.pergunta}` })
    },
  }
  return { ...(await runtime.startNode(name, { ai, timings: { searchMs: NEVER }, ...options })), asked }
}

async function contaWithIa(node: TestNode, esperaSegundos: number): Promise<string> {
  const contaId = await runtime.givenConta((config) => ({
    ...config,
    ia: { ...config.ia, ativa: true, esperaSegundos },
  }))
  const key = node.deps.vault.seal('chave', `configuracoes|dados.gemini.apiKey|${contaId}|config`)
  await runtime.database.owner.query(
    `update configuracoes set dados = jsonb_set(dados, '{gemini,apiKey}', to_jsonb($2::text)) where conta_id = $1`,
    [contaId, key],
  )
  return contaId
}

/** A message that this node stores. It needs no session, like a webhook. */
function arrives(node: TestNode, contaId: string, customer: TestCustomer, texto: string): Promise<void> {
  const { phone, name } = customer
  const message = { id: `${phone}-${texto}`, endereco: phone, telefone: phone, nome: name, texto }
  return node.runtime.receive(firstLine(contaId), 'simulador', { ...message, enviadaEm: new Date() })
}

describe('AiQuestions on two nodes', () => {
  it('asks on the node with the bot when another node stores the question', async () => {
    const [a, b] = [await startNode('A'), await startNode('B')]
    const contaId = await contaWithIa(a, 0)
    await connectBot(a, contaId)
    const customers = Array.from({ length: 5 }, () => createCustomer(b, contaId))
    await Promise.all(customers.map((customer) => arrives(b, contaId, customer, 'oi')))
    await Promise.all(customers.map((customer) => arrives(b, contaId, customer, 'tem caneca?')))
    await waitUntil(() => customers.every(({ phone }) => textsOf(runtime, phone).includes('IA: tem caneca?')))
    expect({ a: a.asked, b: b.asked }).toEqual({ a: Array(5).fill('tem caneca?'), b: [] })
    await a.stop()
    await b.stop()
  })

  it('asks on the node with the bot when the notice is lost', async () => {
    const polling = { bus: MUTE_BUS, timings: { searchMs: NEVER, pollMs: 100 } }
    const [a, b] = [await startNode('A4', polling), await startNode('B4', polling)]
    const contaId = await contaWithIa(a, 0)
    await connectBot(a, contaId)
    const customer = createCustomer(b, contaId)
    await arrives(b, contaId, customer, 'oi')
    await arrives(b, contaId, customer, 'tem caneca?')
    await waitUntil(() => textsOf(runtime, customer.phone).includes('IA: tem caneca?'))
    expect({ a: a.asked, b: b.asked }).toEqual({ a: ['tem caneca?'], b: [] })
    await a.stop()
    await b.stop()
  })

  it('asks on the node that stored the question when no node has the bot', async () => {
    const [a, b] = [await startNode('A2'), await startNode('B2')]
    const contaId = await contaWithIa(a, 0)
    const customer = createCustomer(b, contaId)
    await arrives(b, contaId, customer, 'oi')
    await arrives(b, contaId, customer, 'tem caneca?')
    await waitUntil(() => b.asked.length === 1)
    await b.runtime.idle()
    expect(a.asked).toEqual([])
    await a.stop()
    await b.stop()
  })

  it('cancels the questions of a stopped bot, and another node asks them 30 s later', async () => {
    const start = new Date('2026-11-20T15:00:00Z')
    runtime.setNow(start)
    const a = await startNode('A3', { bus: MUTE_BUS })
    const b = await startNode('B3', { bus: MUTE_BUS, timings: { searchMs: NEVER, unheldMs: 100 } })
    const contaId = await contaWithIa(a, 1)
    await connectBot(a, contaId)
    const customer = createCustomer(a, contaId)
    await customer.says('oi')
    await customer.says('tem caneca?')
    await a.runtime.bots.stop(firstLine(contaId))
    // The pause of 1 s is over on the timers of the process, which do not follow the clock of the test.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect({ a: a.asked, b: b.asked }).toEqual({ a: [], b: [] })
    runtime.setNow(new Date(start.getTime() + 40_000))
    await waitUntil(() => b.asked.length === 1)
    await b.runtime.idle()
    const { rows } = await runtime.database.owner.query('select 1 from perguntas_ia where conta_id = $1', [contaId])
    expect(rows).toEqual([])
    await a.stop()
    await b.stop()
    runtime.setNow(null)
  })
})
