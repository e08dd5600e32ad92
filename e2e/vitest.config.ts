import { statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { COMPILED, LANES, SECOND_TRY, WITHOUT_WHATSAPP } from '../scripts/lanes.ts'

const MEMORY_DISK = '/dev/shm'
const ROOM_BYTES = 4_000_000_000

/**
 * Data folders and browser profiles in memory: on a busy disk a product waits seconds for its syncs. SIGKILL keeps
 * written pages on both kinds of disk. A container may offer only 64 MB here, too little for one database.
 */
function temporaryFolder(): Record<string, string> {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    return bavail * bsize < ROOM_BYTES ? {} : { TMPDIR: MEMORY_DISK }
  } catch {
    return {}
  }
}

export default defineConfig({
  test: {
    name: 'e2e',
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(WITHOUT_WHATSAPP ? ['whatsapp.test.ts'] : [])],
    maxWorkers: LANES,
    retry: SECOND_TRY,
    env: { ...COMPILED, ...temporaryFolder() },
    // Each file starts a product and a browser, and its tests wait for timers made for people.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A slow machine must not fail a test.
    expect: { poll: { timeout: 60_000, interval: 100 } },
  },
})
