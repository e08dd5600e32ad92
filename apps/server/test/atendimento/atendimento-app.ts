import { expect } from 'vitest'
import { io, type Socket } from 'socket.io-client'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { type ServerEvent, parseServerEvent } from '@balcao/contract/realtime'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { euRoute } from '@balcao/contract/routes/auth'
import {
  loginWithToken,
  type TestServer,
  type TestServerOptions,
  createTestServer,
  type TestRequest,
  type TestResponse,
} from '#test/bot/test-server.ts'
import { waitUntil } from '#test/bot/test-runtime.ts'

/** Logged-in operador with all events that their socket received. */
export interface AtendimentoUser {
  readonly id: string
  readonly contaId: string
  readonly nome: string
  readonly request: TestRequest
  readonly events: ServerEvent[]
  readonly act: (id: string, action: string, body?: unknown) => Promise<TestResponse>
  readonly list: (query?: string) => Promise<Conversa[]>
}

/** A conta with a connected bot and two operadores, and a second conta. */
export interface AtendimentoApp {
  readonly app: TestServer
  readonly dona: AtendimentoUser
  readonly rui: AtendimentoUser
  readonly vizinha: AtendimentoUser
  readonly customerSays: (telefone: string, text: string, name?: string) => Promise<void>
  /** Creates a new customer who asked for a person. Returns the id of the waiting conversa and the phone. */
  readonly newWaitingCustomer: () => Promise<{ id: string; telefone: string }>
  readonly textsOnPhone: (telefone: string) => Promise<string[]>
  readonly close: () => Promise<void>
}

const PASSWORD = 'senha-da-loja'

export async function createAtendimentoApp(options: TestServerOptions = {}): Promise<AtendimentoApp> {
  const casa = await createTestServer(options)
  const sockets: Socket[] = []

  const entrarComo = async (email: string): Promise<AtendimentoUser> => {
    const { pedir, token } = await loginWithToken(casa.url, { email, senha: PASSWORD })
    const { usuario } = euRoute.response.parse((await pedir('GET', '/auth/eu')).body)
    const eventos: ServerEvent[] = []
    const socket = io(casa.url, { auth: { token }, transports: ['websocket'], forceNew: true })
    sockets.push(socket)
    socket.onAny((event: string, data: unknown) => {
      const parsed = parseServerEvent(event, data)
      if (parsed === null) throw new Error(`event not in the contract: ${event} ${JSON.stringify(data)}`)
      eventos.push(parsed)
    })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
    })
    return {
      ...{ id: usuario.id, contaId: usuario.contaId, nome: usuario.nome, request: pedir, events: eventos },
      act: (id, action, body) => pedir('POST', `/atendimento/conversas/${id}/${action}`, body),
      list: async (query = 'limite=200') => {
        const { status, body } = await pedir('GET', `/atendimento/conversas?${query}`)
        expect(status).toBe(200)
        return conversasHumanasRoute.response.parse(body).conversas
      },
    }
  }

  const abrirConta = async (nome: string, email: string): Promise<void> => {
    const registration = { nome, email, senha: PASSWORD, telefone: '11987654321', empresa: `Loja de ${nome}` }
    expect((await casa.request('POST', '/admin/usuarios', registration)).status).toBe(201)
  }

  await abrirConta('Dona', 'dona-da-loja@loja.test')
  await abrirConta('Vizinha', 'vizinha@loja.test')
  await casa.sql(
    `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
     select gen_random_uuid(), conta_id, 'Rui', 'rui@loja.test', 'operador', 'ativo', senha_hash
     from usuarios where email = 'dona-da-loja@loja.test'`,
  )
  const [dona, rui, vizinha] = [
    await entrarComo('dona-da-loja@loja.test'),
    await entrarComo('rui@loja.test'),
    await entrarComo('vizinha@loja.test'),
  ]
  await connectBot(dona.request)

  let clientes = 0
  const clienteDiz: AtendimentoApp['customerSays'] = async (telefone, texto, nome = 'Bia') => {
    expect((await dona.request('POST', '/simulador/mensagens', { telefone, nome, texto })).status).toBe(202)
  }
  return {
    ...{ app: casa, dona, rui, vizinha, customerSays: clienteDiz },
    newWaitingCustomer: async () => {
      clientes += 1
      const telefone = `5511911${String(110_000 + clientes)}`
      await clienteDiz(telefone, 'oi')
      await clienteDiz(telefone, 'atendente')
      // Waits until the bot's mensagens are sent, so that a test observes only its own.
      const conversa = await waitUntil(async () => {
        const uma = (await dona.list()).find(({ cliente }) => cliente.telefone === telefone)
        return uma === undefined || uma.mensagens.some(({ estado }) => estado === 'pendente') ? null : uma
      })
      expect(conversa).toMatchObject({ status: 'aguardando', naoLidas: 1 })
      return { id: conversa.id, telefone }
    },
    textsOnPhone: async (telefone) => {
      const { body } = await dona.request('GET', `/simulador/mensagens?telefone=${telefone}`)
      const mensagens: unknown = body['mensagens']
      return Array.isArray(mensagens)
        ? mensagens.filter(({ de }) => de === 'bot').map(({ texto }) => String(texto))
        : []
    },
    close: async () => {
      for (const socket of sockets) socket.disconnect()
      await casa.close()
    },
  }
}

async function connectBot(request: TestRequest): Promise<void> {
  const { body } = await request('GET', '/config')
  const config = Object(body['config'])
  const salvo = { ...config, whatsapp: { ...config.whatsapp, conector: 'simulador', clientId: 'loja' } }
  expect((await request('PUT', '/config', salvo)).status).toBe(200)
  await restartBot(request)
}

export async function restartBot(request: TestRequest): Promise<void> {
  expect((await request('POST', '/bot/iniciar')).status).toBe(200)
  const status = async () => (await request('GET', '/bot/status')).body['status']
  await waitUntil(async () => ['AGUARDANDO_QR', 'CONECTADO'].includes(String(await status())))
  if ((await status()) === 'AGUARDANDO_QR') expect((await request('POST', '/simulador/escanear')).status).toBe(200)
  await waitUntil(async () => (await status()) === 'CONECTADO')
}
