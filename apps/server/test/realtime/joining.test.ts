import { createServer } from 'node:http'
import { once as happens } from 'node:events'
import { pino } from 'pino'
import { io, type Socket } from 'socket.io-client'
import { expect, it } from 'vitest'
import type { LoginSession } from '#http/authentication.ts'
import { createMemoryBus } from '#adapters/bus.ts'
import { createRealtime } from '#realtime/server.ts'
import { once, eventually, record } from './listen.ts'

const CONTA = '0197f000-0000-7000-8000-000000000001'

function sessao(atendimentoHumano: boolean): LoginSession {
  return {
    tokenHash: 'hash',
    usuarioId: '0197f000-0000-7000-8000-000000000002',
    contaId: CONTA,
    nome: 'Rui',
    email: 'rui@loja.test',
    tipo: 'usuario',
    plano: 'gratuito',
    empresa: 'Loja',
    setores: [],
    linhas: [],
    segundoFator: { totp: false, passkey: false, exigido: false },
    confirmadaEm: null,
    componentes: {
      ...{ configuracaoGeral: true, mensagensMenus: true, iaChatbot: true, logsStatus: true, lojaWhatsapp: true },
      atendimentoHumano,
    },
  }
}

/** Connects a socket. `answers` are the results of its logins, in order; the last one repeats. */
async function joinWith(
  answers: readonly (LoginSession | null)[],
  check: (socket: Socket, received: ReturnType<typeof record>) => Promise<void>,
): Promise<void> {
  const httpServer = createServer().listen(0, '127.0.0.1')
  await happens(httpServer, 'listening')
  const address = httpServer.address()
  const port = typeof address === 'object' ? address?.port : undefined
  let logins = 0
  const realtime = createRealtime({
    httpServer,
    authenticate: () => Promise.resolve(answers[Math.min(logins++, answers.length - 1)] ?? null),
    addressKey: () => '',
    forgetSessions: () => undefined,
    ...{ bus: createMemoryBus(), fleet: { self: 'a', others: () => [], onLeft: () => () => undefined } },
    clock: { now: () => new Date() },
    signFile: (_, url) => url,
    log: pino({ level: 'silent' }),
  })
  const socket = io(`http://127.0.0.1:${port}`, {
    auth: { token: 'x'.repeat(43) },
    transports: ['websocket'],
    reconnectionDelay: 20,
  })
  try {
    await check(socket, record(socket))
  } finally {
    socket.disconnect()
    await realtime.close()
    httpServer.close()
  }
}

it('adds a component granted while the socket was joining', async () => {
  // First answer from before the permission was saved. The existing sockets were disconnected by then.
  await joinWith([sessao(false), sessao(true)], async (socket, received) => {
    await once(socket, 'disconnect')
    await eventually(() =>
      expect(received).toMatchObject([['operadorStatusChange', { operador: 'Rui', status: 'online' }]]),
    )
  })
})

it('closes a socket whose login session ended while it was joining', async () => {
  await joinWith([sessao(true), null], async (socket) => {
    await once(socket, 'disconnect')
    const { promise: error, resolve } = Promise.withResolvers<Error & { data?: unknown }>()
    socket.once('connect_error', resolve)
    expect((await error).data).toMatchObject({ codigo: 'semSessao' })
  })
})
