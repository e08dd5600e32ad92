import { defineConfig } from 'vitest/config'
import { COMPILED, LANES, SECOND_TRY } from '../../scripts/lanes.ts'

export default defineConfig({
  test: {
    name: 'whatsapp',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: LANES,
    retry: SECOND_TRY,
    env: COMPILED,
    // The tests share no state. One process per file would load the library eleven times.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A slow machine must not fail a test.
    expect: { poll: { timeout: 50_000 } },
  },
})
