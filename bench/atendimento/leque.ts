import { WebSocket } from 'ws'
import type { Api } from '@balcao/e2e/api.ts'

const JANELAS = 2
/** Messages sent before the measurement, until V8 has compiled the hot code. */
const AQUECIMENTO = 150
const MENSAGENS = 200
const RODADAS = 5
const EVENTO = '42["mensagemConversaHumana",'

interface Espera {
  readonly texto: string
  readonly horas: number[]
  readonly todas: () => void
}

/**
 * Measures the time from the POST of a customer's message to its arrival at each operator's socket, one message at
 * a time. `cliente` already waits for an operator, so the bot stays silent. Several rounds, because a shared
 * machine stalls now and then.
 */
export async function medirLeque(
  url: string,
  operadores: readonly string[],
  api: Api,
  cliente: { readonly nome: string; readonly telefone: string },
): Promise<number[][]> {
  const tokens = Array.from({ length: JANELAS }, () => operadores).flat()
  let espera: Espera | null = null
  const chegou = (quadro: string): void => {
    if (espera === null || !quadro.startsWith(EVENTO) || !quadro.includes(`"texto":${JSON.stringify(espera.texto)}`))
      return
    espera.horas.push(performance.now())
    if (espera.horas.length === tokens.length) espera.todas()
  }
  const janelas = await Promise.all(tokens.map(async (token) => abrirJanela(url, token, chegou)))
  const rodadas = Array.from({ length: RODADAS }, (): number[] => [])
  try {
    for (let vez = 0; vez < AQUECIMENTO + RODADAS * MENSAGENS; vez += 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const horas: number[] = []
      const texto = `mensagem ${vez} do leque`
      espera = { texto, horas, todas: resolve }
      const inicio = performance.now()
      await api.post('/simulador/mensagens', { ...cliente, texto })
      await promise
      const rodada = rodadas[Math.floor((vez - AQUECIMENTO) / MENSAGENS)]
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
async function abrirJanela(url: string, token: string, chegou: (quadro: string) => void): Promise<WebSocket> {
  const janela = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
  return new Promise((resolve, reject) => {
    janela.on('error', reject)
    janela.on('message', (dados: Buffer) => {
      const quadro = dados.toString()
      if (quadro.startsWith('0')) janela.send(`40${JSON.stringify({ token })}`)
      else if (quadro === '2') janela.send('3')
      else if (quadro.startsWith('40')) resolve(janela)
      else if (quadro.startsWith('44')) reject(new Error(quadro))
      else chegou(quadro)
    })
  })
}
