import { pino } from 'pino'
import { io, type Socket } from 'socket.io-client'
import * as z from 'zod/mini'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { loginRoute } from '@balcao/contract/routes/auth'
import { criarOperadorRoute } from '@balcao/contract/routes/operadores'
import { composeServer, type ComposedServer } from '#composition.ts'
import { createIds } from '#ids.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { createVault } from '#security/vault.ts'
import { waitUntil } from '#test/bot/test-runtime.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { connected, record } from '#test/realtime/listen.ts'

export interface ApiAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

export type SendRequest = (metodo: string, path: string, body?: unknown) => Promise<ApiAnswer>

export interface EquipeUser {
  readonly token: string
  readonly usuario: Usuario
  readonly request: SendRequest
}

export interface SocketWindow {
  readonly socket: Socket
  readonly received: ReturnType<typeof record>
}

/** Server with usuarios of several contas, a movable clock and real sockets. */
export interface EquipeApp {
  readonly house: ComposedServer
  readonly database: TestDatabase
  readonly admin: EquipeUser
  readonly pedir: (metodo: string, path: string, opcoes?: { body?: unknown; token?: string }) => Promise<ApiAnswer>
  readonly login: (email: string, password?: string) => Promise<EquipeUser>
  readonly dono: (nome?: string) => Promise<EquipeUser>
  readonly operador: (dono: EquipeUser, data?: { nome?: string; setores?: string[] }) => Promise<EquipeUser>
  readonly setNow: (iso: string) => void
  /** Connects a socket and collects its events from the first one on. */
  readonly connect: (pessoa: EquipeUser) => Promise<SocketWindow>
  readonly sql: (texto: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  readonly close: () => Promise<void>
}

export const PASSWORD = 'pao-quente-da-casa'
const ADMIN = { email: 'chefe@balcao.test', senha: 'chave-do-chefe' }
const bodySchema = z.record(z.string(), z.unknown())
let userCount = 0

export async function createEquipeApp(): Promise<EquipeApp> {
  const banco = await createTestDatabase()
  let instant = new Date('2026-03-10T15:00:00.000Z')
  const clock = { now: () => new Date(instant) }
  const house = await composeServer({
    db: banco.db,
    clock,
    ids: createIds(clock),
    log: pino({ level: 'silent' }),
    vault: createVault('segredo de teste'),
    mailer: { configured: false, send: () => Promise.reject(new Error('no mail server')) },
    settings: { urlPublica: 'https://painel.test', conectorPadrao: 'simulador', dataDir: '/tmp', metricsToken: null },
    trustProxy: false,
    timings: { retryWaitsMs: [20, 40, 60, 80] },
  })
  await ensureFirstAdmin(house.deps, ADMIN)
  const url = await house.http.listen({ host: '127.0.0.1', port: 0 })
  await house.start()
  const sockets: Socket[] = []

  const pedir: EquipeApp['pedir'] = async (metodo, path, { body, token } = {}) => {
    const reply = await fetch(`${url}/api${path}`, {
      method: metodo,
      headers: {
        // Without keep-alive: the server could close an idle connection just as the next request uses it.
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const texto = await reply.text()
    return { status: reply.status, body: texto === '' ? {} : bodySchema.parse(JSON.parse(texto)) }
  }
  const enter: EquipeApp['login'] = async (email, senha = PASSWORD) => {
    const reply = await pedir('POST', '/auth/login', { body: { email, senha, lembrar: true } })
    if (reply.status !== 200) throw new Error(`login of ${email} failed: ${JSON.stringify(reply)}`)
    const { token, usuario } = loginRoute.response.parse(reply.body)
    return { token, usuario, request: (metodo, path, body) => pedir(metodo, path, { body, token }) }
  }
  const admin = await enter(ADMIN.email, ADMIN.senha)

  return {
    house,
    database: banco,
    admin,
    pedir,
    login: enter,
    dono: async (nome = 'Dona Ana') => {
      const email = `dona${(userCount += 1)}@loja.test`
      const fresh = { nome, email, senha: PASSWORD, telefone: '', empresa: 'Padaria Aurora' }
      const { status, body } = await admin.request('POST', '/admin/usuarios', fresh)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return enter(email)
    },
    operador: async (dono, { nome = 'Otto', setores = [] } = {}) => {
      const email = `gente${(userCount += 1)}@loja.test`
      const { body } = await dono.request('POST', '/conta/operadores', { nome, email, setores, senha: PASSWORD })
      criarOperadorRoute.response.parse(body)
      return enter(email)
    },
    setNow: (iso) => void (instant = new Date(iso)),
    connect: async ({ token }) => {
      const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnectionDelay: 20 })
      sockets.push(socket)
      const ouvidos = record(socket)
      await connected(socket)
      return { socket, received: ouvidos }
    },
    sql: async (texto, values) => (await banco.owner.query<Record<string, unknown>>(texto, values)).rows,
    close: async () => {
      for (const socket of sockets) socket.disconnect()
      for (const { name, close } of house.parts) if (name !== 'database') await close()
      await banco.drop()
    },
  }
}

/** Connects the bot to the simulador. Menu option 7 hands over to `vendas`. */
export async function startBot({ request }: EquipeUser): Promise<void> {
  const config = Object((await request('GET', '/config')).body['config'])
  const whatsapp = { ...config.whatsapp, conector: 'simulador', clientId: 'loja' }
  const vendas = { numero: '7', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }
  const menu = { ...config.menu, opcoes: [...config.menu.opcoes, vendas] }
  const { status } = await request('PUT', '/config', { ...config, whatsapp, menu })
  if (status !== 200) throw new Error('configuration not saved')
  await request('POST', '/bot/iniciar')
  await waitUntil(async () => (await request('GET', '/bot/status')).body['status'] === 'AGUARDANDO_QR')
  await request('POST', '/simulador/escanear')
}

export async function customerSays({ request }: EquipeUser, phone: string, ...texts: readonly string[]): Promise<void> {
  for (const texto of texts) {
    const { status } = await request('POST', '/simulador/mensagens', { telefone: phone, nome: 'Bia', texto })
    if (status !== 202) throw new Error(`simulador answered ${status}`)
  }
}

export async function newWaitingCustomer(owner: EquipeUser, phone: string, text = 'atendente'): Promise<string> {
  await customerSays(owner, phone, 'oi', text)
  const conversa = (await openConversas(owner)).find(({ cliente }) => cliente.telefone === phone)
  if (conversa === undefined) throw new Error('customer not in the queue')
  return conversa.id
}

export async function openConversas({ request }: EquipeUser) {
  return conversasHumanasRoute.response.parse((await request('GET', '/atendimento/conversas')).body).conversas
}
