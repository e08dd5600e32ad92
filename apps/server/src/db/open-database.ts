import type { ConnectionTarget } from './connection.ts'
import { lockDataDir } from './embedded/lock.ts'
import { ensureDataDir, startEmbedded } from './embedded/supervisor.ts'
import { Primary } from './nodes/primary.ts'
import { type DatabaseUse, lockDatabase } from './nodes/database-lock.ts'
import { refusePooler } from './nodes/refuse-pooler.ts'

export interface DatabaseOptions {
  readonly dataDir: string
  /** External database. Without it, the embedded one of the data folder. */
  readonly url: string | undefined
  readonly use: DatabaseUse
  readonly say: (sentence: string) => void
}

export interface OpenDatabase {
  /** Connects as the owner of the tables. */
  readonly target: ConnectionTarget
  /** Connects for ordinary work. */
  readonly poolTarget: ConnectionTarget
  /** No other process can use the database, so those of earlier starts are dead. */
  readonly exclusive: boolean
  /** The server of an external database. Null: the embedded one, which only this process uses. */
  readonly primary: Primary | null
  /** Resolves when a process that must be alone took the external database. This process must then end. */
  readonly taken: Promise<void>
  /** To close in this order, after all connections. */
  readonly parts: readonly { readonly name: string; readonly close: () => Promise<void> }[]
}

/**
 * Opens the database and locks it and the data folder. Throws a Portuguese sentence if another process uses the folder
 * or, against `use`, the external database.
 */
export async function openDatabase({ dataDir, url, use, say }: DatabaseOptions): Promise<OpenDatabase> {
  ensureDataDir(dataDir)
  const lock = await lockDataDir(dataDir)
  const lockPart = { name: 'lock', close: () => lock.release() }
  if (url !== undefined) {
    const primary = new Primary(url)
    await refusePooler(primary)
    const hold = await lockDatabase(primary, use)
    const target = { primary }
    const parts = [{ name: 'hold', close: () => hold.release() }, lockPart]
    return { target, poolTarget: target, primary, exclusive: false, taken: hold.taken, parts }
  }
  const embedded = await startEmbedded({ dataDir, say })
  const parts = [{ name: 'postgres', close: () => embedded.stop() }, lockPart]
  const { target, poolTarget } = embedded
  return { target, poolTarget, primary: null, exclusive: true, taken: new Promise(() => undefined), parts }
}
