import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureDataDir, startEmbedded } from '@balcao/server/bench'
import { measureBus } from './nodes/bus.ts'
import { measureFleet } from './nodes/fleet.ts'
import { measureHotPath } from './nodes/hot-path.ts'
import type { Section } from './report.ts'

/** Several processes of the product on one PostgreSQL of this machine. */
export async function measureNodes(): Promise<Section[]> {
  const hotPath = await measureHotPath()
  const dataDir = await mkdtemp(join('/tmp', 'balcao-bench-'))
  ensureDataDir(dataDir)
  const server = await startEmbedded({ dataDir, say: () => undefined, settings: { max_connections: '200' } })
  try {
    const packets = await measureBus(server)
    return [...(await measureFleet(server, dataDir)), packets, hotPath]
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
