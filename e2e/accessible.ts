import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface View {
  readonly width: number
  readonly height: number
  readonly theme: 'light' | 'dark'
}

const PHONE: View = { width: 320, height: 640, theme: 'light' }
const DESKTOP: View = { width: 1366, height: 768, theme: 'dark' }
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Expects no violation and nothing wider than the window or an open dialog. A page is checked on a phone and on a
 * desktop, one theme each. A dialog is checked on a phone, because each check takes half a second.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  await page.evaluate(axe.source)
  const before = page.viewportSize()
  const dialogs = await page.locator('dialog[open]').count()
  for (const { width, height, theme } of dialogs === 0 ? [PHONE, DESKTOP] : [PHONE]) {
    await page.setViewportSize({ width, height })
    const found = await page.evaluate(
      async ({ theme, rules }) => {
        document.documentElement.dataset['theme'] = theme
        // The animations start with the next frame.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        // The sign of a busy button turns for ever.
        const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
        const run: unknown = Reflect.get(Object(Reflect.get(window, 'axe')), 'run')
        if (typeof run !== 'function') throw new Error('axe missing')
        const { violations } = await run(document, { runOnly: rules, resultTypes: ['violations'] })
        const areas = [document.documentElement, ...document.querySelectorAll('dialog[open]')]
        const wide = areas.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        return [
          ...violations.map(
            ({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
              `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
          ),
          ...wide.map(({ tagName, scrollWidth }) => `${tagName} is ${scrollWidth} px wide`),
        ]
      },
      { theme, rules: RULES },
    )
    expect(found, `${screen}, ${width} px, ${theme}`).toEqual([])
  }
  if (before !== null) await page.setViewportSize(before)
}
