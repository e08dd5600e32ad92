import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import html from '../../app.html?raw'
import { openApp } from '#test/render.tsx'

let close = (): void => undefined
afterEach(() => close())

const tema = () => document.documentElement.dataset['theme']

function runThemeScript(): void {
  const script = document.createElement('script')
  script.textContent = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? 'throw new Error("no theme script")'
  document.head.append(script)
  script.remove()
}

it('switches the theme by button and keeps it for the next visit', async () => {
  close = openApp('/login')
  await page.getByRole('button', { name: 'Usar tema escuro' }).click()
  expect(tema()).toBe('dark')
  expect(localStorage.getItem('tema')).toBe('dark')
  await page.getByRole('button', { name: 'Usar tema claro' }).click()
  expect(tema()).toBe('light')
})

it('sets the chosen theme, else the system’s, before the first paint', () => {
  localStorage.setItem('tema', 'dark')
  runThemeScript()
  expect(tema()).toBe('dark')
  localStorage.setItem('tema', 'outro')
  runThemeScript()
  expect(tema()).toBe(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
})
