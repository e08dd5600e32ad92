import { defineConfig } from 'vitest/config'
import { COMPILED, LANES, SECOND_TRY, WITHOUT_WHATSAPP } from '../../scripts/lanes.ts'

/** `npm run falhas` plays the faults for longer and more often, and a fault that fails once is a failure. */
const FAULTS = process.env['FALHAS'] === 'todas'

/** Files that only `npm run falhas` plays. */
const LONG = [
  'test/fleet/copied-folder.test.ts',
  'test/fleet/database-clock.test.ts',
  'test/fleet/full-disk.test.ts',
  'test/fleet/migration.test.ts',
  'test/fleet/overload.test.ts',
  'test/fleet/patroni/**',
  'test/fleet/point-in-time.test.ts',
  'test/fleet/power-cut.test.ts',
  'test/fleet/previous-version.test.ts',
  'test/fleet/questions.test.ts',
  'test/fleet/slow-round.test.ts',
  'test/oficial/fleet.test.ts',
  'test/whatsapp/promotion.test.ts',
]

export default defineConfig({
  test: {
    name: 'server',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    exclude: [...(WITHOUT_WHATSAPP ? ['test/whatsapp/**'] : []), ...(FAULTS ? [] : LONG)],
    globalSetup: './test/global-setup.ts',
    // The whole suite runs with one connector that only the tests have.
    setupFiles: './test/connectors/memory-row.ts',
    pool: 'forks',
    maxWorkers: LANES,
    retry: FAULTS ? 0 : SECOND_TRY,
    env: COMPILED,
    // Loading the server takes longer than the tests of most files. Every file has a separate database.
    isolate: false,
    testTimeout: FAULTS ? 900_000 : 120_000,
    hookTimeout: FAULTS ? 900_000 : 300_000,
    expect: { poll: { timeout: 50_000 } },
  },
})
