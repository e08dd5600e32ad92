import type { Server as HttpServer } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type ExtendedError, Server, type Socket } from 'socket.io'
import { ERROS, type ErrorCode } from '@balcao/contract/errors'
import { parseServerEvent } from '@balcao/contract/realtime'
import type { Authenticate, LoginSession } from '#http/authentication.ts'
import type { Clock } from '#ports/clock.ts'
import type { Realtime } from '#ports/realtime.ts'
import { createOpeningOrder } from './opening-order.ts'
import { type SocketConnection, createSocketConnections, cut, hasSameRooms } from './connections.ts'
import { createEventThrottle, type PublishedEvent } from './event-throttle.ts'
import { createSlowReaderGuard } from './slow-reader-guard.ts'
import { isAllowedOrigin } from './origin.ts'
import { announcePresence } from './presence.ts'
import { room, roomsOfSession, roomsOfEvent, visibleStatus, STATUS_VIEWS } from './rooms.ts'

export interface RealtimeOptions {
  readonly httpServer: HttpServer
  readonly authenticate: Authenticate
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly origins?: readonly string[]
}

export interface RealtimeServer extends Realtime {
  /** True when the conta has open sockets, so that callers can skip building unused payloads. */
  readonly watched: (contaId: string) => boolean
  readonly sockets: () => number
  readonly close: () => Promise<void>
}

const MESSAGE_MAX_BYTES = 100_000
const SOCKETS_PER_USUARIO = 20
const SHOW_TOKEN_MS = 10_000

/** Socket.IO on /socket.io. Sockets only receive: the server handles no client events. */
export function createRealtime(options: RealtimeOptions): RealtimeServer {
  const { httpServer, authenticate, log, clock, origins = [] } = options
  const io = new Server(httpServer, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: SHOW_TOKEN_MS,
    allowRequest: (request, callback) => callback(null, isAllowedOrigin(request, origins)),
  })
  const conexoes = createSocketConnections()
  // Starts at the clock in microseconds, so it also grows across restarts.
  let seq = clock.now().getTime() * 1000

  const emitir = (contaId: string, { name, payload: dados }: PublishedEvent): void => {
    seq += 1
    // Removes fields that are not in the contract.
    const parsed = parseServerEvent(name, { ...dados, userId: contaId, seq })
    if (parsed === null) return log.error({ evento: name, contaId }, 'event does not match the contract, dropped')
    guard.watch()
    if (parsed.evento !== 'botStatus') return void io.to(roomsOfEvent(contaId, parsed.evento)).emit(name, parsed.dados)
    for (const visao of STATUS_VIEWS) {
      const nome = room.visao(contaId, visao)
      if (io.sockets.adapter.rooms.has(nome)) io.to(nome).emit(name, visibleStatus(parsed.dados, visao))
    }
  }
  const queue = createEventThrottle(emitir)
  const watched = (contaId: string): boolean => io.sockets.adapter.rooms.has(room.conta(contaId))
  const publish = (contaId: string, event: PublishedEvent): void => {
    if (watched(contaId) && !queue.take(contaId, event)) emitir(contaId, event)
  }
  const aberturas = createOpeningOrder()
  const presenca = announcePresence({ connections: conexoes, publish })
  const guard = createSlowReaderGuard({ connections: conexoes, authenticate, hasSameRooms, cut, log })

  const identificados = new WeakMap<Socket, { readonly token: string; readonly session: LoginSession }>()
  const admit = async (socket: Socket): Promise<ExtendedError | undefined> => {
    try {
      const quem = await identify(socket, authenticate)
      if (quem === null) return connectError('semSessao')
      const { contaId, usuarioId } = quem.session
      if (conexoes.countOfUsuario(contaId, usuarioId) >= SOCKETS_PER_USUARIO) return connectError('muitasTentativas')
      identificados.set(socket, quem)
      return undefined
    } catch (error) {
      log.error({ err: error }, 'socket authentication failed')
      return connectError('bancoIndisponivel')
    }
  }
  io.use((socket, seguir) => {
    void admit(socket).then((refused) => seguir(refused))
  })

  io.on('connection', (socket) => {
    const quem = identificados.get(socket)
    if (quem === undefined) return void socket.disconnect(true)
    const connection: SocketConnection = { socket, ...quem }
    const { contaId, usuarioId } = quem.session
    // Checked again, because other sockets of this usuario may have connected since the middleware ran.
    if (conexoes.countOfUsuario(contaId, usuarioId) >= SOCKETS_PER_USUARIO) return void socket.disconnect(true)
    void socket.join(roomsOfSession(quem.session))
    conexoes.add(connection)
    presenca.entered(connection)
    socket.on('disconnect', () => {
      conexoes.remove(connection)
      presenca.left(connection)
    })
    // A session revoked while joining was not in a room yet, so it was not closed.
    void guard.recheck(connection)
  })

  return {
    watched,
    sockets: conexoes.size,
    publish: (contaId, event, payload) => {
      const count = (): void => publish(contaId, { name: event, payload: payload })
      if ('conversaId' in payload) aberturas.after(payload.conversaId, count)
      else count()
    },
    openConversa: aberturas.open,
    disconnect: (quem) => {
      for (const connection of conexoes.all()) if (matches(connection.session, quem)) cut(connection)
    },
    close: () => {
      guard.close()
      queue.close()
      io.engine.close()
      return Promise.resolve()
    },
  }
}

function matches(sessao: LoginSession, quem: Parameters<Realtime['disconnect']>[0]): boolean {
  if ('tokenHash' in quem) return sessao.tokenHash === quem.tokenHash
  if ('contaId' in quem) return sessao.contaId === quem.contaId
  return sessao.usuarioId === quem.usuarioId && sessao.tokenHash !== quem.exceto
}

async function identify(
  socket: Socket,
  authenticate: Authenticate,
): Promise<{ token: string; session: LoginSession } | null> {
  const auth: Record<string, unknown> = socket.handshake.auth
  const token = auth['token']
  if (typeof token !== 'string' || !/^[\w-]{20,128}$/.test(token)) return null
  const sessao = await authenticate(token)
  return sessao === null ? null : { token, session: sessao }
}

/** `connect_error` for the client: the text, and the code in `data`. */
function connectError(codigo: ErrorCode): ExtendedError {
  const error: ExtendedError = new Error(ERROS[codigo].erro)
  error.data = { codigo, erro: ERROS[codigo].erro }
  return error
}
