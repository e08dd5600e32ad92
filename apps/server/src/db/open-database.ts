import type { ConnectionTarget } from './connection.ts'
import { lockDataDir } from './embedded/lock.ts'
import { ensureDataDir, startEmbedded } from './embedded/supervisor.ts'
import { holdSingleNode } from './single-node.ts'

export interface DatabaseOptions {
  readonly dataDir: string
  /** External database. Without it, the embedded one of the data folder. */
  readonly url: string | undefined
  readonly say: (sentence: string) => void
}

export interface OpenDatabase {
  /** Connects as the owner of the tables. */
  readonly target: ConnectionTarget
  /** To close in this order, after all connections. */
  readonly parts: readonly { readonly name: string; readonly close: () => Promise<void> }[]
}

/**
 * Opens the database for this process alone: locks the data folder and the external database. Throws a Portuguese
 * sentence if another process uses one of them.
 */
export async function openDatabase({ dataDir, url, say }: DatabaseOptions): Promise<OpenDatabase> {
  ensureDataDir(dataDir)
  const lock = await lockDataDir(dataDir)
  const lockPart = { name: 'lock', close: () => lock.release() }
  if (url !== undefined) {
    const target = { url }
    const hold = await holdSingleNode(target)
    return { target, parts: [{ name: 'hold', close: () => hold.release() }, lockPart] }
  }
  const embedded = await startEmbedded({ dataDir, say })
  return { target: embedded.target, parts: [{ name: 'postgres', close: () => embedded.stop() }, lockPart] }
}
