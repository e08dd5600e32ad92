import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type ExtendedError, Server, type Socket } from 'socket.io'
import { ERROS, type ErrorCode } from '@balcao/contract/errors'
import { AppError } from '#errors.ts'
import { type Authenticate, hasComponente, type LoginSession } from '#http/authentication.ts'
import type { Bus, Fleet } from '#ports/bus.ts'
import type { Clock } from '#ports/clock.ts'
import type { FileLinks } from '#ports/file-links.ts'
import type { Realtime, RevokedSessions } from '#ports/realtime.ts'
import {
  createRefetch,
  createSocketConnections,
  cut,
  hasSameRooms,
  type SocketConnection,
  type SocketConnections,
} from './connections.ts'
import { countNewcomers, limitPackets } from './engine-limits.ts'
import type { PublishedEvent } from './event-throttle.ts'
import { createPublishing, type Publishing } from './publishing.ts'
import { createRevocations } from './revocations.ts'
import { roomsOfSession } from './rooms.ts'
import { createSlowReaderGuard, type SlowReaderGuard } from './slow-reader-guard.ts'
import { type PresentUsuario, Windows } from './windows.ts'

export interface RealtimeOptions {
  readonly httpServer: HttpServer
  readonly authenticate: Authenticate
  /** Authenticates a handshake, and may refuse it with an `AppError`. Default: `authenticate`. */
  readonly admit?: (token: string, request: IncomingMessage) => Promise<LoginSession | null>
  readonly addressKey: (request: IncomingMessage) => string
  readonly bus: Bus
  readonly fleet: Fleet
  readonly forgetSessions: () => void
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Stores who has a window on this node. Default: not stored. */
  readonly peopleHere?: (contaId: string, people: readonly string[]) => void
  readonly signFile: FileLinks['sign']
  readonly origins?: readonly string[]
}

export interface RealtimeServer extends Realtime, Pick<Publishing, 'onNumbersChange'> {
  readonly forgetEverywhere: () => Promise<void>
  /** Asks the other nodes for their windows. Call it after this node joined them. */
  readonly joined: () => void
  readonly sockets: () => number
  readonly close: () => Promise<void>
}

/** Browsers send only their token. */
const MESSAGE_MAX_BYTES = 4_000
const SOCKETS_PER_USUARIO = 20
/** Six windows of each person of a full team. */
const SOCKETS_PER_CONTA = 300
const SHOW_TOKEN_MS = 10_000

/** Socket.IO on /socket.io. Sockets only receive: the server handles no client events. */
export function createRealtime(options: RealtimeOptions): RealtimeServer {
  const { httpServer, authenticate, admit = authenticate, log, bus, fleet, forgetSessions, origins = [] } = options
  const io = new Server(httpServer, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: SHOW_TOKEN_MS,
    allowRequest: (request, callback) =>
      callback(null, isAllowedOrigin(request, origins) && newcomers.hasRoom(request)),
  })
  limitPackets(io.engine)
  const newcomers = countNewcomers(io.engine, options.addressKey)
  const connections = createSocketConnections()
  const guard = createSlowReaderGuard({ engine: io.engine, connections, authenticate, hasSameRooms, cut, log })
  const windows = new Windows({
    ...{ connections, bus, fleet },
    peopleHere: options.peopleHere ?? (() => undefined),
    presenceChanged: (contaId, usuario, status) =>
      publishing.sendHere(contaId, presenceEvent(contaId, usuario, status)),
  })
  const publishing = createPublishing({ ...options, io, windows, beforeSend: guard.watch })
  const revocations = createRevocations({
    ...{ bus, fleet, forgetSessions },
    closeSockets: (target) => {
      for (const connection of connections.all()) if (matches(connection.session, target)) cut(connection)
    },
  })
  const endGaps = bus.onGap(createRefetch(connections))
  const identities = admitSockets(io, { admit, connections, log })
  acceptSockets(io, { identities, connections, newcomers, windows, guard })

  return {
    ...publishing,
    peopleHere: (contaId) => {
      const serving = [...connections.ofConta(contaId)].filter(({ session }) =>
        hasComponente(session, 'atendimentoHumano'),
      )
      return [...new Map(serving.map(({ session }) => [session.usuarioId, session])).values()]
    },
    sockets: connections.size,
    unread: guard.unread,
    disconnect: revocations.revoke,
    forgetEverywhere: () => revocations.revoke(null),
    joined: () => windows.refresh(),
    close: () => {
      endGaps()
      guard.close()
      windows.close()
      revocations.close()
      publishing.close()
      io.engine.close()
      return Promise.resolve()
    },
  }
}

interface AcceptingParts {
  readonly identities: WeakMap<Socket, Identity>
  readonly connections: SocketConnections
  readonly newcomers: ReturnType<typeof countNewcomers>
  readonly windows: Windows
  readonly guard: SlowReaderGuard
}

function acceptSockets(io: Server, { identities, connections, newcomers, windows, guard }: AcceptingParts): void {
  io.on('connection', (socket) => {
    const identity = identities.get(socket)
    // Checked again, because other sockets of this usuario may have connected since the middleware ran.
    if (identity === undefined || isFull(connections, identity.session)) return void socket.disconnect(true)
    const connection = { socket, ...identity }
    const { contaId } = identity.session
    void socket.join(roomsOfSession(identity.session))
    sendPresent(connection, windows.present(contaId))
    connections.add(connection)
    newcomers.admitted(socket.conn)
    windows.changed(contaId)
    socket.on('disconnect', () => {
      connections.remove(connection)
      windows.changed(contaId)
      // The client may have ended only its session of Socket.IO. Nothing counts a connection without one.
      socket.conn.close()
    })
    // A session revoked while joining was not in a room yet, so it was not closed.
    void guard.recheck(connection)
  })
}

/** Refuses pages of other sites. Clients other than browsers send no Origin and are checked by their token. */
function isAllowedOrigin(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.host === host || allowed.includes(url.origin)
}

interface Identity {
  readonly token: string
  readonly session: LoginSession
}

type AdmissionDeps = Required<Pick<RealtimeOptions, 'admit' | 'log'>> & { readonly connections: SocketConnections }

/** Authenticates each socket before it connects. Returns the identities of the admitted sockets. */
function admitSockets(io: Server, { admit, connections, log }: AdmissionDeps): WeakMap<Socket, Identity> {
  const identities = new WeakMap<Socket, Identity>()
  const refusalOf = async (socket: Socket): Promise<ExtendedError | undefined> => {
    try {
      const identity = await identify(socket, admit)
      if (identity === null) return connectError('semSessao')
      if (isFull(connections, identity.session)) return connectError('muitasTentativas')
      identities.set(socket, identity)
      return undefined
    } catch (error) {
      if (error instanceof AppError) return connectError(error.codigo)
      log.error({ err: error }, 'socket authentication failed')
      return connectError('bancoIndisponivel')
    }
  }
  io.use((socket, proceed) => {
    void refusalOf(socket).then(proceed)
  })
  return identities
}

function isFull(connections: SocketConnections, { contaId, usuarioId }: LoginSession): boolean {
  if (connections.countOfConta(contaId) >= SOCKETS_PER_CONTA) return true
  return connections.countOfUsuario(contaId, usuarioId) >= SOCKETS_PER_USUARIO
}

function presenceEvent(
  contaId: string,
  { usuarioId, nome }: PresentUsuario,
  status: 'online' | 'offline',
): PublishedEvent {
  return { name: 'operadorStatusChange', payload: { userId: contaId, operadorId: usuarioId, operador: nome, status } }
}

function sendPresent({ socket, session }: SocketConnection, present: readonly PresentUsuario[]): void {
  if (!hasComponente(session, 'atendimentoHumano')) return
  for (const usuario of present) {
    if (usuario.usuarioId === session.usuarioId) continue
    const { name, payload } = presenceEvent(session.contaId, usuario, 'online')
    socket.emit(name, payload)
  }
}

function matches(session: LoginSession, target: RevokedSessions): boolean {
  if ('tokenHash' in target) return session.tokenHash === target.tokenHash
  if ('contaId' in target) return session.contaId === target.contaId
  return session.usuarioId === target.usuarioId && session.tokenHash !== target.exceto
}

async function identify(socket: Socket, admit: AdmissionDeps['admit']): Promise<Identity | null> {
  const auth: Record<string, unknown> = socket.handshake.auth
  const token = auth['token']
  if (typeof token !== 'string' || !/^[\w-]{20,128}$/.test(token)) return null
  const session = await admit(token, socket.request)
  return session === null ? null : { token, session }
}

/** `connect_error` for the client: the text, and the code in `data`. */
function connectError(code: ErrorCode): ExtendedError {
  const error: ExtendedError = new Error(ERROS[code].erro)
  error.data = { codigo: code, erro: ERROS[code].erro }
  return error
}
