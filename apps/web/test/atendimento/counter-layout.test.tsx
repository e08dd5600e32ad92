import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeConversa, makeConversas, makeMensagem } from './sample-conversas.ts'
import { button, chat, composer, listFrame, openFilters, openName, setupAtendimento, viewTab } from './tab.ts'

const open = setupAtendimento()

const MANY = Array.from({ length: 12 }, (_, index) => makeConversa({ id: `x${index}`, nome: `Cliente ${index}` }))
const LONG = makeConversa({
  mensagens: Array.from({ length: 40 }, (_, index) => makeMensagem({ id: `m${index}`, texto: `Fala ${index}` })),
})

const openCounter = () => open({ open: [LONG, ...MANY] }, '/dashboard?aba=atendimento&c=c1')

const details = page.getByRole('complementary', { name: 'Detalhes' })
const boxOf = (element: Element): DOMRect => element.getBoundingClientRect()

function wholeRows(): number {
  const frame = listFrame()
  const { top, bottom } = boxOf(frame)
  const rows = [...frame.querySelectorAll('[data-linha]')].map(boxOf)
  return rows.filter((row) => row.top >= top - 1 && row.bottom <= Math.min(bottom, innerHeight) + 1).length
}

it('gives messages, list and field their space at 1366 by 768', async () => {
  await page.viewport(1366, 768)
  openCounter()
  await expect.element(chat.getByText('Fala 39', { exact: true })).toBeVisible()
  expect(details.query()).toBeNull()
  expect(boxOf(chat.element()).height).toBeGreaterThanOrEqual(0.6 * 768)
  await expect.poll(wholeRows).toBeGreaterThanOrEqual(8)
  expect(boxOf(composer.element()).width).toBeGreaterThanOrEqual(640)
  await openFilters()
  const setores = page.getByRole('group', { name: 'Setores' })
  await expect.element(setores).toBeVisible()
  expect(setores.element().scrollWidth).toBe(setores.element().clientWidth)
})

it('names the tests and the acts of a waiting conversa at 1366, and leads to Depuração', async () => {
  await page.viewport(1366, 768)
  openCounter()
  await expect.element(chat.getByText('Fala 39', { exact: true })).toBeVisible()
  const tests = page.getByRole('group', { name: 'Testar conversa' })
  for (const setor of ['Vendas', 'Suporte', 'Financeiro']) {
    await expect.element(tests.getByRole('button', { name: setor })).toBeVisible()
  }
  await expect.poll(() => document.title).toMatch(/^\(\d+\) Marina Duarte · Atendimento · Balcão$/)
  for (const act of ['Assumir', 'Finalizar']) await expect.element(button(act)).toBeInViewport({ ratio: 1 })
  expect(boxOf(openName('Marina Duarte').element()).width).toBeGreaterThan(90)
  await button('Equipe e resultados').click()
  await page.getByRole('menuitem', { name: 'Depuração' }).click()
  await expect.element(page.getByText('Selecionada')).toBeVisible()
  await expect.element(page.getByText('c1', { exact: true })).toBeVisible()
})

it('shows eight rows below two bands at 360 by 740', async () => {
  await page.viewport(360, 740)
  open({ open: [LONG, ...MANY] })
  await expect.element(viewTab('Todas 13')).toBeVisible()
  await expect.poll(wholeRows).toBeGreaterThanOrEqual(8)
  for (const name of ['Minhas', 'Fila', 'Menções', 'Todas']) {
    const { left, right } = boxOf(viewTab(name).element())
    expect([left >= 0, right <= 360], name).toEqual([true, true])
  }
  await expectAccessible()
})

it('fills the panel to its edges and never scrolls the page', async () => {
  await page.viewport(1920, 1080)
  openCounter()
  await expect.element(details).toBeVisible()
  for (const [width, height] of [
    [320, 640],
    [768, 900],
    [1024, 768],
    [1366, 768],
    [1920, 1080],
  ] as const) {
    await page.viewport(width, height)
    await expect.element(chat).toBeVisible()
    const main = boxOf(page.getByRole('main').element())
    const tab = boxOf(document.querySelector('[data-tela-cheia]') ?? document.body)
    expect([tab.left, tab.right, tab.bottom], `${width} px`).toEqual([main.left, main.right, main.bottom])
    expect(main.bottom).toBe(height)
    expect(main.right).toBe(width)
    const { scrollWidth, scrollHeight } = document.documentElement
    expect([scrollWidth, scrollHeight], `${width} px`).toEqual([width, height])
  }
})

it('folds the details by button and by key, and remembers it', async () => {
  await page.viewport(1600, 900)
  const first = openCounter()
  await expect.element(details).toBeVisible()
  await expect.element(button('Detalhes')).toHaveAttribute('aria-expanded', 'true')
  await button('Detalhes').click()
  await expect.element(details).not.toBeInTheDocument()
  first.unmount()
  openCounter()
  await expect.element(composer).toHaveFocus()
  await expect.element(button('Detalhes')).toHaveAttribute('aria-expanded', 'false')
  expect(details.query()).toBeNull()
  await userEvent.keyboard('{Escape}i')
  await expect.element(details).toBeVisible()
  // Too narrow for three columns: the same button opens them over the chat.
  await page.viewport(1024, 768)
  await expect.element(details).not.toBeInTheDocument()
  await expect.element(button('Testes')).toBeVisible()
  await button('Detalhes').click()
  await expect.element(page.getByRole('dialog', { name: 'Marina Duarte' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Detalhes')).toHaveFocus()
})

it('passes axe with an open conversa and with its menu', async () => {
  open({ open: [LONG, ...makeConversas().slice(1)] }, '/dashboard?aba=atendimento&c=c2')
  await expect.element(chat).toBeVisible()
  await expectAccessible()
  await button('Mais ações').click()
  await expect.element(page.getByRole('menuitem', { name: 'Marcar como não lida' })).toBeVisible()
  await expectAccessible()
})
