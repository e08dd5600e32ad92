import { type BinaryNode, decodeBinaryNode, encodeBinaryNode } from 'baileys'
import type { WebSocket } from 'ws'
import { withLength, createFrameReader } from './frames.ts'
import type { NoiseHandshake, Introduction } from './noise.ts'

export interface ConnectionEvents {
  readonly introduced: (connection: ServerConnection, quem: Introduction) => void
  readonly received: (connection: ServerConnection, stanza: BinaryNode) => Promise<void>
  readonly closed: (connection: ServerConnection) => void
  readonly failed: (error: unknown) => void
}

export interface ServerConnection {
  readonly isOpen: () => boolean
  /** True once the client has requested its traffic. */
  readonly isActive: () => boolean
  readonly activate: () => void
  readonly send: (stanza: BinaryNode) => void
  readonly request: (stanza: BinaryNode) => Promise<BinaryNode>
  readonly close: () => void
  /** Closes the socket without a close frame. */
  readonly cut: () => void
}

export function createServerConnection(
  socket: WebSocket,
  handshake: NoiseHandshake,
  events: ConnectionEvents,
): ServerConnection {
  const leitor = createFrameReader()
  const waiting = new Map<string, PromiseWithResolvers<BinaryNode>>()
  let apresentacao: Introduction | null = null
  let answered = false
  let ativa = false
  let cortada = false
  let queue: Promise<void> = Promise.resolve()

  const tratar = async (payload: Buffer): Promise<void> => {
    if (!answered) {
      answered = true
      socket.send(withLength(handshake.respond(payload)))
      return
    }
    if (apresentacao === null) {
      apresentacao = handshake.finish(payload)
      return events.introduced(connection, apresentacao)
    }
    const stanza = await decodeBinaryNode(apresentacao.transport.decrypt(payload))
    const pergunta = stanza.tag === 'iq' ? waiting.get(stanza.attrs.id ?? '') : undefined
    if (pergunta === undefined) return events.received(connection, stanza)
    waiting.delete(stanza.attrs.id ?? '')
    pergunta.resolve(stanza)
  }

  socket.on('message', (data: Buffer) => {
    queue = queue
      .then(async () => {
        // Data that was unread at the cut never arrived.
        for (const payload of leitor.read(data)) if (!cortada) await tratar(payload)
      })
      .catch((error: unknown) => {
        events.failed(error)
        socket.terminate()
      })
  })
  socket.on('close', () => {
    ativa = false
    for (const { reject } of waiting.values()) reject(new Error('client disconnected'))
    events.closed(connection)
  })

  const connection: ServerConnection = {
    isOpen: () => socket.readyState === socket.OPEN,
    isActive: () => ativa,
    activate: () => {
      ativa = true
    },
    send: (stanza) => {
      if (apresentacao === null || socket.readyState !== socket.OPEN) return
      socket.send(withLength(apresentacao.transport.encrypt(encodeBinaryNode(stanza))))
    },
    request: (stanza) => {
      const reply = Promise.withResolvers<BinaryNode>()
      waiting.set(stanza.attrs.id ?? '', reply)
      connection.send(stanza)
      return reply.promise
    },
    close: () => socket.close(),
    cut: () => {
      cortada = true
      socket.terminate()
    },
  }
  return connection
}
