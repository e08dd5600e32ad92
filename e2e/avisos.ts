import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const STORAGE_KEY = 'avisos-vistos'

/**
 * Records every notice in the page, because a busy machine may poll only after a notice has disappeared. Call this
 * before the page is opened.
 */
export async function recordNotices(target: BrowserContext | Page): Promise<void> {
  await target.addInitScript((chave) => {
    const vistos: unknown[] = [sessionStorage.getItem(chave)]
    const guardar = (): void => {
      for (const { textContent } of document.querySelectorAll('[aria-label=Avisos] p')) {
        if (vistos.includes(textContent)) continue
        vistos.push(textContent)
        sessionStorage.setItem(chave, vistos.join('\n'))
      }
    }
    new MutationObserver(guardar).observe(document, { childList: true, subtree: true })
  }, STORAGE_KEY)
}

export async function waitForNotice(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate((chave) => sessionStorage.getItem(chave), STORAGE_KEY)).toContain(text)
}
