import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import type { Ai, AiRequest } from '#ports/ai.ts'
import {
  type TestRuntime,
  connectBot,
  createTestRuntime,
  createCustomer,
  type TestNode,
  textsOf,
} from '#test/bot/test-runtime.ts'
import { waitUntil } from '#test/app.ts'

/** Questions of a process that stopped, or whose conversa or configuracao changed meanwhile. */

const NUNCA = 3_600_000
const AGORA = new Date('2026-11-20T15:00:00Z')
let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())
afterEach(() => void vi.useRealTimers())

interface Perguntada {
  readonly ai: Ai
  readonly pedidos: AiRequest[]
}

function anotar(): Perguntada {
  const pedidos: AiRequest[] = []
  return {
    pedidos,
    ai: {
      answer: (request) => {
        pedidos.push(request)
        return Promise.resolve({ tipo: 'texto', texto: `IA: ${request.pergunta}` })
      },
    },
  }
}

async function contaComIa(no: TestNode): Promise<string> {
  const contaId = await runtime.givenConta((config) => ({
    ...config,
    ia: {
      ...config.ia,
      ...{ ativa: true, esperaSegundos: 30 },
      respostasPredefinidas: { ...config.ia.respostasPredefinidas, naoEntendi: 'NAO SEI' },
    },
  }))
  await mudarConfig(no, contaId, (config) => config)
  return contaId
}

async function mudarConfig(no: TestNode, contaId: string, change: (config: Config) => Config): Promise<void> {
  const { rows } = await runtime.database.owner.query<{ dados: Config }>(
    'select dados from configuracoes where conta_id = $1',
    [contaId],
  )
  const [line] = rows
  if (line === undefined) throw new Error('no configuration')
  const apiKey = no.deps.vault.seal('chave', `configuracoes|dados.gemini.apiKey|${contaId}|config`)
  const data = { ...change(line.dados), gemini: { apiKey } }
  await runtime.database.owner.query('update configuracoes set dados = $2 where conta_id = $1', [
    contaId,
    JSON.stringify(data),
  ])
  no.runtime.bots.contextChanged(contaId)
}

const criarNo = (name: string, ai: Ai): Promise<TestNode> =>
  runtime.startNode(name, { ai, exclusive: true, timings: { searchMs: NUNCA } })

/** A customer asks and the process stops before the end of esperaSegundos. */
async function perguntarEParar(name: string): Promise<{ contaId: string; telefone: string; no: TestNode }> {
  runtime.setNow(AGORA)
  const { ai, pedidos } = anotar()
  const no = await criarNo(name, ai)
  const contaId = await contaComIa(no)
  await connectBot(no, contaId)
  const ana = createCustomer(no, contaId)
  await ana.says('oi')
  await ana.says('tem caneca?')
  await no.runtime.idle()
  await no.stop()
  expect(pedidos).toEqual([])
  return { contaId, telefone: ana.phone, no }
}

it('asks the question left by a stopped process', async () => {
  const { telefone } = await perguntarEParar('a1')
  runtime.setNow(new Date(AGORA.getTime() + 31_000))
  const { ai, pedidos } = anotar()
  const other = await criarNo('a2', ai)
  await waitUntil(() => textsOf(runtime, telefone).includes('IA: tem caneca?'))
  expect(pedidos).toHaveLength(1)
  await other.stop()
})

it('asks within the longest pause after the clock was set back by an hour', async () => {
  const { telefone } = await perguntarEParar('r1')
  runtime.setNow(new Date(AGORA.getTime() - 3_600_000))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const { ai } = anotar()
  const other = await criarNo('r2', ai)
  await vi.advanceTimersByTimeAsync(30_000)
  await waitUntil(() => textsOf(runtime, telefone).includes('IA: tem caneca?'))
  await other.stop()
})

it('answers an outdated question with naoEntendi and does not ask it', async () => {
  const { contaId, telefone } = await perguntarEParar('b1')
  runtime.setNow(new Date(AGORA.getTime() + 20 * 60_000))
  const { ai, pedidos } = anotar()
  const other = await criarNo('b2', ai)
  await waitUntil(() => textsOf(runtime, telefone).includes('NAO SEI'))
  expect(pedidos).toEqual([])
  const { rows } = await runtime.database.owner.query(
    `select mensagem from logs where conta_id = $1 and tipo = 'error'`,
    [contaId],
  )
  expect(rows).toEqual([{ mensagem: expect.stringContaining('o servidor esteve parado') }])
  await other.stop()
})

it('does not ask if the owner switched the AI off meanwhile', async () => {
  const { contaId, telefone, no } = await perguntarEParar('c1')
  runtime.setNow(new Date(AGORA.getTime() + 31_000))
  const { ai, pedidos } = anotar()
  // No node runs during the change: a running one would take the bot and ask.
  await mudarConfig(no, contaId, (config) => ({ ...config, ia: { ...config.ia, ativa: false } }))
  const other = await criarNo('c2', ai)
  await waitUntil(() => textsOf(runtime, telefone).includes('NAO SEI'))
  expect(pedidos).toEqual([])
  await other.stop()
})

it('deletes a question that its contato stopped expecting', async () => {
  const { contaId } = await perguntarEParar('d1')
  await runtime.database.owner.query(
    `update contatos set estado = jsonb_set(estado, '{pergunta}', 'null') where conta_id = $1`,
    [contaId],
  )
  runtime.setNow(new Date(AGORA.getTime() + 31_000))
  const { ai, pedidos } = anotar()
  const other = await criarNo('d2', ai)
  await waitUntil(
    async () =>
      (await runtime.database.owner.query('select 1 from perguntas_ia where conta_id = $1', [contaId])).rows.length ===
      0,
  )
  expect(pedidos).toEqual([])
  await other.stop()
})
