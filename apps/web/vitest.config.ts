import tailwindcss from '@tailwindcss/vite'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { LANES, SECOND_TRY } from '../../scripts/lanes.ts'
import { bareRoutes } from './scripts/bare-routes.ts'
import { manual } from './scripts/manual.ts'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
]

const { CHROME_BIN = '/usr/bin/chromium', CHROME_SHELL_BIN: CHROME = CHROME_BIN } = process.env

export default defineConfig({
  plugins: [bareRoutes(), tailwindcss(), manual()],
  // The development build of React spends more time on traces than the panel itself needs.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  optimizeDeps: {
    // Transformed sources import it, so Vite's scan of the sources does not find it.
    include: ['react/jsx-runtime'],
    rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"production"' } } },
  },
  test: {
    name: 'web',
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['./test/setup.ts'],
    // All files of a lane share one page and one copy of the panel's modules. `test/setup.ts` resets both.
    isolate: false,
    maxWorkers: LANES,
    // After the tests of Node. Pages have their own lanes, so both together would load two cores with six lanes.
    sequence: { groupOrder: 1 },
    retry: SECOND_TRY,
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        // Playwright waits for an animated element before it clicks.
        contextOptions: { reducedMotion: 'reduce' },
        launchOptions: { executablePath: CHROME, args: ARGS },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1366, height: 800 } }],
    },
  },
})
