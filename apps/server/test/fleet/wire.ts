import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { every } from '#lib/every.ts'
import { PASSWORD, sendRequest, type TestUser, waitUntil } from '#test/app.ts'
import { givenConta, openConversas } from '#test/builders.ts'
import type { FakeMeta, FakeMetaMessage } from '#test/oficial/fake-meta.ts'
import { createMetaCustomer, deliverStatus, type MetaLoja, startMetaLoja } from '#test/oficial/meta-loja.ts'
import type { Processes } from './processes.ts'

const CONVERSAS = 4
const ANSWER_MS = 5_000
const REPEAT_MS = 200
const STATUS_MS = 100

/** People who write to customers through a fake Meta API, which counts the copies of every message. */
export interface Wire {
  /** Writes to each customer every `pauseMs` until the returned function is called, which resolves after the last 200. */
  readonly write: (pauseMs: number) => () => Promise<void>
  /** Texts that the fleet acknowledged. */
  readonly acknowledged: readonly string[]
  /** Number of messages at Meta whose status the fleet answered with 200. */
  readonly reported: () => number
  /** Reports these messages to one node as sent. */
  readonly report: (url: string, messages: readonly FakeMetaMessage[]) => Promise<void>
  /** Waits until each acknowledged message left. Returns how many did not, and the number of copies of all messages. */
  readonly check: () => Promise<{ readonly lost: number; readonly copies: number }>
  readonly close: () => Promise<void>
}

/** Creates a conta on the API with customers that its dono serves. */
export async function openWire({ nodes, urls }: Processes, meta: FakeMeta): Promise<Wire> {
  const [node] = nodes
  if (node === undefined) throw new Error('no process started')
  const admin = await node.login()
  const dono = await givenConta({ request: admin.request, login: (email) => node.login(email, PASSWORD) })
  const limit = { limiteMensagensDia: 100_000 }
  await admin.request('POST', `/admin/usuarios/${dono.usuario.id}/limite-mensagens`, limit)
  const loja = await startMetaLoja(dono, meta)
  const reports = reportSent(meta, loja, urls)
  const conversas = await serveCustomers(dono, { meta, loja, url: node.url })
  const texts: string[] = []
  return {
    acknowledged: texts,
    reported: reports.count,
    write: (pauseMs) => {
      let writing = true
      const done = conversas.map(async (id) => {
        while (writing) {
          texts.push(await send(dono, urls, id))
          await pause(pauseMs)
        }
      })
      return async () => {
        writing = false
        await Promise.all(done)
      }
    },
    report: async (url, messages) => {
      for (const message of messages) expect(await statusAt(meta, loja, url, message)).toBe(200)
    },
    check: async () => {
      const arrived = () => meta.messages.map(({ text }) => text?.body ?? '')
      const missing = (): string[] => texts.filter((text) => !arrived().includes(text))
      await waitUntil(() => missing().length === 0, ANSWER_MS * 12).catch(() => undefined)
      const marks = meta.messages.map(({ biz_opaque_callback_data: mark }) => mark)
      return { lost: missing().length, copies: marks.length - new Set(marks).size }
    },
    close: reports.stop,
  }
}

const statusAt = (meta: FakeMeta, loja: MetaLoja, url: string, message: FakeMetaMessage): Promise<number> =>
  deliverStatus({ app: () => ({ url }), loja: () => loja, meta }, message, 'sent')

/** Like Meta, reports each accepted message to the webhook until it is answered with 200. */
function reportSent(meta: FakeMeta, loja: MetaLoja, urls: () => readonly string[]) {
  let reported = 0
  const report = async (): Promise<void> => {
    for (const message of meta.messages.slice(reported)) {
      if ((await statusAt(meta, loja, urls()[0] ?? '', message)) !== 200) return
      reported += 1
    }
  }
  const rounds = every({ ms: STATUS_MS, task: report, failed: () => undefined })
  return { count: () => reported, stop: () => rounds.stop() }
}

interface Service {
  readonly meta: FakeMeta
  readonly loja: MetaLoja
  readonly url: string
}

/** Returns the ids of the conversas. */
async function serveCustomers(dono: TestUser, { meta, loja, url }: Service): Promise<readonly string[]> {
  for (let n = 0; n < CONVERSAS; n += 1) {
    const number = `5511970${String(n).padStart(6, '0')}`
    const customer = createMetaCustomer({ app: () => ({ url }), loja: () => loja, meta, name: `Cliente ${n}`, number })
    for (const text of ['oi', 'atendente']) expect(await customer.says(text)).toBe(200)
  }
  const waiting = await waitUntil(async () => {
    const found = await openConversas(dono)
    return found.length === CONVERSAS && found
  })
  for (const { id } of waiting) {
    expect((await dono.request('POST', `/atendimento/conversas/${id}/assumir`)).status).toBe(200)
  }
  return waiting.map(({ id }) => id)
}

/** Sends a new text until it is acknowledged, each time with the same key, as the panel does. Returns the text. */
async function send({ token }: TestUser, urls: () => readonly string[], conversaId: string): Promise<string> {
  const idTemporario = randomUUID()
  const body = { mensagem: `Recado ${idTemporario}`, idTemporario }
  for (let attempt = 0; ; attempt += 1) {
    const url = urls()[attempt % urls().length] ?? ''
    const path = `/atendimento/conversas/${conversaId}/mensagem`
    const options = { token, body, signal: AbortSignal.timeout(ANSWER_MS) }
    const status = await sendRequest(url, 'POST', path, options).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return body.mensagem
    if (status >= 400 && status < 500) throw new Error(`send refused with ${status}`)
    await pause(REPEAT_MS)
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
