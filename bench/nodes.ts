import { measureBus } from './nodes/bus.ts'
import { measureCustomers } from './nodes/customers.ts'
import { measureFleet } from './nodes/fleet.ts'
import { measureHotPath } from './nodes/hot-path.ts'
import { measureIdleFleet } from './nodes/idle.ts'
import { withServer } from './nodes/processes.ts'
import type { Section } from './report.ts'

/** Several processes of the product on one PostgreSQL of this machine. */
export async function measureNodes(): Promise<Section[]> {
  const hotPath = await measureHotPath()
  const sections = await withServer({ max_connections: '200' }, async (bench) => {
    const packets = await measureBus(bench.server)
    return [...(await measureFleet(bench)), packets, hotPath]
  })
  return [...sections, ...(await measureIdleFleet()), ...(await measureCustomers())]
}
