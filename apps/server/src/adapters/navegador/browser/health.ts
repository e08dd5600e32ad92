import { withTimeout } from '#adapters/navegador/failures.ts'
import type { OpenBrowser } from './launch.ts'

export interface PageHealthOptions {
  readonly maxMemoryBytes: number
  readonly report: (error: unknown, event: string) => void
  readonly everyMs: number
  readonly onConnected: () => void
  readonly recover: (browser: OpenBrowser) => Promise<void>
}

const STATE_MS = 10_000
/** Timeout from scan to loaded page: a phone with many chats is slow. */
const LOAD_MS = 5 * 60_000
const UNANSWERED_MAX = 3
const RECOVER_EVERY = 10

export class PageHealth {
  readonly #options: PageHealthOptions
  #unanswered = 0
  #checks = 0
  #progressAt = 0
  #checking = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: PageHealthOptions) {
    this.#options = options
  }

  start(check: () => Promise<void>): void {
    this.#timer = setInterval(() => {
      if (this.#checking) return
      this.#checking = true
      void check().finally(() => (this.#checking = false))
    }, this.#options.everyMs)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  reset(): void {
    this.#unanswered = 0
  }

  progressed(): void {
    this.#progressAt = performance.now()
  }

  isLate(): boolean {
    return performance.now() - this.#progressAt > LOAD_MS
  }

  /** Resolves with true when the browser must be reopened. Never rejects. */
  async mustReopen(browser: OpenBrowser): Promise<boolean> {
    const { maxMemoryBytes, report } = this.#options
    await this.#ask(browser)
    const bytes = (await browser.memory().catch(() => null)) ?? 0
    if (bytes > maxMemoryBytes) report(`${Math.round(bytes / 2 ** 20)} MB`, 'browser over memory limit, reopening')
    return bytes > maxMemoryBytes || this.#unanswered >= UNANSWERED_MAX
  }

  async #ask(browser: OpenBrowser): Promise<void> {
    const { report, onConnected, recover } = this.#options
    try {
      const isConnected = (await withTimeout(browser.client.getState(), STATE_MS)) === 'CONNECTED'
      this.#unanswered = isConnected ? 0 : this.#unanswered + 1
      if (isConnected) onConnected()
      this.#checks += 1
      // Also finds messages of a reloaded page that emits no events.
      if (this.#checks % RECOVER_EVERY === 0) await recover(browser)
    } catch (error) {
      report(error, 'page not responding')
      this.#unanswered += 1
    }
  }
}
