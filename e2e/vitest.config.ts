import { defineConfig } from 'vitest/config'
import { COMPILED, LANES, SECOND_TRY, WITHOUT_WHATSAPP } from '../scripts/lanes.ts'

export default defineConfig({
  test: {
    name: 'e2e',
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(WITHOUT_WHATSAPP ? ['whatsapp.test.ts'] : [])],
    maxWorkers: LANES,
    retry: SECOND_TRY,
    env: COMPILED,
    // Each file starts a product and a browser, and its tests wait for timers made for people.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A slow machine must not fail a test.
    expect: { poll: { timeout: 60_000, interval: 100 } },
  },
})
