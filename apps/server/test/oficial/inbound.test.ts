import { describe, expect, it } from 'vitest'
import { MetaInbound } from '#adapters/oficial/inbound.ts'
import type { OficialJournalEntry } from '#ports/oficial.ts'
import { waitUntil } from '#test/app.ts'

const PAGE = 10
const ENTRIES = 60

/** Entries of one customer with 1 MB of unknown fields each. */
function largeEntry(n: number): OficialJournalEntry {
  const text = { from: '5511988887777', id: `wamid.${n}`, timestamp: '1760000000', type: 'text', text: { body: 'oi' } }
  const event = { tipo: 'mensagem', mensagem: { ...text, extra: 'x'.repeat(1_000_000) }, nome: 'Bia', deMim: false }
  return { id: `m:${n}`, valor: JSON.stringify(event), arrivedAt: new Date() }
}

function createInbound(receive: () => Promise<void>) {
  const waiting = new Set(Array.from({ length: ENTRIES }, (_, n) => n))
  const read = new Set<string>()
  const inbound = new MetaInbound({
    host: {
      ...{ contaId: 'conta', linhaId: 'conta', now: () => new Date(), receive, findQuoted: async () => null },
      ...{ change: async () => true, identity: async () => true },
    },
    journal: {
      findNumber: async () => null,
      subscribe: () => () => undefined,
      listEntries: async (_contaId, skip) => {
        const page = [...waiting].filter((n) => !skip.includes(`m:${n}`)).slice(0, PAGE)
        for (const n of page) read.add(`m:${n}`)
        return page.map(largeEntry)
      },
      completeEntry: async (_contaId, ids) => {
        for (const id of ids) waiting.delete(Number(id.slice(2)))
      },
    },
    withFile: async ({ inbound: message }) => message,
    onStatus: async () => undefined,
    report: (error) => expect.fail(String(error)),
  })
  return { inbound, waiting, read }
}

describe('MetaInbound', () => {
  it('reads the next page only after entries in progress are stored', async () => {
    const { promise: storage, resolve: store } = Promise.withResolvers<void>()
    const { inbound, waiting, read } = createInbound(() => storage)
    const arrived = inbound.arrived()
    await waitUntil(() => read.size >= 2 * PAGE)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(read.size).toBe(2 * PAGE)
    store()
    await arrived
    await waitUntil(() => waiting.size === 0)
    inbound.close()
  })

  it('stops a read that waits when the session closes', async () => {
    const { inbound, read } = createInbound(() => new Promise(() => undefined))
    const arrived = inbound.arrived()
    await waitUntil(() => read.size >= 2 * PAGE)
    inbound.close()
    await arrived
    expect(read.size).toBe(2 * PAGE)
  })
})
