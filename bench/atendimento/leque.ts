import { io, type Socket } from 'socket.io-client'
import type { Api } from '@balcao/e2e/api.ts'
import { at } from '@balcao/e2e/loja-pronta.ts'

const JANELAS = 2
/** Until the machine runs compiled what it will run from then on. */
const AQUECIMENTO = 150
const MENSAGENS = 300

/** Everybody's windows, all looking at the same account. */
async function conectar(url: string, tokens: readonly string[]): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: tokens.length * JANELAS }, async (_, indice) => {
      const token = tokens[indice % tokens.length]
      const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true })
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve)
        socket.once('connect_error', reject)
      })
      return socket
    }),
  )
}

/**
 * From the customer's message being posted to each operator's socket having it, one message at a time.
 * `cliente` waits for a person already, so nothing answers it.
 */
export async function medirLeque(
  url: string,
  operadores: readonly string[],
  api: Api,
  cliente: { readonly nome: string; readonly telefone: string },
): Promise<number[]> {
  const sockets = await conectar(url, operadores)
  const tempos: number[] = []
  try {
    for (let vez = 0; vez < AQUECIMENTO + MENSAGENS; vez += 1) {
      const texto = `mensagem ${vez} do leque`
      const chegadas = sockets.map((socket) => chegada(socket, texto))
      const inicio = performance.now()
      await api.post('/simulador/mensagens', { ...cliente, texto })
      const horas = await Promise.all(chegadas)
      if (vez >= AQUECIMENTO) tempos.push(...horas.map((em) => em - inicio))
    }
  } finally {
    for (const socket of sockets) socket.disconnect()
  }
  return tempos
}

function chegada(socket: Socket, texto: string): Promise<number> {
  return new Promise((resolve) => {
    const ouvir = (dados: unknown): void => {
      if (at(dados, 'mensagem', 'texto') !== texto) return
      socket.off('mensagemConversaHumana', ouvir)
      resolve(performance.now())
    }
    socket.on('mensagemConversaHumana', ouvir)
  })
}
