import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { manual } from './scripts/manual.ts'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
]

export default defineConfig({
  plugins: [react(), tailwindcss(), manual()],
  test: {
    name: 'web',
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['./test/setup.ts'],
    testTimeout: 40_000,
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: { executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium', args: ARGS },
      }),
      instances: [{ browser: 'chromium', viewport: { width: 1366, height: 800 } }],
    },
  },
})
