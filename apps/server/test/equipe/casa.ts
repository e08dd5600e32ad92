import { pino } from 'pino'
import { io, type Socket } from 'socket.io-client'
import * as z from 'zod/mini'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { loginRoute } from '@balcao/contract/routes/auth'
import { criarOperadorRoute } from '@balcao/contract/routes/operadores'
import { createHouse, type House } from '#house.ts'
import { createIds } from '#ids.ts'
import { ensureFirstAdmin } from '#modules/auth/index.ts'
import { createCofre } from '#security/cofre.ts'
import { ate } from '#test/bot/house.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { connected, record } from '#test/realtime/listen.ts'

export interface Resposta {
  readonly status: number
  readonly body: Record<string, unknown>
}

export type Pedir = (metodo: string, caminho: string, body?: unknown) => Promise<Resposta>

export interface Pessoa {
  readonly token: string
  readonly usuario: Usuario
  readonly pedir: Pedir
}

export interface Janela {
  readonly socket: Socket
  readonly ouvidos: ReturnType<typeof record>
}

/** Server with usuarios of several contas, a movable clock and real sockets. */
export interface Equipe {
  readonly house: House
  readonly banco: TestDatabase
  readonly admin: Pessoa
  readonly pedir: (metodo: string, caminho: string, opcoes?: { body?: unknown; token?: string }) => Promise<Resposta>
  readonly entrar: (email: string, senha?: string) => Promise<Pessoa>
  readonly dono: (nome?: string) => Promise<Pessoa>
  readonly operador: (dono: Pessoa, dados?: { nome?: string; setores?: string[] }) => Promise<Pessoa>
  readonly agora: (iso: string) => void
  /** Connects a socket and collects its events from the first one on. */
  readonly conectar: (pessoa: Pessoa) => Promise<Janela>
  readonly sql: (texto: string, valores?: unknown[]) => Promise<Record<string, unknown>[]>
  readonly close: () => Promise<void>
}

export const SENHA = 'pao-quente-da-casa'
const ADMIN = { email: 'chefe@balcao.test', senha: 'chave-do-chefe' }
const corpo = z.record(z.string(), z.unknown())
let pessoas = 0

export async function createEquipe(): Promise<Equipe> {
  const banco = await createTestDatabase()
  let instante = new Date('2026-03-10T15:00:00.000Z')
  const clock = { now: () => new Date(instante) }
  const house = await createHouse({
    db: banco.db,
    clock,
    ids: createIds(clock),
    log: pino({ level: 'silent' }),
    cofre: createCofre('segredo de teste'),
    mailer: { configurado: false, send: () => Promise.reject(new Error('no mail server')) },
    settings: { urlPublica: 'https://painel.test', conectorPadrao: 'simulador', dataDir: '/tmp', metricsToken: null },
    trustProxy: false,
    tempos: { esperasMs: [20, 40, 60, 80] },
  })
  await ensureFirstAdmin(house.deps, ADMIN)
  const url = await house.http.listen({ host: '127.0.0.1', port: 0 })
  await house.start()
  const sockets: Socket[] = []

  const pedir: Equipe['pedir'] = async (metodo, caminho, { body, token } = {}) => {
    const resposta = await fetch(`${url}/api${caminho}`, {
      method: metodo,
      headers: {
        // Without keep-alive: the server could close an idle connection just as the next request uses it.
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const texto = await resposta.text()
    return { status: resposta.status, body: texto === '' ? {} : corpo.parse(JSON.parse(texto)) }
  }
  const entrar: Equipe['entrar'] = async (email, senha = SENHA) => {
    const resposta = await pedir('POST', '/auth/login', { body: { email, senha, lembrar: true } })
    if (resposta.status !== 200) throw new Error(`login of ${email} failed: ${JSON.stringify(resposta)}`)
    const { token, usuario } = loginRoute.response.parse(resposta.body)
    return { token, usuario, pedir: (metodo, caminho, body) => pedir(metodo, caminho, { body, token }) }
  }
  const admin = await entrar(ADMIN.email, ADMIN.senha)

  return {
    house,
    banco,
    admin,
    pedir,
    entrar,
    dono: async (nome = 'Dona Ana') => {
      const email = `dona${(pessoas += 1)}@loja.test`
      const nova = { nome, email, senha: SENHA, telefone: '', empresa: 'Padaria Aurora' }
      const { status, body } = await admin.pedir('POST', '/admin/usuarios', nova)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return entrar(email)
    },
    operador: async (dono, { nome = 'Otto', setores = [] } = {}) => {
      const email = `gente${(pessoas += 1)}@loja.test`
      const { body } = await dono.pedir('POST', '/conta/operadores', { nome, email, setores, senha: SENHA })
      criarOperadorRoute.response.parse(body)
      return entrar(email)
    },
    agora: (iso) => void (instante = new Date(iso)),
    conectar: async ({ token }) => {
      const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnectionDelay: 20 })
      sockets.push(socket)
      const ouvidos = record(socket)
      await connected(socket)
      return { socket, ouvidos }
    },
    sql: async (texto, valores) => (await banco.owner.query<Record<string, unknown>>(texto, valores)).rows,
    close: async () => {
      for (const socket of sockets) socket.disconnect()
      for (const { nome, close } of house.partes) if (nome !== 'database') await close()
      await banco.drop()
    },
  }
}

/** Connects the bot to the simulador. Menu option 7 hands over to `vendas`. */
export async function ligarBot({ pedir }: Pessoa): Promise<void> {
  const config = Object((await pedir('GET', '/config')).body['config'])
  const whatsapp = { ...config.whatsapp, conector: 'simulador', clientId: 'loja' }
  const vendas = { numero: '7', titulo: 'Vendas', tipo: 'humano', resposta: '', setor: 'vendas' }
  const menu = { ...config.menu, opcoes: [...config.menu.opcoes, vendas] }
  const { status } = await pedir('PUT', '/config', { ...config, whatsapp, menu })
  if (status !== 200) throw new Error('configuration not saved')
  await pedir('POST', '/bot/iniciar')
  await ate(async () => (await pedir('GET', '/bot/status')).body['status'] === 'AGUARDANDO_QR')
  await pedir('POST', '/simulador/escanear')
}

export async function dizer({ pedir }: Pessoa, telefone: string, ...textos: readonly string[]): Promise<void> {
  for (const texto of textos) {
    const { status } = await pedir('POST', '/simulador/mensagens', { telefone, nome: 'Bia', texto })
    if (status !== 202) throw new Error(`simulador answered ${status}`)
  }
}

export async function chegar(dono: Pessoa, telefone: string, pedido = 'atendente'): Promise<string> {
  await dizer(dono, telefone, 'oi', pedido)
  const conversa = (await abertas(dono)).find(({ cliente }) => cliente.telefone === telefone)
  if (conversa === undefined) throw new Error('customer not in the queue')
  return conversa.id
}

export async function abertas({ pedir }: Pessoa) {
  return conversasHumanasRoute.response.parse((await pedir('GET', '/atendimento/conversas')).body).conversas
}
