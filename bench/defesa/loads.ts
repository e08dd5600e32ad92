import { randomBytes } from 'node:crypto'
import { WebSocket } from 'ws'
import { openFloodLine, requestText } from './flood.ts'
import { importContatos, scheduleTogether, silencePush, writeLongTexts } from './work-loads.ts'

export const LOADS = [
  ...(['endereco', 'fila', 'senhas', 'sockets'] as const),
  ...(['importacao', 'agendadas', 'avisos', 'textos'] as const),
] as const
export type Load = (typeof LOADS)[number]

export interface LoadOptions {
  readonly url: string
  /** Token of the conta that attacks. */
  readonly token: string
  readonly count: (answer: string) => void
}

const QUEUED_CUSTOMERS = 10_000
const WRONG_LOGINS = 200
const STRANGERS = 2_000
const RETRY_MS = 1_000

const randomToken = (): string => randomBytes(32).toString('base64url')

/** One address sends random tokens, resets, webhooks and plain requests, as fast as one process can. */
function floodFromOneAddress({ url, count }: LoadOptions): void {
  const requests: readonly (() => string)[] = [
    () =>
      requestText('POST', '/api/simulador/mensagens', randomToken(), {
        ...{ telefone: '5511900000000', nome: 'Estranho', texto: 'oi' },
      }),
    () => requestText('POST', '/api/auth/esqueci-senha', null, { email: `${randomToken()}@estranho.local` }),
    () => requestText('POST', `/api/webhooks/oficial/${randomToken()}`, null, {}),
    () => requestText('GET', '/api/health', null),
    () => requestText('GET', '/', null),
  ]
  let n = 0
  const next = (): string => requests[n++ % requests.length]?.() ?? ''
  for (let line = 0; line < 20; line += 1) {
    openFloodLine({ url, localAddress: '127.0.0.2', inFlight: 50, next, onAnswer: count })
  }
}

/** Ten thousand customers of one conta write one message each, again and again. */
function queueCustomers({ url, token, count }: LoadOptions): void {
  let customer = 0
  const next = (): string => {
    customer += 1
    return requestText('POST', '/api/simulador/mensagens', token, {
      telefone: `55119${String(30_000_000 + customer)}`,
      nome: `Cliente ${customer}`,
      texto: 'oi',
    })
  }
  const lines = 20
  for (let line = 0; line < lines; line += 1) {
    openFloodLine({ url, localAddress: '127.0.0.3', inFlight: QUEUED_CUSTOMERS / lines, next, onAnswer: count })
  }
}

/** Each of 200 addresses tries one wrong password after the other. */
function tryPasswords({ url, count }: LoadOptions): void {
  for (let line = 0; line < WRONG_LOGINS; line += 1) {
    const next = (): string =>
      requestText('POST', '/api/auth/login', null, { email: `${randomToken()}@alvo.local`, senha: 'palpite-errado' })
    openFloodLine({ url, localAddress: `127.0.1.${line + 1}`, inFlight: 1, next, onAnswer: count })
  }
}

/** Each of 2,000 addresses opens a socket with a random token and tries again a second after a refusal. */
function knockOnSockets({ url, count }: LoadOptions): void {
  for (let stranger = 0; stranger < STRANGERS; stranger += 1) {
    knock(url, `127.1.${stranger >> 8}.${stranger & 255}`, count)
  }
}

function knock(url: string, localAddress: string, count: (answer: string) => void): void {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, { localAddress })
  const tryToken = (): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(`40${JSON.stringify({ token: randomToken() })}`)
  }
  socket.on('message', (data: Buffer) => {
    const frame = data.toString()
    if (frame.startsWith('0')) tryToken()
    else if (frame === '2') socket.send('3')
    else if (frame.startsWith('44')) {
      count('refused')
      setTimeout(tryToken, RETRY_MS)
    }
  })
  socket.on('error', () => count('failed'))
  socket.on('close', () => setTimeout(() => knock(url, localAddress, count), RETRY_MS))
}

export const START: Readonly<Record<Load, (options: LoadOptions) => void | Promise<void>>> = {
  endereco: floodFromOneAddress,
  fila: queueCustomers,
  senhas: tryPasswords,
  sockets: knockOnSockets,
  importacao: importContatos,
  agendadas: scheduleTogether,
  avisos: silencePush,
  textos: writeLongTexts,
}
