import { afterAll, beforeAll } from 'vitest'
import { databaseUrl } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import type { TestUser } from '#test/app.ts'
import { givenShop, Ledger } from './ledger.ts'
import { type NodeProcess, type Processes, startProcesses } from './processes.ts'
import { seededRandom } from './faults.ts'

export interface FleetFixture extends Processes {
  readonly database: TestDatabase
  readonly shop: TestUser
  readonly ledger: Ledger
  readonly random: () => number
  readonly holderOf: (contaId: string) => Promise<NodeProcess | null>
  /** Starts the nodes that are not running. */
  readonly heal: () => Promise<void>
}

/** Real processes, one conta with a connected bot and a ledger, for all tests of a file. */
export function useProcesses(
  name: string,
  { size = 2, env = {} }: { readonly size?: number; readonly env?: Readonly<Record<string, string>> } = {},
): () => FleetFixture {
  let fixture: FleetFixture | undefined
  beforeAll(async () => {
    const database = await createTestDatabase()
    const processes = await startProcesses({ databaseUrl: databaseUrl(database), size, env }).catch(
      async (error: unknown) => {
        await database.drop()
        throw error
      },
    )
    const { nodes, urls } = processes
    const [first] = nodes
    if (first === undefined) throw new Error('a fleet needs a node')
    const random = seededRandom(name)
    fixture = {
      ...{ ...processes, database, random, ledger: new Ledger(urls, random), shop: await givenShop(first) },
      holderOf: (contaId) => holderOf({ nodes, database }, contaId),
      heal: async () => {
        for (const node of nodes) if (!node.running()) await node.start()
      },
    }
  })
  afterAll(async () => {
    await fixture?.close()
    await fixture?.database.drop()
  })
  return () => {
    if (fixture === undefined) throw new Error('processes not started')
    return fixture
  }
}

/** The running node that has the bot of a conta. Null: none. */
export async function holderOf(
  { nodes, database }: Pick<FleetFixture, 'nodes' | 'database'>,
  contaId: string,
): Promise<NodeProcess | null> {
  const { rows } = await database.owner.query<{ nome: string }>(
    'select n.nome from bots b join nos n on n.id::text = b.no::text where b.conta_id = $1 and n.morto_em is null',
    [contaId],
  )
  return nodes.find((node) => node.running() && node.name === rows[0]?.nome) ?? null
}
