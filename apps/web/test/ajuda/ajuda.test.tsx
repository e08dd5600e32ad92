import '../dashboard/fake-socket.ts'
import { TEMAS } from 'virtual:manual'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { openApp } from '#test/render.tsx'
import { openPanel } from '#test/dashboard/panel.tsx'

let close = (): void => undefined
afterEach(() => close())

const titulo = (nome: string) => page.getByRole('heading', { level: 1, name: nome, exact: true })
const manual = page.getByRole('navigation', { name: 'Manual' })
const search = page.getByLabelText('Procurar no manual')

describe('Manual', () => {
  it('opens on the cover, searches without accents and links its pages', async () => {
    close = openApp('/ajuda')
    await expect.element(titulo('Ajuda')).toBeVisible()
    for (const { titulo: nome } of TEMAS)
      await expect.element(manual.getByRole('link', { name: nome, exact: true })).toBeVisible()

    await search.fill('ferias')
    await expect.element(page.getByRole('status').getByText('1 página fala disso')).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('link', { name: /Horário e feriados/ })
      .click()
    await expect.element(titulo('Horário e feriados')).toBeVisible()
    await expect.poll(() => document.title).toBe('Horário e feriados · Balcão')
    await expect
      .element(manual.getByRole('link', { name: 'Horário e feriados' }))
      .toHaveAttribute('aria-current', 'page')
    await expect
      .element(page.getByRole('link', { name: 'aba Mensagens' }))
      .toHaveAttribute('href', '/dashboard?aba=mensagens')

    await page
      .getByRole('navigation', { name: 'Outras páginas' })
      .getByRole('link', { name: 'Assistente de IA' })
      .click()
    await expect.element(titulo('Assistente de IA')).toHaveFocus()

    await manual.getByRole('link', { name: 'Todas as páginas' }).click()
    await search.fill('zebra')
    await expect.element(page.getByText('Nada sobre “zebra”')).toBeVisible()
    await page.getByRole('button', { name: 'Limpar busca' }).click()
    await expect.element(search).toHaveValue('')
    await expect.element(page.getByRole('main').getByRole('link', { name: /Glossário/ })).toBeVisible()
  })

  it('opens at the page of the current tab and reports a missing page', async () => {
    const painel = openPanel('/dashboard?aba=mensagens')
    close = painel.unmount
    await page.getByRole('navigation', { name: 'Seções do painel' }).getByRole('link', { name: 'Ajuda' }).click()
    await expect.element(titulo('O menu do bot')).toBeVisible()
    await expect.element(manual.getByRole('link', { name: 'O menu do bot' })).toHaveAttribute('aria-current', 'page')
    await page.getByRole('link', { name: 'Voltar ao painel' }).click()
    await expect.element(page.getByRole('navigation', { name: 'Seções do painel' })).toBeVisible()
    await userEvent.keyboard('{Control>}k{/Control}')
    await page.getByRole('combobox', { name: 'Buscar ou executar' }).fill('manual')
    await userEvent.keyboard('{Enter}')
    await expect.element(titulo('Ajuda')).toBeVisible()
    close()

    close = openApp('/ajuda/nada-disso')
    await expect.element(page.getByText('Esta página não existe')).toBeVisible()
    await page.getByRole('link', { name: 'Ver todas as páginas' }).click()
    await expect.element(search).toBeVisible()
  })

  it('passes axe on the cover and on a page with all elements', async () => {
    close = openApp('/ajuda')
    await expect.element(search).toBeVisible()
    await expectAccessible()
    close()
    close = openApp('/ajuda/conectar-o-celular')
    await expect.element(page.getByRole('table').first()).toBeVisible()
    await expectAccessible()
  })
})

describe('Manual texts', () => {
  it('says which copies stay on the device until logout', () => {
    expect(TEMAS.map(({ texto }) => texto).join('\n')).toContain(
      'No aparelho ficam o programa e, até você sair, uma cópia das últimas 50 conversas e da configuração, para abrir sem internet. Em aparelho que outras pessoas usam, clique em Sair.',
    )
  })

  it('uses no technical words and gives an action on every page', () => {
    expect(TEMAS.length).toBeGreaterThan(10)
    for (const { titulo: nome, resumo, texto, blocos } of TEMAS) {
      expect(resumo.length, nome).toBeGreaterThan(20)
      expect(blocos.length, nome).toBeGreaterThan(0)
      expect(texto, nome).not.toMatch(/\b(login|backend|ticket|token|webhook|API REST|cache|undefined|Zap)\b/i)
    }
  })
})
