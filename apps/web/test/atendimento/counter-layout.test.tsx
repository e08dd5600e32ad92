import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeConversa, makeConversas, makeMensagem } from './sample-conversas.ts'
import { button, chat, listFrame, openName, setupAtendimento } from './tab.ts'

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

it('gives messages, list and chat their space at 1366 by 768, with the details open', async () => {
  await page.viewport(1366, 768)
  openCounter()
  await expect.element(chat.getByText('Fala 39', { exact: true })).toBeVisible()
  await expect.element(details).toBeVisible()
  expect(boxOf(chat.element()).height).toBeGreaterThanOrEqual(0.6 * 768)
  expect(boxOf(page.getByRole('region', { name: 'Marina Duarte' }).element()).width).toBeGreaterThanOrEqual(520)
  await expect.poll(wholeRows).toBeGreaterThanOrEqual(7)
  const setores = page.getByRole('group', { name: 'Setores' }).element()
  expect(setores.scrollWidth).toBe(setores.clientWidth)
  expect(boxOf(setores).height).toBeLessThanOrEqual(48)
})

it('fills the panel to its edges and never scrolls the page', async () => {
  await page.viewport(1366, 768)
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
  const first = openCounter()
  await expect.element(details).toBeVisible()
  await expect.element(button('Detalhes')).toHaveAttribute('aria-expanded', 'true')
  await button('Detalhes').click()
  await expect.element(details).not.toBeInTheDocument()
  first.unmount()
  openCounter()
  await expect.element(openName('Marina Duarte')).toHaveFocus()
  await expect.element(button('Detalhes')).toHaveAttribute('aria-expanded', 'false')
  expect(details.query()).toBeNull()
  await userEvent.keyboard('i')
  await expect.element(details).toBeVisible()
  // Too narrow for three columns: the same button opens them over the chat.
  await page.viewport(1024, 768)
  await expect.element(details).not.toBeInTheDocument()
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
