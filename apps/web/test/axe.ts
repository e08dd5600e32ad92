import axe from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'

/** A phone in the light, a desk in the dark: each width and each theme once, at half the time of all four. */
const OLHARES = [
  { largura: 360, tema: 'light' },
  { largura: 1366, tema: 'dark' },
] as const

/**
 * No violation on a phone and on a desktop, one in each theme, and nothing wider than the narrowest phone. `preparar` runs at
 * each width, before looking.
 */
export async function expectAccessible(preparar: () => void = () => undefined): Promise<void> {
  for (const { largura, tema } of OLHARES) {
    await page.viewport(largura, 800)
    document.documentElement.dataset['theme'] = tema
    preparar()
    // The bar of unsaved edits lies over whatever is scrolled under it, and where that is must not depend on the machine.
    scrollTo({ top: 0, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    // Colours move for a moment after a change of theme; what is judged is where they rest.
    await Promise.all(document.getAnimations().map((animacao) => animacao.finished.catch(() => undefined)))
    const { violations } = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    const achados = violations.map(
      ({ id, nodes }) => `${tema} ${largura}: ${id} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    )
    expect(achados).toEqual([])
  }
  await page.viewport(320, 700)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  await page.viewport(1366, 800)
  document.documentElement.dataset['theme'] = 'light'
}
