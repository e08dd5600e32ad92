import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { sessoesRoute } from '@balcao/contract/routes/sessoes'
import { parseServerEvent, type ServerEvent } from '@balcao/contract/realtime'
import { applyToList } from '@balcao/contract/testing/interleaving'
import { createPostgresBus } from '#adapters/postgres/bus.ts'
import { connectDirect } from '#db/nodes/direct-connection.ts'
import { createVault } from '#security/vault.ts'
import { createFleet, type TestFleet, type FleetNode } from './fleet.ts'
import { codeAt } from '#test/auth/code-at.ts'
import { enrolTotp, openDesafio } from '#test/auth/identity.ts'
import { PASSWORD, sendRequest, type TestUser, waitUntil } from '#test/app.ts'
import { type TestSocket } from '#test/realtime/sockets.ts'
import { connectBot, customerSays, givenConta, givenOperador, openConversas } from '#test/builders.ts'
import { eventually } from '#test/realtime/listen.ts'

let fleet: TestFleet
let a: FleetNode
let b: FleetNode
let dona: TestUser
beforeAll(async () => {
  fleet = await createFleet(2)
  const [first, second] = fleet.nodes
  if (first === undefined || second === undefined) throw new Error('a fleet of two has two nodes')
  ;[a, b] = [first, second]
  dona = await givenConta(a.app)
  await connectBot(dona)
})
afterAll(() => fleet.close())

/** The same login on another node. */
const at = (node: FleetNode, { token }: Pick<TestUser, 'token'>): Pick<TestUser, 'token' | 'request'> => ({
  token,
  request: async (method, path, body) => sendRequest(node.app.url, method, path, { token, body }),
})
const statusAt = async (node: FleetNode, token: string): Promise<number> =>
  (await sendRequest(node.app.url, 'GET', '/auth/eu', { token })).status

/** Opens the first window of the conta and waits until node A sends its events there. */
async function openWindowAtB(user: TestUser): Promise<TestSocket> {
  const opened = await b.app.connect(user)
  await waitUntil(() => a.app.deps.realtime.watched(user.contaId))
  return opened
}

const messageSchema = z.object({ mensagem: z.object({ id: z.string(), texto: z.string() }) })

/** Texts of the messages that a socket received, each at its first event. */
function textsOf({ received }: TestSocket): string[] {
  const texts = new Map<string, string>()
  for (const [name, payload] of received) {
    if (name !== 'mensagemConversaHumana') continue
    const { id, texto } = messageSchema.parse(payload).mensagem
    if (!texts.has(id)) texts.set(id, texto)
  }
  return [...texts.values()]
}

describe('events', () => {
  it('reach the windows of every node in the order of each node', async () => {
    const sides = [await a.app.connect(dona), await b.app.connect(dona)]
    await customerSays(dona, '5511900000001', 'atendente')
    const { id } = await waitUntil(async () => (await openConversas(dona))[0] ?? null)
    await dona.request('POST', `/atendimento/conversas/${id}/assumir`)
    const sent = { a: Array.from({ length: 20 }, (_, n) => `a${n}`), b: Array.from({ length: 20 }, (_, n) => `b${n}`) }
    const send = async (node: FleetNode, texts: readonly string[]): Promise<void> => {
      for (const mensagem of texts) {
        const { status } = await at(node, dona).request('POST', `/atendimento/conversas/${id}/mensagem`, { mensagem })
        expect(status).toBe(200)
      }
    }
    await Promise.all([send(a, sent.a), send(b, sent.b)])
    for (const side of sides) {
      for (const [node, texts] of Object.entries(sent)) {
        await eventually(() => expect(textsOf(side).filter((texto) => texto.startsWith(node))).toEqual(texts))
      }
      side.socket.disconnect()
    }
  })

  it('of two reactions give the stored one in any order', async () => {
    const conta = await givenConta(a.app)
    await connectBot(conta)
    await customerSays(conta, '5511900000002', 'atendente')
    const find = async (): Promise<Conversa | null> => (await openConversas(conta))[0] ?? null
    const before = await waitUntil(find)
    await conta.request('POST', `/atendimento/conversas/${before.id}/assumir`)
    const mensagemId = before.mensagens.findLast(({ tipo }) => tipo === 'recebida')?.id ?? ''
    const { received, socket } = await openWindowAtB(conta)
    const react = (node: FleetNode, emoji: string): Promise<{ readonly status: number }> =>
      at(node, conta).request('POST', `/atendimento/conversas/${before.id}/mensagens/${mensagemId}/reacao`, { emoji })
    const answers = await Promise.all([react(a, '👍'), react(b, '❤️'), react(a, '😂'), react(b, '😮')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const events = (): ServerEvent[] =>
      received.flatMap(([name, payload]) => {
        const event = parseServerEvent(name, payload)
        return event?.evento === 'mensagemConversaHumana' && event.dados.mensagem.id === mensagemId ? [event] : []
      })
    await waitUntil(() => events().length >= answers.length)
    const reactionOf = (conversa: Conversa | undefined | null): string | undefined =>
      conversa?.mensagens.find(({ id }) => id === mensagemId)?.reacaoLoja
    const stored = reactionOf(await find())
    expect(stored).toBeDefined()
    for (const order of [events(), events().toReversed()]) {
      const panel = order.reduce<readonly Conversa[]>(
        (list, event) => applyToList(list, event, conta.contaId),
        [before],
      )
      expect(reactionOf(panel[0])).toBe(stored)
    }
    socket.disconnect()
  })

  it('show as a difference of the numbers on another node when they are lost', async () => {
    const conta = await givenConta(a.app)
    await connectBot(conta)
    const numbers = async (): Promise<unknown> => (await at(b, conta).request('GET', '/atendimento/revisoes')).body
    const numbersOf = (conversas: readonly Conversa[]): object => ({
      total: conversas.length,
      revisoes: conversas.reduce((sum, { revisao = 0 }) => sum + revisao, 0),
    })
    expect(await numbers()).toEqual({ total: 0, revisoes: 0 })
    for (const telefone of ['5511900000011', '5511900000012']) await customerSays(conta, telefone, 'atendente')
    const before = await waitUntil(async () => {
      const list = await openConversas(conta)
      return list.length === 2 ? list : null
    })
    const [newest] = before
      .map(({ ultimaAtividade }) => ultimaAtividade)
      .toSorted()
      .toReversed()
    const { body } = await conta.request('GET', `/atendimento/revisoes?desde=${newest}`)
    expect(body).toEqual(numbersOf(before.filter(({ ultimaAtividade }) => ultimaAtividade === newest)))
    const { received, socket } = await openWindowAtB(conta)
    const [{ id } = { id: '' }] = before
    for (const act of ['assumir', 'mensagem', 'transferir', 'assumir']) {
      const body = { mensagem: 'pois não', setor: 'vendas' }
      expect((await conta.request('POST', `/atendimento/conversas/${id}/${act}`, body)).status).toBe(200)
    }
    const shown = (): readonly Conversa[] =>
      received.reduce<readonly Conversa[]>((list, [name, payload]) => {
        const event = parseServerEvent(name, payload)
        return event === null ? list : applyToList(list, event, conta.contaId)
      }, before)
    // A panel that heard all events has the numbers of the server.
    const now = await numbers()
    await eventually(() => expect(numbersOf(shown())).toEqual(now))
    await fleet.database.owner.query(`update conversas set operador = 'Rui' where id = $1`, [id])
    expect(await numbers()).not.toEqual(numbersOf(shown()))
    expect(await numbers()).toEqual(numbersOf(await openConversas(conta)))
    socket.disconnect()
  })

  it('leave no notification when no other node has a window of the conta', async () => {
    const conta = await givenConta(a.app)
    const { socket } = await a.app.connect(conta)
    await expect.poll(() => a.app.deps.realtime.watched(conta.contaId)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const heard: string[] = []
    const ear = await connectDirect(fleet.database.target)
    ear.on('notification', ({ payload = '' }) => heard.push(payload))
    await ear.query('listen balcao')
    a.app.deps.realtime.publish(conta.contaId, 'botStatusChange', { userId: conta.contaId, status: 'PARADO' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(heard).toEqual([])
    await ear.end()
    socket.disconnect()
  })
})

describe('windows of a node', () => {
  it('are sent once to many nodes that ask together', async () => {
    const bus = createPostgresBus({
      connect: () => connectDirect(fleet.database.target),
      ...{ node: randomUUID(), seal: createVault('segredo de teste'), log: { warn: () => undefined } },
    })
    const answers: string[] = []
    bus.subscribe('janelas', (data) => {
      const { tipo, no } = z.object({ tipo: z.string(), no: z.string() }).parse(JSON.parse(data))
      if (tipo === 'todas') answers.push(no)
    })
    await bus.start()
    for (let n = 0; n < 20; n += 1) bus.publish('janelas', JSON.stringify({ tipo: 'pergunta', no: randomUUID() }))
    await expect.poll(() => answers.toSorted()).toEqual([a.id, b.id].toSorted())
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(answers).toHaveLength(2)
    await bus.close()
  })
})

describe('presence', () => {
  it('shows a person offline only when the last window on any node closed', async () => {
    const otto = await givenOperador(a.app, dona, { nome: 'Otto' })
    const watching = await a.app.connect(dona)
    const seen = (): unknown[] =>
      watching.received.flatMap(([name, { operador, status }]) =>
        name === 'operadorStatusChange' && operador === 'Otto' ? [status] : [],
      )
    const [onA, onB] = [await a.app.connect(otto), await b.app.connect(otto)]
    await eventually(() => expect(seen()).toEqual(['online']))
    const late = await b.app.connect(dona)
    await eventually(() =>
      expect(late.received).toContainEqual(['operadorStatusChange', expect.objectContaining({ operador: 'Otto' })]),
    )
    onA.socket.disconnect()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(seen()).toEqual(['online'])
    onB.socket.disconnect()
    await eventually(() => expect(seen()).toEqual(['online', 'offline']))
    watching.socket.disconnect()
    late.socket.disconnect()
  })
})

describe('a revoked login', () => {
  it('is refused by every node from the next request on, and its sockets are closed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { token } = await a.app.login(dona.usuario.email)
      const { socket } = await b.app.connect({ token })
      expect(await statusAt(b, token)).toBe(200)
      await sendRequest(a.app.url, 'POST', '/auth/logout', { token })
      expect(await statusAt(b, token)).toBe(401)
      await expect.poll(() => socket.connected).toBe(false)
      socket.disconnect()
    }
  })

  it('is refused while the packets of other nodes do not arrive', async () => {
    const { token } = await a.app.login(dona.usuario.email)
    expect(await statusAt(b, token)).toBe(200)
    const broken = Promise.all([a.breakBus(), b.breakBus()])
    await sendRequest(a.app.url, 'POST', '/auth/logout', { token })
    await broken
    await expect.poll(() => statusAt(b, token), { interval: 10 }).toBe(401)
  })

  it('by its person, one or all others, is ended on every node before the answer', async () => {
    const { email } = dona.usuario
    const sessionsOf = async (user: TestUser) =>
      sessoesRoute.response.parse((await user.request('GET', '/auth/sessoes')).body).sessoes
    const here = await a.app.login(email)
    const there = await b.app.login(email)
    const { socket } = await b.app.connect(there)
    expect(await statusAt(b, there.token)).toBe(200)
    const known = new Set((await sessionsOf(dona)).map(({ id }) => id))
    const last = await a.app.login(email)
    const fresh = (await sessionsOf(dona)).find(({ id }) => !known.has(id))
    expect((await here.request('DELETE', `/auth/sessoes/${fresh?.id}`)).status).toBe(204)
    expect(await Promise.all([a, b].map((node) => statusAt(node, last.token)))).toEqual([401, 401])
    expect((await here.request('DELETE', '/auth/sessoes')).status).toBe(204)
    expect(await statusAt(b, there.token)).toBe(401)
    expect(await statusAt(b, here.token)).toBe(200)
    await expect.poll(() => socket.connected).toBe(false)
    socket.disconnect()
    dona = here
  })
})

describe('a login with a second factor', () => {
  it('begins on one node and ends on another, once for each code', async () => {
    const conta = await givenConta(a.app)
    const { segredo } = await enrolTotp(a.app.send, conta.token, () => new Date())
    const login = { email: conta.usuario.email, senha: PASSWORD }
    const opened = await Promise.all([openDesafio(a.app.send, login), openDesafio(a.app.send, login)])
    // The code of the enrolment is used up, and the next one is accepted 30 s early.
    const codigo = codeAt(segredo, new Date(Date.now() + 30_000))
    const answers = await Promise.all(
      opened.map(({ desafio }, index) =>
        (index === 0 ? a : b).app.send('POST', '/auth/segundo-fator', { body: { desafio, codigo } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403])
    const token = String(answers.find(({ status }) => status === 200)?.body['token'])
    expect(await Promise.all([a, b].map((node) => statusAt(node, token)))).toEqual([200, 200])
  })

  it('is demanded, and a confirmation counts, on every node from the next request on', async () => {
    const conta = await givenConta(a.app)
    expect((await at(b, conta).request('GET', '/config')).status).toBe(200)
    expect((await conta.request('PUT', '/conta/seguranca', { exigirSegundoFator: 'donos' })).status).toBe(200)
    expect((await at(b, conta).request('GET', '/config')).body['codigo']).toBe('segundoFatorObrigatorio')
    await enrolTotp(b.app.send, conta.token, () => new Date())
    expect((await conta.request('GET', '/config')).status).toBe(200)
    await a.app.sql(`update sessoes set confirmada_em = null where usuario_id = $1`, [conta.usuario.id])
    await a.app.deps.forgetSessions()
    expect((await at(b, conta).request('DELETE', '/conversas')).body['codigo']).toBe('confirmacaoNecessaria')
    expect((await conta.request('POST', '/auth/confirmar', { senha: PASSWORD })).status).toBe(204)
    expect((await at(b, conta).request('DELETE', '/conversas')).status).toBe(200)
  })
})
