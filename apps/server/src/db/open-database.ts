import type { ConnectionTarget } from './connection.ts'
import { lockDataDir } from './embedded/lock.ts'
import { ensureDataDir, startEmbedded } from './embedded/supervisor.ts'
import { Primary } from './nodes/primary.ts'
import { refusePooler } from './nodes/refuse-pooler.ts'
import { holdSingleNode } from './nodes/single-node.ts'

export interface DatabaseOptions {
  readonly dataDir: string
  /** External database. Without it, the embedded one of the data folder. */
  readonly url: string | undefined
  readonly say: (sentence: string) => void
}

export interface OpenDatabase {
  /** Connects as the owner of the tables. */
  readonly target: ConnectionTarget
  /** Connects for ordinary work. */
  readonly poolTarget: ConnectionTarget
  /** No process of an earlier start can still be working, so its leases may be taken before they expire. */
  readonly exclusive: boolean
  /** The server of an external database. Null: the embedded one, which only this process uses. */
  readonly primary: Primary | null
  /** Resolves when another process took the external database over. This process must then end. */
  readonly taken: Promise<void>
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
    const primary = new Primary(url)
    await refusePooler(primary)
    const hold = await holdSingleNode(primary)
    const target = { primary }
    const parts = [{ name: 'hold', close: () => hold.release() }, lockPart]
    // The lock of an external database may pass to another process while the first one still runs.
    return { target, poolTarget: target, primary, exclusive: false, taken: hold.taken, parts }
  }
  const embedded = await startEmbedded({ dataDir, say })
  const parts = [{ name: 'postgres', close: () => embedded.stop() }, lockPart]
  const { target, poolTarget } = embedded
  return { target, poolTarget, primary: null, exclusive: true, taken: new Promise(() => undefined), parts }
}
