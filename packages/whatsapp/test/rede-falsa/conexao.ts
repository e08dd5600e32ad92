import { type BinaryNode, decodeBinaryNode, encodeBinaryNode } from 'baileys'
import type { WebSocket } from 'ws'
import { comTamanho, createLeitorDeFrames } from './frames.ts'
import type { Aperto, Apresentacao } from './noise.ts'

export interface Portaria {
  readonly apresentar: (conexao: Conexao, quem: Apresentacao) => void
  readonly receber: (conexao: Conexao, stanza: BinaryNode) => Promise<void>
  readonly fechou: (conexao: Conexao) => void
  readonly falhou: (erro: unknown) => void
}

export interface Conexao {
  readonly aberta: () => boolean
  /** True once the client has requested its traffic. */
  readonly ativa: () => boolean
  readonly ativar: () => void
  readonly enviar: (stanza: BinaryNode) => void
  readonly perguntar: (stanza: BinaryNode) => Promise<BinaryNode>
  readonly fechar: () => void
  /** Closes the socket without a close frame. */
  readonly cortar: () => void
}

export function createConexao(socket: WebSocket, aperto: Aperto, portaria: Portaria): Conexao {
  const leitor = createLeitorDeFrames()
  const esperando = new Map<string, PromiseWithResolvers<BinaryNode>>()
  let apresentacao: Apresentacao | null = null
  let respondeu = false
  let ativa = false
  let cortada = false
  let fila: Promise<void> = Promise.resolve()

  const tratar = async (payload: Buffer): Promise<void> => {
    if (!respondeu) {
      respondeu = true
      socket.send(comTamanho(aperto.responder(payload)))
      return
    }
    if (apresentacao === null) {
      apresentacao = aperto.concluir(payload)
      return portaria.apresentar(conexao, apresentacao)
    }
    const stanza = await decodeBinaryNode(apresentacao.transporte.decifrar(payload))
    const pergunta = stanza.tag === 'iq' ? esperando.get(stanza.attrs.id ?? '') : undefined
    if (pergunta === undefined) return portaria.receber(conexao, stanza)
    esperando.delete(stanza.attrs.id ?? '')
    pergunta.resolve(stanza)
  }

  socket.on('message', (dados: Buffer) => {
    fila = fila
      .then(async () => {
        // Data that was unread at the cut never arrived.
        for (const payload of leitor.ler(dados)) if (!cortada) await tratar(payload)
      })
      .catch((erro: unknown) => {
        portaria.falhou(erro)
        socket.terminate()
      })
  })
  socket.on('close', () => {
    ativa = false
    for (const { reject } of esperando.values()) reject(new Error('client disconnected'))
    portaria.fechou(conexao)
  })

  const conexao: Conexao = {
    aberta: () => socket.readyState === socket.OPEN,
    ativa: () => ativa,
    ativar: () => {
      ativa = true
    },
    enviar: (stanza) => {
      if (apresentacao === null || socket.readyState !== socket.OPEN) return
      socket.send(comTamanho(apresentacao.transporte.cifrar(encodeBinaryNode(stanza))))
    },
    perguntar: (stanza) => {
      const resposta = Promise.withResolvers<BinaryNode>()
      esperando.set(stanza.attrs.id ?? '', resposta)
      conexao.enviar(stanza)
      return resposta.promise
    },
    fechar: () => socket.close(),
    cortar: () => {
      cortada = true
      socket.terminate()
    },
  }
  return conexao
}
