import { type BinaryNode, decodeBinaryNode, encodeBinaryNode } from 'baileys'
import type { WebSocket } from 'ws'
import { withLength, createFrameReader } from './frames.ts'
import type { NoiseHandshake, Introduction } from './noise.ts'

export interface ConnectionEvents {
  readonly introduced: (conexao: ServerConnection, quem: Introduction) => void
  readonly received: (conexao: ServerConnection, stanza: BinaryNode) => Promise<void>
  readonly closed: (conexao: ServerConnection) => void
  readonly failed: (erro: unknown) => void
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

export function createServerConnection(socket: WebSocket, handshake: NoiseHandshake, events: ConnectionEvents): ServerConnection {
  const leitor = createFrameReader()
  const esperando = new Map<string, PromiseWithResolvers<BinaryNode>>()
  let apresentacao: Introduction | null = null
  let respondeu = false
  let ativa = false
  let cortada = false
  let fila: Promise<void> = Promise.resolve()

  const tratar = async (payload: Buffer): Promise<void> => {
    if (!respondeu) {
      respondeu = true
      socket.send(withLength(handshake.respond(payload)))
      return
    }
    if (apresentacao === null) {
      apresentacao = handshake.finish(payload)
      return events.introduced(conexao, apresentacao)
    }
    const stanza = await decodeBinaryNode(apresentacao.transport.decrypt(payload))
    const pergunta = stanza.tag === 'iq' ? esperando.get(stanza.attrs.id ?? '') : undefined
    if (pergunta === undefined) return events.received(conexao, stanza)
    esperando.delete(stanza.attrs.id ?? '')
    pergunta.resolve(stanza)
  }

  socket.on('message', (dados: Buffer) => {
    fila = fila
      .then(async () => {
        // Data that was unread at the cut never arrived.
        for (const payload of leitor.read(dados)) if (!cortada) await tratar(payload)
      })
      .catch((erro: unknown) => {
        events.failed(erro)
        socket.terminate()
      })
  })
  socket.on('close', () => {
    ativa = false
    for (const { reject } of esperando.values()) reject(new Error('client disconnected'))
    events.closed(conexao)
  })

  const conexao: ServerConnection = {
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
      const resposta = Promise.withResolvers<BinaryNode>()
      esperando.set(stanza.attrs.id ?? '', resposta)
      conexao.send(stanza)
      return resposta.promise
    },
    close: () => socket.close(),
    cut: () => {
      cortada = true
      socket.terminate()
    },
  }
  return conexao
}
