import { defineConfig } from 'vitest/config'
import { LANES, SECOND_TRY } from '../../scripts/lanes.ts'

export default defineConfig({
  test: {
    name: 'server',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    globalSetup: './test/global-setup.ts',
    // The whole suite runs with one connector that only the tests have.
    setupFiles: './test/connectors/memory-row.ts',
    pool: 'forks',
    maxWorkers: LANES,
    retry: SECOND_TRY,
    // Loading the server takes longer than the tests of most files. Every file has a separate database.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 50_000 } },
  },
})
