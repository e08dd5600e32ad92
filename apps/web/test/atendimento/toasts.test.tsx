import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { notify } from '#shared/avisos.ts'
import { expectAccessible } from '#test/axe.ts'
import { button, composer, makeConversa, minutesAgo, conversaList, makeMensagem, setupAtendimento } from './tab.ts'

const region = page.getByRole('region', { name: 'Avisos' })
const items = region.getByRole('status')
const open = setupAtendimento()

const STEP_PX = 6

function coveredElements(): string[] {
  const found = new Set<string>()
  for (const aviso of items.elements()) {
    const { left, right, top, bottom } = aviso.getBoundingClientRect()
    for (let x = left; x < right; x += STEP_PX) {
      for (let y = top; y < bottom; y += STEP_PX) {
        for (const um of document.elementsFromPoint(x, y)) {
          if (um.closest('[aria-label=Avisos]') !== null) continue
          const controle = um.closest('a, button, input, select, textarea, summary, label')
          if (controle !== null) found.add(controle.getAttribute('aria-label') ?? controle.textContent)
        }
      }
    }
  }
  return [...found]
}

async function notifyThreeTimes(): Promise<void> {
  for (const vez of [1, 2, 3]) notify.info(`Chegou uma conversa nova no setor Vendas: cliente ${vez}`)
  await expect.poll(() => items.elements().length).toBe(3)
}

describe('Toasts', () => {
  it.for([
    [360, 640],
    [1366, 800],
  ] as const)('covers no control at %i by %i and shows three notices at most', async ([width, altura]) => {
    await page.viewport(width, altura)
    const mensagens = [makeMensagem({ id: 'j1', texto: 'Olá?', timestamp: minutesAgo(3) })]
    const served = makeConversa({
      id: 'c2',
      operadorId: 'u1',
      operador: 'Ana Ribeiro',
      status: 'em_atendimento',
      mensagens,
    })
    open({ open: [served] }, '/dashboard?aba=atendimento&c=c2')
    await expect.element(composer).toBeVisible()
    await expect.element(region).toBeInTheDocument()
    expect(region.element().getBoundingClientRect().height).toBe(0)
    await notifyThreeTimes()
    await expect.poll(coveredElements).toEqual([])
    await expect.element(composer).toBeInViewport({ ratio: 1 })
    await composer.fill('Bom dia!\nSobre o seu pedido:\nele sai hoje\nà tarde,\nsem falta.')
    await expect.poll(coveredElements).toEqual([])

    for (const vez of [4, 5]) notify.info(`Chegou uma conversa nova no setor Vendas: cliente ${vez}`)
    await expect.element(region.getByText('Mais 2 na Central de avisos')).toBeVisible()
    expect(items.elements().map((aviso) => aviso.textContent?.slice(-1))).toEqual(['5', '4', '3'])
    expect(coveredElements()).toEqual([])
    await expectAccessible()
  })

  it.for([
    [360, 640],
    [1366, 768],
  ] as const)('leaves logout, tabs and page ends uncovered at %i by %i', async ([width, altura]) => {
    await page.viewport(width, altura)
    open({}, '/dashboard?aba=atendimento')
    await expect.element(conversaList).toBeVisible()
    await expect.element(region).toBeInTheDocument()
    expect(region.element().getBoundingClientRect().height).toBe(0)
    await notifyThreeTimes()
    await expect.poll(coveredElements).toEqual([])

    const leave = page.getByRole('complementary', { name: 'Menu' }).getByRole('button', { name: 'Sair' })
    if (width < 1024) await button('Abrir menu').click()
    await expect.element(leave).toBeInViewport({ ratio: 1 })
    await expect.poll(coveredElements).toEqual([])
    if (width < 1024) await button('Fechar menu').click()

    await page.getByRole('link', { name: 'Geral' }).last().click()
    await expect.element(page.getByRole('heading', { name: 'Informações do Sistema' })).toBeInTheDocument()
    await page.getByLabelText('Client ID').fill('outro')
    await expect
      .poll(() => {
        scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
        return coveredElements()
      })
      .toEqual([])
  })
})
