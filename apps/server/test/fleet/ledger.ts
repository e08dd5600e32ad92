import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import { PASSWORD, sendRequest, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, givenConta } from '#test/builders.ts'
import type { NodeProcess } from './processes.ts'

const OPTIONS = 9
const GREETING = 'oi'
const MENU = ['Escolha de 1 a 9', ...Array.from({ length: OPTIONS }, (_, n) => `${n + 1}`)].join('\n')
const NOT_CONNECTED = 409
const REPEAT_MS = 100
/** A request to a stopped process gets no answer. */
const ANSWER_MS = 5_000
const PERSISTENT_MS = 90_000

/** Every answer is one message that names its question and its customer. */
const withLedgerMenu = (config: Config): Config => ({
  ...config,
  menu: {
    ...config.menu,
    menuPrincipal: MENU,
    opcoes: Array.from({ length: OPTIONS }, (_, n) => ({
      ...{ numero: `${n + 1}`, titulo: `Assunto ${n + 1}`, tipo: 'mensagem' as const },
      resposta: `Resposta ${n + 1} para {nome}`,
    })),
    mensagens: { ...config.menu.mensagens, boasVindas: '' },
    digitando: false,
  },
})

/** Creates a conta whose bot is connected to the simulador. */
export async function givenShop(node: NodeProcess, change = (config: Config): Config => config): Promise<TestUser> {
  const admin = await node.login()
  const dono = await givenConta({ request: admin.request, login: (email) => node.login(email, PASSWORD) })
  const { status } = await admin.request('POST', `/admin/usuarios/${dono.usuario.id}/limite-mensagens`, {
    limiteMensagensDia: 100_000,
  })
  expect(status).toBe(200)
  await connectBot(dono, (config) => change(withLedgerMenu(config)))
  return dono
}

/** The login of an account and a line of it. Absent: the main line. */
export interface LedgerShop extends Pick<TestUser, 'token'> {
  readonly linhaId?: string
}

interface Customer {
  readonly nome: string
  readonly telefone: string
  readonly shop: LedgerShop
  /** Accepted messages, oldest first. */
  readonly accepted: { readonly id: string; readonly texto: string }[]
}

export interface Burst {
  readonly accepted: () => number
  /** Posts without a 202, except while the bot moves to another node: its phone is then not connected. */
  readonly refused: () => readonly string[]
  /** Longest time from the first post of a message to its 202. */
  readonly slowestMs: () => number
  readonly done: Promise<void>
}

/** Records the messages that the fleet accepted and compares them with the chats of the customers. */
export class Ledger {
  readonly #urls: () => readonly string[]
  readonly #random: () => number
  readonly #customers: Customer[] = []
  /** Another ledger of the same conta has other customers. */
  readonly #first = randomInt(10_000) * 1_000
  #checked = 0
  #accepted = 0
  readonly #refused: string[] = []
  readonly #acceptedIds: string[] = []
  #slowestMs = 0

  /** `urls`: the nodes that customers may reach now. `random`: 0 to 1, for the choice of a node. */
  constructor(urls: () => readonly string[], random: () => number = Math.random) {
    this.#urls = urls
    this.#random = random
  }

  /** New customers write in parallel, each the next message after the previous 202. Refused posts are repeated. */
  burst(shops: readonly LedgerShop[], { customers = 10, messages = 6, pauseMs = 0 } = {}): Burst {
    const fresh = shops.flatMap((shop) => Array.from({ length: customers }, () => this.#newCustomer(shop)))
    const [accepted, refused] = [this.#accepted, this.#refused.length]
    const write = async (customer: Customer, index: number): Promise<void> => {
      for (let n = 0; n < messages; n += 1) {
        await this.#post(customer, n === 0 ? GREETING : String(((index + n) % OPTIONS) + 1))
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    const done = Promise.all(fresh.map(write)).then(() => undefined)
    return {
      accepted: () => this.#accepted - accepted,
      refused: () => this.#refused.slice(refused),
      slowestMs: () => this.#slowestMs,
      done,
    }
  }

  /** Ids of all accepted messages, in the order of their 202. */
  acceptedIds(): readonly string[] {
    return this.#acceptedIds
  }

  /**
   * Waits until the chat of every customer since the last check is exact: each accepted message once, in order, followed
   * by its answer.
   */
  async exact(ms = 60_000): Promise<void> {
    for (const customer of this.#customers.slice(this.#checked)) {
      const wanted = customer.accepted.flatMap(({ id, texto }) => [`${id}: ${texto}`, answerTo(texto, customer)])
      // A failed read, as at the limit of requests, leaves the chat of the read before.
      let chat: readonly string[] = []
      const complete = async (): Promise<boolean> => {
        chat = (await this.#chat(customer)) ?? chat
        return chat.length >= wanted.length
      }
      await waitUntil(complete, ms).catch(() => undefined)
      expect(chat, customer.nome).toEqual(wanted)
    }
    this.#checked = this.#customers.length
  }

  #newCustomer(shop: LedgerShop): Customer {
    const n = this.#first + this.#customers.length
    const customer = { nome: `Cliente ${n}`, telefone: `55119${String(n).padStart(8, '0')}`, shop, accepted: [] }
    this.#customers.push(customer)
    return customer
  }

  async #post({ nome, telefone, shop, accepted }: Customer, texto: string): Promise<void> {
    const id = randomUUID()
    const startedAt = performance.now()
    while (!(await this.#try(shop, { nome, telefone, id, texto }))) {
      if (performance.now() - startedAt > PERSISTENT_MS) throw new Error(`message of ${nome} never accepted`)
      await new Promise((resolve) => setTimeout(resolve, REPEAT_MS))
    }
    accepted.push({ id, texto })
    this.#acceptedIds.push(id)
    this.#accepted += 1
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt)
  }

  async #try({ token, linhaId }: LedgerShop, message: object): Promise<boolean> {
    const body = linhaId === undefined ? message : { ...message, linhaId }
    const urls = this.#urls()
    const url = urls[Math.floor(this.#random() * urls.length)]
    if (url === undefined) return false
    try {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const { status, text } = await sendRequest(url, 'POST', '/simulador/mensagens', { token, body, signal })
      if (status !== 202 && status !== NOT_CONNECTED) this.#refused.push(`${status} ${text}`)
      return status === 202
    } catch (error) {
      this.#refused.push(String(error))
      return false
    }
  }

  /** Null: the read failed. */
  async #chat({ shop, telefone }: Customer): Promise<string[] | null> {
    const [url = ''] = this.#urls()
    const { token, linhaId } = shop
    const request: TestUser['request'] = (method, path) => sendRequest(url, method, path, { token })
    const line = linhaId === undefined ? '' : `&linhaId=${linhaId}`
    const chat = await chatOf({ request }, `${telefone}${line}`).catch(() => null)
    return chat === null ? null : chat.map(({ de, id, texto }) => (de === 'cliente' ? `${id}: ${texto}` : texto))
  }
}

const answerTo = (texto: string, { nome }: Customer): string =>
  texto === GREETING ? MENU : `Resposta ${texto} para ${nome}`
