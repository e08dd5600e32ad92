import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const STORAGE_KEY = 'avisos-vistos'

/**
 * Records every notice in the page, because a busy machine may poll only after a notice has disappeared. Call this
 * before the page is opened.
 */
export async function recordNotices(target: BrowserContext | Page): Promise<void> {
  await target.addInitScript((key) => {
    const seen: unknown[] = [sessionStorage.getItem(key)]
    const store = (): void => {
      for (const { textContent } of document.querySelectorAll('[aria-label=Avisos] p')) {
        if (seen.includes(textContent)) continue
        seen.push(textContent)
        sessionStorage.setItem(key, seen.join('\n'))
      }
    }
    new MutationObserver(store).observe(document, { childList: true, subtree: true })
  }, STORAGE_KEY)
}

export async function waitForNotice(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate((key) => sessionStorage.getItem(key), STORAGE_KEY)).toContain(text)
}
