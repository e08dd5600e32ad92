import { type Browser, chromium } from 'playwright-core'

/** The system's Chromium, quiet: it looks nothing up on the network by itself. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROME_BIN'] ?? '/usr/bin/chromium',
    // Without a locale it gives a file whose name has an accent another name.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
}
