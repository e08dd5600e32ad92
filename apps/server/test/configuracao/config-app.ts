import { pino } from 'pino'
import { io, type Socket } from 'socket.io-client'
import * as z from 'zod/mini'
import { COMPONENTES, type Componente } from '@balcao/contract/constants'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { configRoute } from '@balcao/contract/routes/config'
import { createDiskFiles } from '#adapters/disk/files.ts'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { docsRoute } from '#http/ops/docs.ts'
import { type BoundRoute, mount } from '#http/handle.ts'
import { healthRoutes } from '#http/ops/health.ts'
import { createHttp } from '#http/server.ts'
import { createIds } from '#ids.ts'
import { atendimentoRoutes } from '#modules/atendimento/index.ts'
import { configuracaoRoutes, insertDefaultConfig } from '#modules/configuracao/index.ts'
import { registrosRoutes } from '#modules/registros/index.ts'
import { logsRoutes } from '#modules/logs/index.ts'
import { sistemaRoutes } from '#modules/sistema/index.ts'
import { createRealtime, type RealtimeServer } from '#realtime/server.ts'
import { createVault } from '#security/vault.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

export interface TestResponse {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly text: string
  readonly headers: Headers
}

export interface TestPerson {
  readonly token: string
  readonly contaId: string
  readonly usuarioId: string
}

export interface ConfigApp {
  readonly deps: Omit<Deps, 'simulador'>
  readonly database: TestDatabase
  readonly url: string
  readonly realtime: RealtimeServer
  /** Contas whose bot was notified of a changed context, in order. */
  readonly notifiedContas: string[]
  /** Text of every response, to search for secrets. */
  readonly responseTexts: string[]
  readonly setNow: (instant: Date) => void
  readonly createPerson: (
    data?: Partial<Pick<LoginSession, 'tipo' | 'nome' | 'contaId'>> & { sem?: Componente[] },
  ) => Promise<TestPerson>
  readonly changeLoginSession: (token: string, change: Partial<LoginSession> | null) => void
  readonly request: (
    metodo: string,
    path: string,
    opcoes?: { token?: string; body?: unknown; cru?: string },
  ) => Promise<TestResponse>
  readonly getConfig: (pessoa: TestPerson) => Promise<VersionedConfig>
  readonly connect: (token: string | undefined, opcoes?: { origin?: string }) => Socket
  readonly close: () => Promise<void>
}

const bodySchema = z.record(z.string(), z.unknown())

/** Runs these modules with a real database, HTTP port and sockets. Tests set the login sessions directly. */
export async function createConfigApp(): Promise<ConfigApp> {
  const database = await createTestDatabase()
  const sessions = new Map<string, LoginSession>()
  const avisados: string[] = []
  const tudoQueSaiu: string[] = []
  const sockets: Socket[] = []
  let instant = new Date('2026-03-10T15:00:00.000Z')
  const clock = { now: () => new Date(instant) }
  const ids = createIds(clock)
  const log = pino({ level: 'silent' })
  const authenticate = async (token: string): Promise<LoginSession | null> => sessions.get(token) ?? null
  const http = await createHttp({ log, trustProxy: false })
  const realtime = createRealtime({
    httpServer: http.server,
    authenticate,
    clock,
    log,
    origins: ['https://balcao.exemplo'],
  })
  const notHere = (): Promise<never> => Promise.reject(new Error('bot runtime not available in this test'))
  const deps: Omit<Deps, 'simulador'> = {
    db: database.db,
    clock,
    ids,
    log,
    vault: createVault('segredo de teste'),
    mailer: { configured: false, send: notHere },
    files: createDiskFiles({ dir: '/nonexistent' }),
    realtime,
    bots: {
      start: notHere,
      stop: notHere,
      clearSession: notHere,
      pairingCode: notHere,
      status: notHere,
      contextChanged: (contaId) => void avisados.push(contaId),
      leasesAlive: () => true,
      outboxAdded: () => undefined,
      typing: () => undefined,
      forgetContato: () => undefined,
    },
    ai: {
      answer: () => Promise.resolve({ tipo: 'falha', motivo: 'nenhuma' }),
      checkKey: () => Promise.resolve('nenhuma'),
      listModels: () => Promise.resolve(null),
    },
    oficial: { parseWebhook: () => [], listModelos: () => Promise.resolve([]), wake: () => undefined },
    applyEventIn: notHere,
    authenticate,
    forgetSessions: () => undefined,
    settings: {
      urlPublica: 'https://balcao.exemplo',
      conectorPadrao: 'simulador',
      dataDir: '/tmp',
      metricsToken: 'token-do-monitor',
    },
  }
  const routes: BoundRoute[] = [
    ...configuracaoRoutes(deps),
    ...atendimentoRoutes(deps),
    ...registrosRoutes(deps),
    ...logsRoutes(deps),
    ...sistemaRoutes(deps),
  ]
  for (const route of routes) mount(http, authenticate, route)
  healthRoutes(http, deps)
  docsRoute(http)
  const url = await http.listen({ host: '127.0.0.1', port: 0 })

  const request: ConfigApp['request'] = async (metodo, path, { token, body, cru } = {}) => {
    const sent = cru ?? (body === undefined ? undefined : JSON.stringify(body))
    const reply = await fetch(`${url}${path.startsWith('/metrics') ? '' : '/api'}${path}`, {
      method: metodo,
      headers: {
        // A kept-alive connection may be closed by the server while the next request is being sent.
        connection: 'close',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await reply.text()
    tudoQueSaiu.push(text)
    const json = reply.headers.get('content-type')?.includes('json') === true
    return {
      status: reply.status,
      text,
      headers: reply.headers,
      body: json ? bodySchema.parse(JSON.parse(text)) : {},
    }
  }

  const createPessoa: ConfigApp['createPerson'] = async ({
    tipo = 'usuario',
    nome = 'Ana',
    contaId,
    sem = [],
  } = {}) => {
    const conta = contaId ?? ids.uuid()
    const usuarioId = ids.uuid()
    const componentes = {
      configuracaoGeral: true,
      mensagensMenus: true,
      iaChatbot: true,
      logsStatus: true,
      atendimentoHumano: true,
      lojaWhatsapp: true,
    }
    for (const componente of COMPONENTES) componentes[componente] = !sem.includes(componente)
    await database.db.transaction(conta, async (tx) => {
      if (contaId === undefined) {
        await tx.query(
          `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos) values ($1, 'Loja', 1000, '{}')`,
          [conta],
        )
        await insertDefaultConfig(tx, deps, conta, { id: usuarioId, nome })
      }
      await tx.query(
        `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
         values ($1, $2, $3, $4, $5, 'ativo', 'nenhuma')`,
        [usuarioId, conta, nome, `${usuarioId}@exemplo.com`, tipo],
      )
    })
    const token = ids.token()
    const session = {
      tokenHash: `hash-${token}`,
      usuarioId,
      contaId: conta,
      nome,
      email: '',
      tipo,
      empresa: 'Loja',
      componentes,
    }
    sessions.set(token, { ...session, plano: 'gratuito' })
    return { token, contaId: conta, usuarioId }
  }

  return {
    deps,
    database,
    url,
    realtime,
    notifiedContas: avisados,
    responseTexts: tudoQueSaiu,
    setNow: (fresh) => {
      instant = fresh
    },
    createPerson: createPessoa,
    changeLoginSession: (token, change) => {
      const current = sessions.get(token)
      if (change === null || current === undefined) sessions.delete(token)
      else sessions.set(token, { ...current, ...change })
    },
    request,
    getConfig: async ({ token }) => {
      const { body } = await request('GET', '/config', { token })
      return configRoute.response.parse(body).config
    },
    connect: (token, { origin } = {}) => {
      const socket = io(url, {
        auth: token === undefined ? {} : { token },
        transports: ['websocket'],
        forceNew: true,
        reconnectionDelay: 20,
        reconnectionDelayMax: 50,
        ...(origin === undefined ? {} : { extraHeaders: { origin } }),
      })
      sockets.push(socket)
      return socket
    },
    close: async () => {
      for (const socket of sockets) socket.disconnect()
      await realtime.close()
      await http.close()
      await database.drop()
    },
  }
}
