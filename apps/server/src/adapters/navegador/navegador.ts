import type { FastifyBaseLogger } from 'fastify'
import type { ConnectorFactory } from '@balcao/connector/port'
import { type WebLibrary, loadWebLibrary } from './browser/library.ts'
import { createBrowserSlots } from './browser/launch.ts'
import { createProfileLocks, createProfiles } from './browser/profiles.ts'
import type { NavegadorTimings } from './options.ts'
import { createConnection } from './connection.ts'

export interface NavegadorOptions extends NavegadorTimings {
  readonly dir: string
  readonly allowedPaths?: readonly string[] | undefined
  readonly runAsRoot?: boolean
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly loadLibrary?: () => Promise<WebLibrary>
  readonly maxBrowsers?: number
  readonly maxMemoryBytes?: number
}

export function createNavegador(options: NavegadorOptions): {
  readonly factory: ConnectorFactory
  readonly forget: (linhaId: string) => Promise<void>
  /**
   * Deletes profiles of deleted or unlinked lines and returns how many. `alive` returns which of the given lines are
   * still linked.
   */
  readonly sweep: (alive: (linhas: readonly string[]) => Promise<ReadonlySet<string>>) => Promise<number>
} {
  const { dir, allowedPaths = [], runAsRoot = false, log, loadLibrary = loadWebLibrary, maxBrowsers } = options
  const profiles = createProfiles(dir)
  const slots = createBrowserSlots(maxBrowsers)
  const profileLocks = createProfileLocks()
  const deleteUnused = async (linhaId: string): Promise<boolean> => {
    if (profileLocks.isHeld(linhaId)) return false
    const release = await profileLocks.take(linhaId)
    try {
      await profiles.remove(linhaId)
      return true
    } finally {
      release()
    }
  }
  return {
    factory: (host) => {
      const { contaId, linhaId } = host
      const report = (error: unknown, event: string): void =>
        log.warn({ contaId, linhaId, detalhe: detailOf(error) }, `navegador: ${event}`)
      const shared = { allowedPaths, runAsRoot, profiles, slots, profileLocks, loadLibrary, report }
      return createConnection(host, { ...options, ...shared })
    },
    forget: async (linhaId) => void (await deleteUnused(linhaId)),
    sweep: async (alive) => {
      const linhas = await profiles.list()
      const left = linhas.length === 0 ? new Set<string>() : await alive(linhas)
      const done = await Promise.all(linhas.filter((linha) => !left.has(linha)).map(deleteUnused))
      return done.filter(Boolean).length
    },
  }
}

const DETAIL_MAX = 300

function detailOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0]?.slice(0, DETAIL_MAX) ?? ''
}
