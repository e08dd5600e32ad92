import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestRuntime, connectBot, createTestRuntime, type TestNode } from './test-runtime.ts'
import { firstLine } from '#db/statement/line.ts'
import { waitUntil } from '#test/app.ts'

/** Two contatos are merged, or another party takes over, while the AI owes an answer. */

const ESPERA_S = 30
const LID = '200000000000001@lid'
const JID = '5511987654321@s.whatsapp.net'
const TELEFONE = '5511987654321'
const vias = {
  oculto: { endereco: LID, telefone: '' },
  numero: { endereco: JID, telefone: TELEFONE },
  junto: { endereco: LID, telefone: TELEFONE, outrosEnderecos: [JID] },
} as const

let runtime: TestRuntime
let no: TestNode
let contaId: string
const perguntas: string[] = []
const ai = {
  answer: ({ pergunta }: { pergunta: string }) => {
    perguntas.push(pergunta)
    return Promise.resolve({ tipo: 'texto', texto: 'RESPOSTA' } as const)
  },
}

beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())
beforeEach(async () => {
  perguntas.length = 0
  runtime.setNow(null)
  no = await runtime.startNode(randomUUID(), { ai })
  contaId = await runtime.givenConta((config) => ({
    ...config,
    ia: { ...config.ia, ativa: true, esperaSegundos: ESPERA_S, gatilhos: ['quanto', 'entregam'] },
  }))
  const sealed = no.deps.vault.seal('chave-de-verdade', `configuracoes|dados.gemini.apiKey|${contaId}|config`)
  await runtime.database.owner.query(
    `update configuracoes set dados = jsonb_set(dados, '{gemini,apiKey}', to_jsonb($2::text)) where conta_id = $1`,
    [contaId, sealed],
  )
  await connectBot(no, contaId)
})
// A node that still runs may take the next test's bot. Its lease then outlives the node with the question.
afterEach(() => no.stop())

function diz(texto: string, via: keyof typeof vias): Promise<void> {
  const base = { id: randomUUID(), nome: 'Ana', texto, enviadaEm: new Date() }
  return no.runtime.receive(firstLine(contaId), 'simulador', { ...base, ...vias[via] })
}

/** Moves the clock past the customer's pause and starts a new process, which takes over the question. */
async function depoisDoSilencio(): Promise<void> {
  await no.stop()
  runtime.setNow(new Date(Date.now() + (ESPERA_S + 1) * 1_000))
  no = await runtime.startNode(randomUUID(), { ai })
  await waitUntil(async () => (await lines('select 1 from perguntas_ia where conta_id = $1')).length === 0)
  await no.runtime.idle()
}

const lines = async (text: string): Promise<Record<string, unknown>[]> =>
  (await runtime.database.owner.query<Record<string, unknown>>(text, [contaId])).rows
const respostas = (): number =>
  runtime.delivered.filter((received) => received.contaId === contaId && received.texto === 'RESPOSTA').length

describe('AI questions of merged contatos', () => {
  it('answers the question of the contato that is merged away', async () => {
    await diz('oi', 'oculto')
    await diz('quanto custa a rosa?', 'oculto')
    await diz('oi', 'numero')
    await diz('e o cravo?', 'junto')
    expect(await lines('select 1 from contatos where conta_id = $1')).toHaveLength(1)
    await depoisDoSilencio()
    expect(perguntas).toEqual([expect.stringMatching(/quanto custa a rosa\?\s+e o cravo\?/)])
    await waitUntil(() => respostas() === 1)
  })

  it('joins the questions of both contatos in the order of asking', async () => {
    await diz('oi', 'oculto')
    await diz('quanto custa a rosa?', 'oculto')
    await diz('oi', 'numero')
    await diz('vocês entregam?', 'numero')
    await diz('hoje ainda', 'junto')
    await depoisDoSilencio()
    expect(perguntas).toEqual([expect.stringMatching(/quanto custa a rosa\?[^]*vocês entregam\?[^]*hoje ainda/)])
    await waitUntil(() => respostas() === 1)
  })

  it('moves the question into the conversa that people serve', async () => {
    await diz('oi', 'numero')
    await diz('2', 'numero')
    await diz('oi', 'oculto')
    await diz('quanto custa a rosa?', 'oculto')
    await diz('sou eu', 'junto')
    const said = await lines(`select m.texto from mensagens m join conversas v on v.conta_id = m.conta_id
      and v.id = m.conversa_id where m.conta_id = $1 and v.status = 'aguardando' and m.direcao = 'entrada' order by m.id`)
    expect(said.map(({ texto }) => texto)).toEqual(['oi', '2', 'quanto custa a rosa?', 'sou eu'])
    expect(await lines('select 1 from perguntas_ia where conta_id = $1')).toEqual([])
  })
})

describe('AI questions of customers whom Meta’s agent serves', () => {
  it('drops the question when the agent’s service begins', async () => {
    await diz('oi', 'numero')
    await diz('quanto custa a rosa?', 'numero')
    await no.runtime.receive(firstLine(contaId), 'simulador', {
      ...{ id: randomUUID(), nome: 'Ana', texto: 'e o cravo?', enviadaEm: new Date(), agente: true },
      ...vias.numero,
    })
    await depoisDoSilencio()
    expect([perguntas, respostas()]).toEqual([[], 0])
  })
})
