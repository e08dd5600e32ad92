import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from 'async-mutex'
import { endProfileProcesses } from './processes.ts'

/** Browser profile folders. A profile holds the linked phone's session, so access to it is access to the phone. */
export interface Profiles {
  readonly folder: (linhaId: string) => string
  /**
   * Prepares the folder: ends leftover processes and restricts it to the server's user. `empty` deletes the content
   * of an ended link.
   */
  readonly prepare: (linhaId: string, options: { readonly empty: boolean }) => Promise<PreparedProfile>
  readonly remove: (linhaId: string) => Promise<void>
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
  const folderOf = (linhaId: string): string => {
    if (!UUID.test(linhaId)) throw new Error('invalid line id')
    return join(dir, linhaId)
  }
  return {
    folder: folderOf,
    remove: async (linhaId) => {
      await endProfileProcesses(folderOf(linhaId))
      await rm(folderOf(linhaId), REMOVE_OPTIONS)
    },
    prepare: async (linhaId, { empty }) => {
      const folder = folderOf(linhaId)
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
  readonly take: (linhaId: string) => Promise<() => void>
  readonly isHeld: (linhaId: string) => boolean
}

export function createProfileLocks(): ProfileLocks {
  const locks = new Map<string, Mutex>()
  return {
    take: async (linhaId) => {
      const lock = locks.get(linhaId) ?? new Mutex()
      locks.set(linhaId, lock)
      const release = await lock.acquire()
      return () => {
        release()
        if (!lock.isLocked() && locks.get(linhaId) === lock) locks.delete(linhaId)
      }
    },
    isHeld: (linhaId) => locks.has(linhaId),
  }
}
