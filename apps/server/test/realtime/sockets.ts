import { io, type Socket } from 'socket.io-client'
import { connected, record } from './listen.ts'

export interface TestSocket {
  readonly socket: Socket
  readonly received: ReturnType<typeof record>
}

/** Browser windows of one server. */
export function createSockets(url: string) {
  const opened: Socket[] = []
  const open = (token: string | undefined, { origin }: { origin?: string } = {}): Socket => {
    const socket = io(url, {
      auth: token === undefined ? {} : { token },
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 20,
      reconnectionDelayMax: 50,
      ...(origin === undefined ? {} : { extraHeaders: { origin } }),
    })
    opened.push(socket)
    return socket
  }
  return {
    open,
    connect: async ({ token }: { readonly token: string }): Promise<TestSocket> => {
      const socket = open(token)
      const received = record(socket)
      await connected(socket)
      return { socket, received }
    },
    close: () => {
      for (const socket of opened) socket.disconnect()
    },
  }
}
