import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { endProfileProcesses } from './processes.ts'

/** Browser profile folders. A profile holds the linked phone's session, so access to it is access to the phone. */
export interface Profiles {
  readonly folder: (contaId: string) => string
  /**
   * Prepares the folder: ends leftover processes and restricts it to the server's user. `empty` deletes the content
   * of an ended link.
   */
  readonly prepare: (contaId: string, opcoes: { readonly empty: boolean }) => Promise<PreparedProfile>
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
  const pasta = (contaId: string): string => {
    if (!UUID.test(contaId)) throw new Error('invalid account id')
    return join(dir, contaId)
  }
  const apagar = async (contaId: string): Promise<void> => {
    await endProfileProcesses(pasta(contaId))
    await rm(pasta(contaId), REMOVE_OPTIONS)
  }
  return {
    folder: pasta,
    remove: apagar,
    prepare: async (contaId, { empty }) => {
      const place = pasta(contaId)
      const finished = await endProfileProcesses(place)
      if (empty) await rm(place, REMOVE_OPTIONS)
      await mkdir(place, { recursive: true, mode: 0o700 })
      await chmod(dir, 0o700)
      await chmod(place, 0o700)
      await Promise.all(LOCK_FILES.map((trava) => rm(join(place, trava), { force: true })))
      return { folder: place, endedProcesses: finished }
    },
    list: async () => (await readdir(dir).catch(() => [])).filter((name) => UUID.test(name)),
  }
}
