import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    include: ['**/*.test.ts'],
    // One product, one browser: journeys wait for people's time, not for the machine's.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    // A slow machine is slow, not wrong.
    expect: { poll: { timeout: 20_000, interval: 100 } },
  },
})
