import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import type { ConversaEventName } from '@balcao/contract/realtime'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import type { AiProvider } from '#ports/ai.ts'
import { type TestSocket } from '#test/realtime/sockets.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
  saveConfig,
  withVendas,
} from '#test/builders.ts'

/** Events of conversas of `financeiro`, and the socket of an operador who serves only `vendas`. */

const SUMMARIES: AiProvider = {
  answer: () => Promise.resolve({ tipo: 'texto', texto: 'Quer o boleto.' }),
  transcribe: () => Promise.resolve({ tipo: 'falha', motivo: 'sem voz', passageira: false }),
  checkKey: () => Promise.resolve(null),
  listModels: () => Promise.resolve(null),
}

let app: TestApp
let dona: TestUser
let fabio: TestUser
let daDona: TestSocket
let daVera: TestSocket
let doFabio: TestSocket
let phones = 0

const newPhone = (): string => `55119660${String((phones += 1)).padStart(5, '0')}`
const act = (quem: TestUser, conversa: string, action: string, body?: object) =>
  quem.request('POST', `/atendimento/conversas/${conversa}/${action}`, body)

/** Events with this text, in order. */
const heard = ({ received }: TestSocket, part: string): readonly [string, Record<string, unknown>][] =>
  received.filter((event) => JSON.stringify(event).includes(part))

/** Resolves when the socket has received everything that was published before. */
async function settled({ received }: TestSocket): Promise<void> {
  const { body } = await dona.request('POST', '/atendimento/teste-conversa', { setor: 'geral' })
  const { id } = Object(body['conversa'])
  await waitUntil(() => JSON.stringify(received).includes(String(id)))
}

interface Waiting {
  readonly id: string
  readonly telefone: string
}

async function waitingIn(setor: string): Promise<Waiting> {
  const telefone = newPhone()
  const id = await givenWaitingCustomer(dona, telefone)
  expect((await act(dona, id, 'transferir', { setor })).status).toBe(200)
  return { id, telefone }
}

beforeAll(async () => {
  // The first retry leaves time for a transfer between the commit and the send.
  app = await createTestApp({ ai: SUMMARIES, timings: { retryWaitsMs: [1_500, 20] } })
  dona = await givenConta(app)
  fabio = await givenOperador(app, dona, { nome: 'Fábio', setores: ['financeiro'] })
  daDona = await app.connect(dona)
  doFabio = await app.connect(fabio)
  daVera = await app.connect(await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] }))
  await connectBot(dona, withVendas)
})
afterAll(() => app.close())

/** The AI is on for summaries alone, and option 8 hands over to `financeiro`. */
const withSummaries = (config: Config): Config => {
  const { opcoes } = config.menu
  const comportamentos = { ...config.ia.comportamentos, sempreResponder: false }
  return {
    ...config,
    ia: { ...config.ia, ativa: true, apiKey: 'chave', gatilhos: [], comportamentos },
    menu: {
      ...config.menu,
      opcoes: [...opcoes, { numero: '8', titulo: 'Boletos', tipo: 'humano', resposta: '', setor: 'financeiro' }],
    },
  }
}

/** How each event happens to a waiting conversa of `financeiro`. Returns the part of the event that names it. */
const CAUSES: Readonly<Record<ConversaEventName, (waiting: Waiting) => Promise<string>>> = {
  novaConversaHumana: async () => {
    const { body } = await dona.request('POST', '/atendimento/teste-conversa', { setor: 'financeiro' })
    return String(Object(body['conversa']).id)
  },
  mensagemConversaHumana: async ({ telefone, id }) => {
    await customerSays(dona, telefone, 'quero o boleto')
    return id
  },
  conversaAssumida: async ({ id }) => {
    await act(fabio, id, 'assumir')
    return id
  },
  conversaFinalizada: async ({ id }) => {
    await act(fabio, id, 'finalizar')
    return id
  },
  avaliacaoRecebida: async ({ telefone, id }) => {
    await act(fabio, id, 'finalizar')
    await customerSays(dona, telefone, '5')
    return id
  },
  conversaTransferida: async ({ id }) => {
    await act(fabio, id, 'transferir', { setor: 'suporte' })
    return id
  },
  conversaReaberta: async ({ id }) => {
    await act(fabio, id, 'finalizar')
    await act(fabio, id, 'reabrir')
    return id
  },
  clienteDigitando: async ({ telefone, id }) => {
    await dona.request('POST', '/simulador/digitando', { telefone })
    return id
  },
  agendadaMudou: async ({ id }) => {
    const enviarEm = new Date(Date.now() + 86_400_000).toISOString()
    await act(fabio, id, 'agendadas', { mensagem: 'lembrete', enviarEm })
    return id
  },
  colegaDigitando: async ({ id }) => {
    await act(fabio, id, 'digitando')
    return id
  },
  resumoConversa: async () => {
    await saveConfig(dona, withSummaries)
    const telefone = newPhone()
    await customerSays(dona, telefone, 'oi', 'preciso do boleto atrasado', '8')
    const conversa = (await openConversas(dona)).find(({ cliente }) => cliente.telefone === telefone)
    return conversa?.id ?? ''
  },
  notaConversa: async ({ id }) => {
    await dona.request('POST', `/atendimento/conversas/${id}/notas`, { texto: 'cliente antigo' })
    return id
  },
}
const names = Object.keys(CAUSES).filter((name): name is ConversaEventName => name in CAUSES)

describe('an operador of another setor', () => {
  it.each(names)('does not receive %s', async (name) => {
    const waiting = await waitingIn('financeiro')
    await settled(daVera)
    daVera.received.length = 0
    const part = await CAUSES[name](waiting)
    for (const socket of [daDona, doFabio]) {
      await waitUntil(() => heard(socket, part).some(([event]) => event === name))
    }
    await settled(daVera)
    for (const canary of [part, waiting.id, waiting.telefone]) expect(heard(daVera, canary)).toEqual([])
  })

  it('does not receive a customer whom the menu led to the setor', async () => {
    const telefone = newPhone()
    await customerSays(dona, telefone, 'oi', '7', 'tem pão?')
    await waitUntil(() => heard(daVera, 'tem pão?').length > 0)
    await settled(doFabio)
    expect(heard(doFabio, telefone)).toEqual([])
    expect(heard(doFabio, 'tem pão?')).toEqual([])
  })

  it('receives no list of active contatos in the status', async () => {
    const { telefone } = await waitingIn('financeiro')
    await dona.request('POST', '/bot/parar')
    await dona.request('POST', '/bot/iniciar')
    await waitUntil(() => heard(daDona, telefone).some(([event]) => event === 'botStatus'))
    await waitUntil(async () => (await dona.request('GET', '/bot/status')).body['status'] === 'CONECTADO')
    await settled(daVera)
    const lists = daVera.received.flatMap(([event, data]) => (event === 'botStatus' ? [data['conversasAtivas']] : []))
    expect(new Set(lists.map((list) => JSON.stringify(list)))).toEqual(new Set(['[]']))
  })
})

describe('conversaTransferida', () => {
  it('reaches the old and the new setor, later events only the new one', async () => {
    const { id, telefone } = await waitingIn('financeiro')
    await act(dona, id, 'transferir', { setor: 'vendas' })
    for (const socket of [daVera, doFabio]) {
      await waitUntil(() =>
        heard(socket, id).some(([event, { novoSetor }]) => event === 'conversaTransferida' && novoSetor === 'vendas'),
      )
    }
    await settled(doFabio)
    doFabio.received.length = 0
    await customerSays(dona, telefone, 'agora com vendas')
    await waitUntil(() => heard(daVera, 'agora com vendas').length > 0)
    await settled(doFabio)
    expect(heard(doFabio, id)).toEqual([])
  })

  it('moves the delivery of a message that was queued before it', async () => {
    const { id } = await waitingIn('financeiro')
    await dona.request('POST', '/bot/parar')
    expect((await act(fabio, id, 'mensagem', { mensagem: 'na fila' })).status).toBe(200)
    await act(dona, id, 'transferir', { setor: 'vendas' })
    await settled(doFabio)
    doFabio.received.length = 0
    await dona.request('POST', '/bot/iniciar')
    await waitUntil(() =>
      heard(daVera, 'na fila').some(([, data]) => JSON.stringify(data).includes('"estado":"enviada"')),
    )
    await settled(doFabio)
    expect(heard(doFabio, id)).toEqual([])
  })

  it('follows a message that left while the connector was slow', async () => {
    const { id } = await waitingIn('financeiro')
    await dona.request('POST', '/simulador/falhas', { envios: 1 })
    expect((await act(fabio, id, 'mensagem', { mensagem: 'na segunda vez' })).status).toBe(200)
    await act(dona, id, 'transferir', { setor: 'vendas' })
    const sent = await waitUntil(
      () =>
        heard(daVera, 'na segunda vez').find(([, data]) => JSON.stringify(data).includes('"estado":"enviada"')) ?? null,
    )
    expect(sent[1]).toMatchObject({ conversaId: id })
    const states = heard(doFabio, 'na segunda vez').map(([, data]) => Object(data['mensagem']).estado)
    expect(states).toEqual(['pendente'])
  })

  it('returns the conversas of a deactivated operador to their setor alone', async () => {
    const olga = await givenOperador(app, dona, { nome: 'Olga', setores: ['financeiro'] })
    const { id } = await waitingIn('financeiro')
    await act(olga, id, 'assumir')
    await settled(daVera)
    daVera.received.length = 0
    await dona.request('PUT', `/conta/operadores/${olga.usuario.id}`, { ativo: false })
    await waitUntil(() => heard(doFabio, id).some(([event]) => event === 'conversaTransferida'))
    await settled(daVera)
    expect(heard(daVera, id)).toEqual([])
  })
})
