import { randomUUID } from 'node:crypto'
import { connectDirect, connectionName } from '#db/nodes/direct-connection.ts'
import { createTestApp, type TestApp, type TestAppOptions, waitUntil } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

export interface FleetNode {
  readonly id: string
  readonly app: TestApp
  /** Ends the connections of the bus in the database. */
  readonly breakBus: () => Promise<void>
}

export interface TestFleet {
  readonly nodes: readonly FleetNode[]
  readonly database: TestDatabase
  readonly start: (options?: TestAppOptions) => Promise<FleetNode>
  readonly close: () => Promise<void>
}

/** Several servers of one database in this process, which know each other. */
export async function createFleet(size: number): Promise<TestFleet> {
  const database = await createTestDatabase()
  const nodes: FleetNode[] = []
  const start: TestFleet['start'] = async (options = {}) => {
    const id = randomUUID()
    const applicationName = connectionName(id)
    const connect = () => connectDirect(database.target, { applicationName })
    const app = await createTestApp({ database, node: id, connectDirect: connect, nodeRoundMs: 100, ...options })
    const breakBus = async (): Promise<void> => {
      await database.owner.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
        applicationName,
      ])
    }
    const node = { id, app, breakBus }
    nodes.push(node)
    return node
  }
  while (nodes.length < size) await start()
  const complete = ({ app }: FleetNode): boolean => app.deps.fleet.others().length === size - 1
  await waitUntil(() => nodes.every(complete))
  return {
    nodes,
    database,
    start,
    close: async () => {
      for (const { app } of nodes) await app.close()
      await database.drop()
    },
  }
}
