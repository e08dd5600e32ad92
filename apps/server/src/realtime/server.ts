import type { Server as HttpServer } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { type ExtendedError, Server, type Socket } from 'socket.io'
import { ERROS, type CodigoErro } from '@balcao/contract/errors'
import { parseEvento } from '@balcao/contract/realtime'
import type { Authenticate, Sessao } from '#http/authentication.ts'
import type { Clock } from '#ports/clock.ts'
import type { Realtime } from '#ports/realtime.ts'
import { createAberturas } from './aberturas.ts'
import { type Conexao, createConexoes, cut, hasSameRooms } from './conexoes.ts'
import { createFila, type Publicado } from './fila.ts'
import { createGuarda } from './guarda.ts'
import { isOrigemPermitida } from './origem.ts'
import { announcePresence } from './presenca.ts'
import { sala, salasDaSessao, salasDoEvento, verStatus, VISOES } from './salas.ts'

export interface RealtimeOptions {
  readonly httpServer: HttpServer
  readonly authenticate: Authenticate
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly origens?: readonly string[]
}

export interface RealtimeServer extends Realtime {
  /** True when the conta has open sockets, so that callers can skip building unused payloads. */
  readonly watched: (contaId: string) => boolean
  readonly sockets: () => number
  readonly close: () => Promise<void>
}

const MENSAGEM_MAXIMO_BYTES = 100_000
const SOCKETS_POR_USUARIO = 20
const APRESENTAR_TOKEN_MS = 10_000

/** Socket.IO on /socket.io. Sockets only receive: the server handles no client events. */
export function createRealtime(opcoes: RealtimeOptions): RealtimeServer {
  const { httpServer, authenticate, log, clock, origens = [] } = opcoes
  const io = new Server(httpServer, {
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: MENSAGEM_MAXIMO_BYTES,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: APRESENTAR_TOKEN_MS,
    allowRequest: (request, callback) => callback(null, isOrigemPermitida(request, origens)),
  })
  const conexoes = createConexoes()
  // Starts at the clock in microseconds, so it also grows across restarts.
  let seq = clock.now().getTime() * 1000

  const emitir = (contaId: string, { evento, dados }: Publicado): void => {
    seq += 1
    // Removes fields that are not in the contract.
    const lido = parseEvento(evento, { ...dados, userId: contaId, seq })
    if (lido === null) return log.error({ evento, contaId }, 'event does not match the contract, dropped')
    guarda.watch()
    if (lido.evento !== 'botStatus') return void io.to(salasDoEvento(contaId, lido.evento)).emit(evento, lido.dados)
    for (const visao of VISOES) {
      const nome = sala.visao(contaId, visao)
      if (io.sockets.adapter.rooms.has(nome)) io.to(nome).emit(evento, verStatus(lido.dados, visao))
    }
  }
  const fila = createFila(emitir)
  const watched = (contaId: string): boolean => io.sockets.adapter.rooms.has(sala.conta(contaId))
  const publish = (contaId: string, evento: Publicado): void => {
    if (watched(contaId) && !fila.take(contaId, evento)) emitir(contaId, evento)
  }
  const aberturas = createAberturas()
  const presenca = announcePresence({ conexoes, publish })
  const guarda = createGuarda({ conexoes, authenticate, hasSameRooms, cut, log })

  const identificados = new WeakMap<Socket, { readonly token: string; readonly sessao: Sessao }>()
  const admit = async (socket: Socket): Promise<ExtendedError | undefined> => {
    try {
      const quem = await identify(socket, authenticate)
      if (quem === null) return recusa('semSessao')
      const { contaId, usuarioId } = quem.sessao
      if (conexoes.countOfUsuario(contaId, usuarioId) >= SOCKETS_POR_USUARIO) return recusa('muitasTentativas')
      identificados.set(socket, quem)
      return undefined
    } catch (error) {
      log.error({ err: error }, 'socket authentication failed')
      return recusa('bancoIndisponivel')
    }
  }
  io.use((socket, seguir) => {
    void admit(socket).then((recusada) => seguir(recusada))
  })

  io.on('connection', (socket) => {
    const quem = identificados.get(socket)
    if (quem === undefined) return void socket.disconnect(true)
    const conexao: Conexao = { socket, ...quem }
    const { contaId, usuarioId } = quem.sessao
    // Checked again, because other sockets of this usuario may have connected since the middleware ran.
    if (conexoes.countOfUsuario(contaId, usuarioId) >= SOCKETS_POR_USUARIO) return void socket.disconnect(true)
    void socket.join(salasDaSessao(quem.sessao))
    conexoes.add(conexao)
    presenca.entered(conexao)
    socket.on('disconnect', () => {
      conexoes.remove(conexao)
      presenca.left(conexao)
    })
    // A session revoked while joining was not in a room yet, so it was not closed.
    void guarda.recheck(conexao)
  })

  return {
    watched,
    sockets: conexoes.size,
    publish: (contaId, evento, payload) => {
      const contar = (): void => publish(contaId, { evento, dados: payload })
      if ('conversaId' in payload) aberturas.depois(payload.conversaId, contar)
      else contar()
    },
    abrir: aberturas.abrir,
    disconnect: (quem) => {
      for (const conexao of conexoes.all()) if (matches(conexao.sessao, quem)) cut(conexao)
    },
    close: () => {
      guarda.close()
      fila.close()
      io.engine.close()
      return Promise.resolve()
    },
  }
}

function matches(sessao: Sessao, quem: Parameters<Realtime['disconnect']>[0]): boolean {
  if ('tokenHash' in quem) return sessao.tokenHash === quem.tokenHash
  if ('contaId' in quem) return sessao.contaId === quem.contaId
  return sessao.usuarioId === quem.usuarioId && sessao.tokenHash !== quem.exceto
}

async function identify(socket: Socket, authenticate: Authenticate): Promise<{ token: string; sessao: Sessao } | null> {
  const auth: Record<string, unknown> = socket.handshake.auth
  const token = auth['token']
  if (typeof token !== 'string' || !/^[\w-]{20,128}$/.test(token)) return null
  const sessao = await authenticate(token)
  return sessao === null ? null : { token, sessao }
}

/** `connect_error` for the client: the text, and the code in `data`. */
function recusa(codigo: CodigoErro): ExtendedError {
  const error: ExtendedError = new Error(ERROS[codigo].erro)
  error.data = { codigo, erro: ERROS[codigo].erro }
  return error
}
