import { defineConfig } from 'vitest/config'
import { LANES } from '../../scripts/lanes.ts'

export default defineConfig({
  test: {
    name: 'whatsapp',
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: LANES,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
