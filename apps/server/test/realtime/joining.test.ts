import { createServer } from 'node:http'
import { once as happens } from 'node:events'
import { pino } from 'pino'
import { io } from 'socket.io-client'
import { expect, it } from 'vitest'
import type { LoginSession } from '#http/authentication.ts'
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
    componentes: {
      ...{ configuracaoGeral: true, mensagensMenus: true, iaChatbot: true, logsStatus: true, lojaWhatsapp: true },
      atendimentoHumano,
    },
  }
}

it('adds a component granted while the socket was joining', async () => {
  const httpServer = createServer().listen(0, '127.0.0.1')
  await happens(httpServer, 'listening')
  const endereco = httpServer.address()
  const porta = typeof endereco === 'object' ? endereco?.port : undefined
  // First answer from before the permission was saved. The existing sockets were disconnected by then.
  const parsed = [sessao(false)]
  const realtime = createRealtime({
    httpServer,
    authenticate: () => Promise.resolve(parsed.shift() ?? sessao(true)),
    addressKey: () => '',
    clock: { now: () => new Date() },
    signFile: (_, url) => url,
    log: pino({ level: 'silent' }),
  })
  const socket = io(`http://127.0.0.1:${porta}`, {
    auth: { token: 'x'.repeat(43) },
    transports: ['websocket'],
    reconnectionDelay: 20,
  })
  const ouvidos = record(socket)
  try {
    await once(socket, 'disconnect')
    await eventually(() =>
      expect(ouvidos).toMatchObject([['operadorStatusChange', { operador: 'Rui', status: 'online' }]]),
    )
  } finally {
    socket.disconnect()
    await realtime.close()
    httpServer.close()
  }
})
