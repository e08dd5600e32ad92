// `npm test`: installs missing dependencies and a browser, and runs every check and test.
import { ensureInstalled } from './toolchain.mjs'

ensureInstalled()
const { ensureChromium, ensureShell } = await import('./chromium.mjs')
process.env.CHROME_BIN = ensureChromium()
process.env.CHROME_SHELL_BIN = ensureShell(process.env.CHROME_BIN)
const { check } = await import('./check.mjs')
process.exitCode = await check(process.argv.slice(2))
