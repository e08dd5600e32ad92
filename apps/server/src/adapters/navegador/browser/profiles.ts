import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import { endProfileProcesses } from './processes.ts'

/** Browser profile folders. A profile holds the linked phone's session, so access to it is access to the phone. */
export interface Profiles {
  readonly folder: (contaId: string) => string
  /**
   * Prepares the folder: ends leftover processes and restricts it to the server's user. `empty` deletes the content
   * of an ended link.
   */
  readonly prepare: (contaId: string, options: { readonly empty: boolean }) => Promise<PreparedProfile>
  readonly remove: (contaId: string) => Promise<void>
  readonly list: () => Promise<string[]>
}

export interface PreparedProfile {
  readonly folder: string
  readonly endedProcesses: number
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
/** A killed browser leaves these locks, and the next one then believes that it still runs. */
const LOCK_FILES = ['SingletonLock', 'SingletonCookie', 'SingletonSocket']
const REMOVE_OPTIONS = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 } as const

export function createProfiles(dir: string): Profiles {
  const folderOf = (contaId: string): string => {
    if (!UUID.test(contaId)) throw new Error('invalid account id')
    return join(dir, contaId)
  }
  return {
    folder: folderOf,
    remove: async (contaId) => {
      await endProfileProcesses(folderOf(contaId))
      await rm(folderOf(contaId), REMOVE_OPTIONS)
    },
    prepare: async (contaId, { empty }) => {
      const folder = folderOf(contaId)
      const endedProcesses = await endProfileProcesses(folder)
      if (empty) await rm(folder, REMOVE_OPTIONS)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(dir, 0o700)
      await chmod(folder, 0o700)
      await Promise.all(LOCK_FILES.map((file) => rm(join(folder, file), { force: true })))
      return { folder, endedProcesses }
    },
    list: async () => (await readdir(dir).catch(() => [])).filter((name) => UUID.test(name)),
  }
}

export interface ProfileLocks {
  readonly take: (contaId: string) => Promise<() => void>
  readonly isHeld: (contaId: string) => boolean
}

export function createProfileLocks(): ProfileLocks {
  const locks = new Map<string, Mutex>()
  return {
    take: async (contaId) => {
      const lock = locks.get(contaId) ?? new Mutex()
      locks.set(contaId, lock)
      const release = await lock.acquire()
      return () => {
        release()
        if (!lock.isLocked() && locks.get(contaId) === lock) locks.delete(contaId)
      }
    },
    isHeld: (contaId) => locks.has(contaId),
  }
}
