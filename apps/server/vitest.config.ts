import { defineConfig } from 'vitest/config'
import { LANES, SECOND_TRY } from '../../scripts/lanes.ts'

export default defineConfig({
  test: {
    name: 'server',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    globalSetup: './test/global-setup.ts',
    pool: 'forks',
    maxWorkers: LANES,
    retry: SECOND_TRY,
    // Bringing the server costs more than most files' tests, which share nothing but the code: each has a database of its own.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A slow machine is slow, not wrong.
    expect: { poll: { timeout: 50_000 } },
  },
})
