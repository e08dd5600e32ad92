import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { openApp } from '#test/render.tsx'

let close = (): void => undefined
afterEach(() => close())

it.each([
  ['/terms', 'Termos de uso', ['banir o número', 'não tem vínculo com o WhatsApp', 'até 500 mensagens por dia']],
  [
    '/privacy',
    'Política de privacidade',
    [
      '180 dias',
      'quem saiu da equipe',
      '90 dias',
      'fora do Brasil',
      'artigo 33 da LGPD',
      'Fotos e áudios',
      'limpa a sessão',
      'ANPD',
      'cópia das últimas 50 conversas',
    ],
  ],
] as const)('shows the required texts on %s, passes axe and links its parts', async (address, titulo, sentences) => {
  close = openApp(address)
  await expect.element(page.getByRole('heading', { level: 1, name: titulo })).toBeVisible()
  for (const sentence of sentences) expect(document.querySelector('main')?.textContent).toContain(sentence)
  const targets = [...document.querySelectorAll<HTMLAnchorElement>('nav a')].map((link) => link.hash)
  expect(targets.length).toBeGreaterThan(5)
  for (const target of targets) expect(document.querySelector(target)).not.toBeNull()
  await expect.element(page.getByRole('link', { name: 'Voltar ao início' })).toHaveAttribute('href', '/')
  await expect.poll(() => document.title).toBe(`${titulo} · Balcão`)
  await expectAccessible()
})

it('scrolls to the chosen part and keeps it in the URL', async () => {
  close = openApp('/privacy')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /Seus direitos/ })
    .click()
  await expect.element(page.getByRole('heading', { name: /Seus direitos/ })).toBeInViewport()
  expect(location.hash).toBe('#direitos')
  expect(scrollY).toBeGreaterThan(0)
})
