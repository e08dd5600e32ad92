import { defineConfig } from 'vitest/config'
import { LANES } from '../../scripts/lanes.ts'

export default defineConfig({
  // Pure functions leave nothing behind: a process of its own for each file would cost more than its tests.
  test: { name: 'engine', include: ['src/**/*.test.ts'], maxWorkers: LANES, isolate: false, testTimeout: 30_000 },
})
