import { describe, expect, it } from 'vitest'
import { BOT_CRASH_POINTS, BUS_CRASH_POINTS, TAKEOVER_CRASH_POINTS } from '#lib/crash-points.ts'
import { waitUntil } from '#test/app.ts'
import { longDescribe, pause, SHORT } from './faults.ts'
import { type FleetFixture, useProcesses } from './fixture.ts'
import type { NodeProcess } from './processes.ts'

const fleet = useProcesses('takeover')
/** Time until a dead node is condemned, and a second for its bots to start elsewhere. */
const BACK_MS = 12_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 5_000

async function holder({ holderOf, shop }: FleetFixture): Promise<NodeProcess> {
  return waitUntil(() => holderOf(shop.contaId))
}

function otherThan({ nodes }: FleetFixture, one: NodeProcess): NodeProcess {
  const other = nodes.find((node) => node !== one && node.running())
  if (other === undefined) throw new Error('no other node runs')
  return other
}

/** Numbers of the fault: once in `npm test`, `times` in `npm run falhas`. */
const rounds = (times: number): number[] => Array.from({ length: SHORT ? 1 : times }, (_, n) => n)

describe('kill -9 of the node that has the bot', () => {
  it.for(rounds(50))('moves the bot within 12 s and keeps every message, round %i', async () => {
    const { ledger, shop, heal, random } = fleet()
    await heal()
    const dying = await holder(fleet())
    const burst = ledger.burst([shop], { customers: 12, messages: 8, pauseMs: 50 })
    await expect.poll(burst.accepted, { interval: 5 }).toBeGreaterThan(random() * 60)
    await dying.kill()
    const killedAt = performance.now()
    await burst.done
    await ledger.exact()
    expect(performance.now() - killedAt).toBeLessThan(BACK_MS + SLOW_MACHINE_MS)
    expect(await holder(fleet())).not.toBe(dying)
  })
})

const places = ['holder', 'other'] as const
const points = [...BOT_CRASH_POINTS, ...BUS_CRASH_POINTS]
const all = points.flatMap((point) => places.map((place) => ({ point, place })))

longDescribe?.('kill -9 at a step of a message', () => {
  it.for(all)('keeps every message of customers when the $place dies at $point', async (one) => {
    const { ledger, shop, heal, random } = fleet()
    await heal()
    const holding = await holder(fleet())
    const other = otherThan(fleet(), holding)
    const FALHA = `${one.point}:${1 + Math.floor(random() * 20)}`
    // Only a process with the crash point dies at it. The bot moves to it when the other process ends.
    await other.terminate()
    // A process that sends packets while it starts may die before it is ready.
    const started = await other.start({ FALHA }).then(
      () => true,
      () => false,
    )
    expect(started || !other.running()).toBe(true)
    if (started && one.place === 'holder') {
      await holding.terminate()
      await waitUntil(async () => (await holder(fleet())) === other || !other.running())
      await holding.start()
    }
    const burst = ledger.burst([shop], { customers: 12, messages: 8, pauseMs: 50 })
    await Promise.race([other.exited(), burst.done])
    await other.kill()
    await burst.done
    await ledger.exact()
  })

  it.for(TAKEOVER_CRASH_POINTS)('keeps every message when the next node dies at %s', async (point) => {
    const { ledger, shop, heal } = fleet()
    await heal()
    const holding = await holder(fleet())
    const other = otherThan(fleet(), holding)
    await other.terminate()
    await other.start({ FALHA: point })
    const burst = ledger.burst([shop], { customers: 5, messages: 8, pauseMs: 200 })
    await expect.poll(burst.accepted).toBeGreaterThan(10)
    await holding.kill()
    expect(await other.exited()).toBe('SIGKILL')
    await heal()
    await burst.done
    await ledger.exact()
  })
})

longDescribe?.('a node inside the transaction that renews its lease', () => {
  it.for([
    { end: 'is killed', act: 'morre' },
    // The row of the node stays locked until PostgreSQL ends the transaction.
    { end: 'stands still', act: 'para' },
  ])('loses its bot and no message when it $end', async ({ act }) => {
    const { ledger, shop, heal } = fleet()
    await heal()
    const holding = await holder(fleet())
    const other = otherThan(fleet(), holding)
    await other.terminate()
    await other.start({ FALHA: `lease.renovar:8:${act}` })
    await holding.terminate()
    await waitUntil(async () => (await holder(fleet())) === other)
    await holding.start()
    const burst = ledger.burst([shop], { customers: 5, messages: 12, pauseMs: 1_500 })
    await waitUntil(async () => (await holder(fleet())) === holding, 60_000)
    other.signal('SIGCONT')
    await other.exited()
    await burst.done
    await ledger.exact()
  })
})

describe('a node that hangs', () => {
  it('sends and writes nothing for the bot after another node took it', async () => {
    const { ledger, shop, heal, database, holderOf } = fleet()
    await heal()
    const hanging = await holder(fleet())
    await ledger.burst([shop], { customers: 5, messages: 2 }).done
    const burst = ledger.burst([shop], { customers: 5, messages: 8, pauseMs: 100 })
    hanging.signal('SIGSTOP')
    const taken = async (): Promise<boolean> => ![hanging, null].includes(await holderOf(shop.contaId))
    await waitUntil(taken, 60_000)
    await pause(SHORT ? 500 : 45_000)
    const { rows } = await database.owner.query('select no, epoca from bots where conta_id = $1', [shop.contaId])
    hanging.signal('SIGCONT')
    await burst.done
    await ledger.exact()
    const after = await database.owner.query('select no, epoca from bots where conta_id = $1', [shop.contaId])
    expect(after.rows).toEqual(rows)
  })
})
