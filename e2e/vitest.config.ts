import { defineConfig } from 'vitest/config'
import { LANES, SECOND_TRY } from '../scripts/lanes.ts'

export default defineConfig({
  test: {
    name: 'e2e',
    include: ['**/*.test.ts'],
    maxWorkers: LANES,
    retry: SECOND_TRY,
    // Each file has a product and a browser of its own: journeys wait for people's time, not for the machine's.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A slow machine is slow, not wrong.
    expect: { poll: { timeout: 60_000, interval: 100 } },
  },
})
