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
  let wait: PendingMessage | null = null
  const arrived = (frame: string): void => {
    if (wait === null || !frame.startsWith(EVENT_PREFIX) || !frame.includes(`"texto":${JSON.stringify(wait.text)}`))
      return
    wait.arrivals.push(performance.now())
    if (wait.arrivals.length === tokens.length) wait.done()
  }
  const windows = await Promise.all(tokens.map(async (token) => openWindow(url, token, arrived)))
  const rounds = Array.from({ length: ROUNDS }, (): number[] => [])
  try {
    for (let vez = 0; vez < WARM_UP + ROUNDS * MESSAGES; vez += 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const hours: number[] = []
      const texto = `mensagem ${vez} do leque`
      wait = { text: texto, arrivals: hours, done: resolve }
      const start = performance.now()
      await api.post('/simulador/mensagens', { ...customer, texto })
      await promise
      const round = rounds[Math.floor((vez - WARM_UP) / MESSAGES)]
      round?.push(...hours.map((em) => em - start))
    }
  } finally {
    for (const janela of windows) janela.close()
  }
  return rounds
}

/**
 * Opens a window as the server sees it: Socket.IO frames over a bare WebSocket. A hundred Socket.IO clients in this
 * process would cost as much CPU as the server under test.
 */
export async function openWindow(url: string, token: string, onFrame: (frame: string) => void): Promise<WebSocket> {
  const janela = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  return new Promise((resolve, reject) => {
    janela.on('error', reject)
    janela.on('message', (data: Buffer) => {
      const frame = data.toString()
      if (frame.startsWith('0')) janela.send(`40${JSON.stringify({ token })}`)
      else if (frame === '2') janela.send('3')
      else if (frame.startsWith('40')) resolve(janela)
      else if (frame.startsWith('44')) reject(new Error(frame))
      else onFrame(frame)
    })
  })
}
