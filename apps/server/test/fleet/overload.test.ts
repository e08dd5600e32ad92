import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { pause } from './faults.ts'
import { useProcesses } from './fixture.ts'
import type { NodeProcess } from './processes.ts'

const BACK_MS = 12_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 5_000
const STOPPED_MS = 5_000
const SMALL_HEAP_MB = 200

const NODE_OPTIONS = `--max-old-space-size=${SMALL_HEAP_MB} --import ${join(import.meta.dirname, 'overload.mjs')}`
const fleet = useProcesses('overload', { env: { NODE_OPTIONS } })
const holder = (): Promise<NodeProcess> => waitUntil(() => fleet().holderOf(fleet().shop.contaId))
const lease = async (): Promise<unknown> =>
  (await fleet().database.owner.query('select no, epoca, status from bots where conta_id = $1', [fleet().shop.contaId]))
    .rows

async function stop(node: NodeProcess): Promise<void> {
  node.signal('SIGSTOP')
  await pause(STOPPED_MS)
  node.signal('SIGCONT')
}

describe('a node that does nothing for 5 s', () => {
  it.for([
    { how: 'it is stopped', act: stop },
    { how: 'its loop is blocked', act: async (node: NodeProcess) => node.signal('SIGUSR2') },
  ])('keeps its bot, its link and every message when $how', async ({ act }) => {
    const { ledger, shop } = fleet()
    const slow = await holder()
    const before = await lease()
    const burst = ledger.burst([shop], { customers: 10, messages: 8, pauseMs: 200 })
    await expect.poll(burst.accepted).toBeGreaterThan(10)
    const since = performance.now()
    await act(slow)
    await burst.done
    await ledger.exact()
    // The bot answers the last messages after the standstill.
    expect(performance.now() - since).toBeGreaterThan(STOPPED_MS)
    expect(await lease()).toEqual(before)
    expect(slow.output()).not.toMatch(/sessions closed|session closed|lease lost/)
  })
})

describe('a node that reaches the limit of its heap', () => {
  it('ends, and another node takes its bot without losing a message', async () => {
    const { ledger, shop, heal } = fleet()
    const dying = await holder()
    const burst = ledger.burst([shop], { customers: 12, messages: 8, pauseMs: 50 })
    await expect.poll(burst.accepted, { interval: 5 }).toBeGreaterThan(20)
    dying.signal('SIGHUP')
    expect(await dying.exited()).toBe('SIGABRT')
    expect(dying.output()).toContain('heap limit')
    const endedAt = performance.now()
    await waitUntil(async () => ![dying, null].includes(await fleet().holderOf(shop.contaId)))
    expect(performance.now() - endedAt).toBeLessThan(BACK_MS + SLOW_MACHINE_MS)
    await burst.done
    await ledger.exact()
    await heal()
  })
})
