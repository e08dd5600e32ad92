import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseUrl } from '#test/bot/program.ts'
import { waitUntil } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { addLine, connectLine } from '#test/linhas/lines.ts'
import { givenShop, Ledger, type LedgerShop } from './ledger.ts'
import { type NodeProcess, type Processes, startProcesses } from './processes.ts'

const ACCOUNTS = 10
const LINES_OF_ACCOUNT = 3
/** Time until all lines of a dead node are connected on the other one. */
const BACK_MS = 30_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 10_000

let database: TestDatabase
let fleet: Processes
const lines: Required<LedgerShop>[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  fleet = await startProcesses({ databaseUrl: databaseUrl(database), size: 2 })
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const shop = await givenShop(nodeAt(n % 2))
    lines.push({ token: shop.token, linhaId: shop.contaId })
    for (let line = 1; line < LINES_OF_ACCOUNT; line += 1) {
      const { id } = await addLine(shop, `Linha ${line}`)
      await connectLine(shop, id)
      lines.push({ token: shop.token, linhaId: id })
    }
  }
})
afterAll(async () => {
  await fleet?.close()
  await database?.drop()
})

function nodeAt(n: number): NodeProcess {
  const node = fleet.nodes[n]
  if (node === undefined) throw new Error(`no node ${n}`)
  return node
}

/** Lines that are connected, by the name of their node. */
async function connectedLines(): Promise<Map<string, number>> {
  const { rows } = await database.owner.query<{ nome: string; lines: string }>(
    `select n.nome, count(*) as lines from linhas_bots b join nos n on n.id::text = b.no::text
     where b.status = 'CONECTADO' and n.morto_em is null group by 1`,
  )
  return new Map(rows.map(({ nome, lines: count }) => [nome, Number(count)]))
}

it('kill -9 of a node moves 30 lines of 10 accounts within 30 s and keeps every message on its line', async () => {
  expect(lines).toHaveLength(ACCOUNTS * LINES_OF_ACCOUNT)
  await waitUntil(async () => [...(await connectedLines()).values()].reduce((sum, n) => sum + n, 0) === lines.length)
  const before = await connectedLines()
  const [dying, other] = [nodeAt(0), nodeAt(1)]
  for (const node of [dying, other]) expect(before.get(node.name) ?? 0).toBeGreaterThan(lines.length / 4)
  const ledger = new Ledger(fleet.urls)
  const burst = ledger.burst(lines, { customers: 2, messages: 6, pauseMs: 500 })
  await expect.poll(burst.accepted, { interval: 5, timeout: 30_000 }).toBeGreaterThan(lines.length)
  await dying.kill()
  const killedAt = performance.now()
  await waitUntil(async () => (await connectedLines()).get(other.name) === lines.length, BACK_MS + SLOW_MACHINE_MS)
  const backMs = Math.round(performance.now() - killedAt)
  await burst.done
  await ledger.exact()
  process.stdout.write(`lines back after ${backMs} ms, messages: ${ledger.acceptedIds().length}\n`)
})
