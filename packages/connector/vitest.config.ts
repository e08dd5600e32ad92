import { defineConfig } from 'vitest/config'
import { LANES } from '../../scripts/lanes.ts'

export default defineConfig({
  // The tests share no state. One process per file would take longer than the tests.
  test: { name: 'connector', include: ['src/**/*.test.ts'], maxWorkers: LANES, isolate: false, testTimeout: 30_000 },
})
