import { WebSocket } from 'ws'
import type { ApiClient } from '@balcao/e2e/api.ts'

const WINDOWS = 2
/** Messages sent before the measurement, until V8 has compiled the hot code. */
const WARM_UP = 150
const MESSAGES = 200
const ROUNDS = 5
const EVENT_PREFIX = '42["mensagemConversaHumana",'

interface PendingMessage {
  readonly text: string
  readonly arrivals: number[]
  readonly done: () => void
}

/**
 * Measures the time from the POST of a customer's message to its arrival at each operator's socket, one message at
 * a time. `cliente` already waits for an operator, so the bot stays silent. Several rounds, because a shared
 * machine stalls now and then.
 */
export async function measureFanOut(
  url: string,
  operadorTokens: readonly string[],
  api: ApiClient,
  customer: { readonly nome: string; readonly telefone: string },
): Promise<number[][]> {
  const tokens = Array.from({ length: WINDOWS }, () => operadorTokens).flat()
  let espera: PendingMessage | null = null
  const chegou = (quadro: string): void => {
    if (espera === null || !quadro.startsWith(EVENT_PREFIX) || !quadro.includes(`"texto":${JSON.stringify(espera.text)}`))
      return
    espera.arrivals.push(performance.now())
    if (espera.arrivals.length === tokens.length) espera.done()
  }
  const janelas = await Promise.all(tokens.map(async (token) => openWindow(url, token, chegou)))
  const rodadas = Array.from({ length: ROUNDS }, (): number[] => [])
  try {
    for (let vez = 0; vez < WARM_UP + ROUNDS * MESSAGES; vez += 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const horas: number[] = []
      const texto = `mensagem ${vez} do leque`
      espera = { text: texto, arrivals: horas, done: resolve }
      const inicio = performance.now()
      await api.post('/simulador/mensagens', { ...customer, texto })
      await promise
      const rodada = rodadas[Math.floor((vez - WARM_UP) / MESSAGES)]
      rodada?.push(...horas.map((em) => em - inicio))
    }
  } finally {
    for (const janela of janelas) janela.close()
  }
  return rodadas
}

/**
 * Opens a window as the server sees it: Socket.IO frames over a bare WebSocket. A hundred Socket.IO clients in this
 * process would cost as much CPU as the server under test.
 */
async function openWindow(url: string, token: string, onFrame: (quadro: string) => void): Promise<WebSocket> {
  const janela = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  return new Promise((resolve, reject) => {
    janela.on('error', reject)
    janela.on('message', (dados: Buffer) => {
      const quadro = dados.toString()
      if (quadro.startsWith('0')) janela.send(`40${JSON.stringify({ token })}`)
      else if (quadro === '2') janela.send('3')
      else if (quadro.startsWith('40')) resolve(janela)
      else if (quadro.startsWith('44')) reject(new Error(quadro))
      else onFrame(quadro)
    })
  })
}
