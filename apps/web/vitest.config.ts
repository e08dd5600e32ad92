import tailwindcss from '@tailwindcss/vite'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { LANES, SECOND_TRY } from '../../scripts/lanes.ts'
import { manual } from './scripts/manual.ts'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
]

export default defineConfig({
  plugins: [tailwindcss(), manual()],
  // The React that people get: the development one spends more than the panel itself on traces that only its tools read.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  optimizeDeps: {
    // Asked for by what the panel's files become, which nobody has read when the dependencies are prepared.
    include: ['react/jsx-runtime'],
    rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"production"' } } },
  },
  test: {
    name: 'web',
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['./test/setup.ts'],
    maxWorkers: LANES,
    retry: SECOND_TRY,
    // A slow machine is slow, not wrong.
    testTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        // What moves is drawn over and over, and an element that moves cannot be pressed yet.
        contextOptions: { reducedMotion: 'reduce' },
        launchOptions: { executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium', args: ARGS },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1366, height: 800 } }],
    },
  },
})
