import { type ReadyConta, at } from '@balcao/e2e/ready-conta.ts'
import type { Product } from '@balcao/e2e/product.ts'
import { percentile } from '../messages/meters.ts'
import { figure, type Line, type Section, shown } from '../report.ts'
import { runLoad } from './load.ts'

const SECONDS = 6
const WARM_UP_SECONDS = 1
const PAGE_SIZE = 200

/** Acts of operadores on open conversas. `closes`: each request needs another conversa. */
const ACTS = [
  { act: 'assumir', name: 'an operator takes a conversation', body: {}, closes: false },
  { act: 'transferir', name: 'an operator transfers a conversation', body: { setor: 'geral' }, closes: false },
  { act: 'devolver', name: 'an operator returns a conversation to the bot', body: {}, closes: true },
  { act: 'finalizar', name: 'an operator finishes a conversation', body: {}, closes: true },
] as const

/** Ids of all open conversas. */
async function openIds({ apis }: ReadyConta): Promise<string[]> {
  const ids: string[] = []
  let after = ''
  for (let page = 0; ; page += 1) {
    // The tokens take turns because each token has its own request limit.
    const answer = await apis[page % apis.length]?.get(`/atendimento/conversas?limite=${PAGE_SIZE}&mensagens=0${after}`)
    const list = at(answer, 'conversas')
    if (Array.isArray(list)) ids.push(...list.map((conversa: unknown) => String(at(conversa, 'id'))))
    const cursor = at(answer, 'proximoCursor')
    if (typeof cursor !== 'string') return ids
    after = `&cursor=${encodeURIComponent(cursor)}`
  }
}

/** Measures the acts last, because two of them close conversas: each has its own share of them. */
export async function measureActs({ url }: Product, loja: ReadyConta): Promise<Section> {
  const ids = await openIds(loja)
  const share = Math.floor(ids.length / ACTS.length)
  const lines: Line[] = []
  for (const [index, { act, name, body, closes }] of ACTS.entries()) {
    const own = ids.slice(index * share, (index + 1) * share)
    let next = 0
    const request = (): { method: 'POST'; path: string; body: object } => ({
      method: 'POST',
      path: `/atendimento/conversas/${own[next++ % own.length]}/${act}`,
      body,
    })
    const left = (): number => (closes ? own.length - next : Infinity)
    await runLoad(url, loja.tokens, WARM_UP_SECONDS, request, left())
    const { timesMs, seconds } = await runLoad(url, loja.tokens, SECONDS, request, left())
    lines.push(
      shown(name, figure(timesMs.length / seconds, 'req/s')),
      shown(`${name}, p99`, figure(percentile(timesMs, 99), 'ms')),
    )
  }
  return {
    title: 'People: acts of operators on open conversations, 10 connections',
    lines,
    notes: [
      'Acts that wait at the same time share one transaction of 4 round trips: find, lock, write with the answer, commit. An act that writes to the customer also locks the daily counter. `apps/server/test/atendimento/statements.test.ts` lists the statements.',
    ],
  }
}
