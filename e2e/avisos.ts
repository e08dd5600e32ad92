import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'

const GUARDADOS = 'avisos-vistos'

/**
 * Records every notice in the page, because a busy machine may poll only after a notice has disappeared. Call this
 * before the page is opened.
 */
export async function guardarAvisos(onde: BrowserContext | Page): Promise<void> {
  await onde.addInitScript((chave) => {
    const vistos: unknown[] = [sessionStorage.getItem(chave)]
    const guardar = (): void => {
      for (const { textContent } of document.querySelectorAll('[aria-label=Avisos] p')) {
        if (vistos.includes(textContent)) continue
        vistos.push(textContent)
        sessionStorage.setItem(chave, vistos.join('\n'))
      }
    }
    new MutationObserver(guardar).observe(document, { childList: true, subtree: true })
  }, GUARDADOS)
}

export async function avisou(page: Page, texto: string): Promise<void> {
  await expect.poll(() => page.evaluate((chave) => sessionStorage.getItem(chave), GUARDADOS)).toContain(texto)
}
