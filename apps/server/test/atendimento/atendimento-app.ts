import { expect } from 'vitest'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { parseServerEvent, type ServerEvent } from '@balcao/contract/realtime'
import { type Answer, createTestApp, type TestApp, type TestAppOptions, type TestUser, waitUntil } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type RecordedDatabase, recordStatements } from '#test/recorded-database.ts'
import { chatOf, connectBot, givenConta, openConversas } from '#test/builders.ts'

/** Logged-in operador with all events that their socket received. */
export interface AtendimentoUser extends Pick<TestUser, 'contaId' | 'request'> {
  readonly id: string
  readonly nome: string
  readonly events: ServerEvent[]
  readonly act: (id: string, action: string, body?: unknown) => Promise<Answer>
  readonly list: (query?: string) => Promise<readonly Conversa[]>
}

/** A conta with a connected bot and two people who serve, and a second conta. */
export interface AtendimentoApp {
  readonly app: TestApp
  readonly dona: AtendimentoUser
  readonly rui: AtendimentoUser
  readonly vizinha: AtendimentoUser
  readonly customerSays: (telefone: string, text: string, name?: string) => Promise<void>
  /** Creates a new customer who asked for a person. Returns the id of the waiting conversa and the phone. */
  readonly newWaitingCustomer: () => Promise<{ id: string; telefone: string }>
  readonly textsOnPhone: (telefone: string) => Promise<string[]>
  readonly close: () => Promise<void>
}

/** The same on a recorded database. */
export interface RecordedAtendimento {
  readonly database: TestDatabase
  readonly recorded: RecordedDatabase
  readonly shop: AtendimentoApp
  readonly close: () => Promise<void>
}

export async function createRecordedAtendimento(): Promise<RecordedAtendimento> {
  const database = await createTestDatabase()
  const recorded = recordStatements(database.db)
  const shop = await createAtendimentoApp({ database, db: recorded.db })
  const close = async (): Promise<void> => {
    await shop.close()
    await database.drop()
  }
  return { database, recorded, shop, close }
}

export async function createAtendimentoApp(options: TestAppOptions = {}): Promise<AtendimentoApp> {
  const app = await createTestApp(options)
  const dono = await givenConta(app, 'Dona', { email: 'dona-da-loja@loja.test', empresa: 'Loja de Dona' })
  const other = await givenConta(app, 'Vizinha', { email: 'vizinha@loja.test', empresa: 'Loja de Vizinha' })
  await app.sql(
    `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
     select gen_random_uuid(), conta_id, 'Rui', 'rui@loja.test', 'operador', 'ativo', senha_hash
     from usuarios where email = 'dona-da-loja@loja.test'`,
  )
  const dona = await withEvents(app, dono)
  const rui = await withEvents(app, await app.login('rui@loja.test'))
  const vizinha = await withEvents(app, other)
  await connectBot(dona)

  const customerSays: AtendimentoApp['customerSays'] = async (telefone, texto, nome = 'Bia') => {
    expect((await dona.request('POST', '/simulador/mensagens', { telefone, nome, texto })).status).toBe(202)
  }
  let customers = 0
  return {
    ...{ app, dona, rui, vizinha, customerSays },
    newWaitingCustomer: async () => {
      customers += 1
      const telefone = `5511911${String(110_000 + customers)}`
      await customerSays(telefone, 'oi')
      await customerSays(telefone, 'atendente')
      // Waits until the bot's mensagens are sent, so that a test observes only its own.
      const conversa = await waitUntil(async () => {
        const found = (await dona.list()).find(({ cliente }) => cliente.telefone === telefone)
        return found === undefined || found.mensagens.some(({ estado }) => estado === 'pendente') ? null : found
      })
      expect(conversa).toMatchObject({ status: 'aguardando', naoLidas: 1 })
      return { id: conversa.id, telefone }
    },
    textsOnPhone: async (telefone) =>
      (await chatOf(dona, telefone)).filter(({ de }) => de === 'bot').map(({ texto }) => texto),
    close: app.close,
  }
}

async function withEvents(app: TestApp, user: TestUser): Promise<AtendimentoUser> {
  const { usuario, contaId, request } = user
  const events: ServerEvent[] = []
  const socket = app.openSocket(user.token)
  socket.onAny((event: string, data: unknown) => {
    const parsed = parseServerEvent(event, data)
    if (parsed === null) throw new Error(`event not in the contract: ${event} ${JSON.stringify(data)}`)
    events.push(parsed)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return {
    ...{ id: usuario.id, contaId, nome: usuario.nome, request, events },
    act: (id, action, body) => request('POST', `/atendimento/conversas/${id}/${action}`, body),
    list: (query = 'limite=200') => openConversas(user, `?${query}`),
  }
}
