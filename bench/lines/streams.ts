import { readFile } from 'node:fs/promises'
import { at } from '@balcao/e2e/ready-conta.ts'
import { SCRIPT } from '../messages/customers.ts'
import { median, pause } from '../messages/meters.ts'
import { atLeast, atMost, figure, type Section, shown } from '../report.ts'
import { addLine, inParallel, newPhone, type Shop, withShops, writes } from './product.ts'

const STREAMS = 1_000
const IN_FLIGHT = 20
const CUSTOMERS = 300
const ROUNDS = 3
/** The collector of the product returns memory when the process is idle. */
const IDLE_MS = 40_000
/** New visitors of an address in an hour, and its open streams, are limited. */
const VISITORS_OF_ADDRESS = 3

interface Visitor {
  readonly token: string
  readonly address: string
}

interface Site {
  readonly url: string
  readonly chave: string
  readonly visitors: readonly Visitor[]
}

const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

async function openSite(shop: Shop): Promise<Site> {
  const id = await addLine(shop, 'Site', 'webchat')
  const chave = String(at(await shop.api.get(`/linhas/${id}/webchat`), 'webchat', 'chave'))
  const url = `${shop.url}/api/web/${chave}`
  const visitors: Visitor[] = []
  const numbers = Array.from({ length: STREAMS }, (_, n) => Math.floor(n / VISITORS_OF_ADDRESS))
  await inParallel(numbers, IN_FLIGHT, async (n) => {
    const address = addressOf(n + 1)
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    const reply = await fetch(`${url}/visitantes`, { method: 'POST', headers, body: '{}' })
    if (reply.status !== 201) throw new Error(`visitor not created: ${reply.status}`)
    visitors.push({ token: String(at(await reply.json(), 'token')), address })
  })
  return { url, chave, visitors }
}

/** Opens a stream for each visitor. The returned function closes them. */
async function openStreams({ url, visitors }: Site): Promise<() => Promise<void>> {
  const abort = new AbortController()
  await inParallel(visitors, IN_FLIGHT, async ({ token, address }) => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
    const reply = await fetch(`${url}/eventos`, { headers, signal: abort.signal })
    if (reply.status !== 200) throw new Error(`stream not opened: ${reply.status}`)
    reply.text().catch(() => undefined)
  })
  return async () => {
    abort.abort()
    await pause(2_000)
  }
}

/** Turns of customers on the first line in a second. */
async function rateOf(shop: Shop): Promise<number> {
  const phones = Array.from({ length: CUSTOMERS }, newPhone)
  const start = performance.now()
  await inParallel(phones, IN_FLIGHT, async (telefone) => {
    for (const { text } of SCRIPT) await writes(shop, telefone, text)
  })
  return (CUSTOMERS * SCRIPT.length) / ((performance.now() - start) / 1_000)
}

async function rssKb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
}

export function measureStreams(): Promise<Section> {
  return withShops(1, async ([shop], { child }) => {
    if (shop === undefined) throw new Error('one account was asked for')
    const site = await openSite(shop)
    await rateOf(shop)
    const [alone, beside]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push(await rateOf(shop))
      const close = await openStreams(site)
      beside.push(await rateOf(shop))
      await close()
    }
    await pause(IDLE_MS)
    const before = await rssKb(child.pid)
    const close = await openStreams(site)
    await pause(IDLE_MS)
    const perStream = ((await rssKb(child.pid)) - before) / STREAMS
    await close()
    const ratio = median(beside.map((rate, index) => rate / (alone[index] ?? rate)))
    return {
      title: `Lines: ${figure(STREAMS)} open streams of the chat on the site`,
      lines: [
        shown('turns a second on another line, without streams', figure(median(alone), '/s')),
        shown('turns a second on another line, with streams', figure(median(beside), '/s')),
        atLeast('rate with streams over rate without', ratio, 0.9, '×'),
        atMost('resident memory of a stream', perStream, 40, 'KB'),
      ],
      notes: [`Medians of ${ROUNDS} rounds. A turn ends when the message is stored with its answers.`],
    }
  })
}
