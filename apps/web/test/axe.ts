import axe from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'

/** Each width and each theme once. All four combinations would take twice as long. */
const VIEWS = [
  { largura: 360, tema: 'light' },
  { largura: 1366, tema: 'dark' },
] as const

/**
 * Expects no violation on a phone and on a desktop, one per theme, and no overflow on the narrowest phone. The
 * callback runs at each width before the check.
 */
export async function expectAccessible(prepare: () => void = () => undefined): Promise<void> {
  for (const { largura, tema } of VIEWS) {
    await page.viewport(largura, 800)
    document.documentElement.dataset['theme'] = tema
    prepare()
    // Fixed scroll position, because the bar of unsaved edits covers content below it.
    scrollTo({ top: 0, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await Promise.all(document.getAnimations().map((animacao) => animacao.finished.catch(() => undefined)))
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    const found = violations.map(
      ({ id, nodes }) => `${tema} ${largura}: ${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
    expect(found).toEqual([])
  }
  await page.viewport(320, 700)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  for (const dialog of document.querySelectorAll('dialog[open]'))
    expect(dialog.scrollWidth, 'content wider than its dialog').toBeLessThanOrEqual(dialog.clientWidth)
  await page.viewport(1366, 800)
  document.documentElement.dataset['theme'] = 'light'
}
