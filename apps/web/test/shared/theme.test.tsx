import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import html from '../../app.html?raw'
import { openApp } from '#test/render.tsx'

let close = (): void => undefined
afterEach(() => close())

const tema = () => document.documentElement.dataset['theme']

/** The line of the page that runs before anything is drawn. */
function runThemeScript(): void {
  const script = document.createElement('script')
  script.textContent = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? 'throw new Error("no theme script")'
  document.head.append(script)
  script.remove()
}

it('is switched by the button and kept for the next visit', async () => {
  close = openApp('/login')
  await page.getByRole('button', { name: 'Usar tema escuro' }).click()
  expect(tema()).toBe('dark')
  expect(localStorage.getItem('tema')).toBe('dark')
  await page.getByRole('button', { name: 'Usar tema claro' }).click()
  expect(tema()).toBe('light')
})

it('comes before the first paint: what was chosen, else what the system prefers', () => {
  localStorage.setItem('tema', 'dark')
  runThemeScript()
  expect(tema()).toBe('dark')
  localStorage.setItem('tema', 'outro')
  runThemeScript()
  expect(tema()).toBe(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
})
