import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', 'e2e/vitest.config.ts'],
    // The last line is read by machines: see the reporter.
    reporters: [['default', { summary: false }], './scripts/closing-line.reporter.ts'],
  },
})
