import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok } from '#test/fake-api.ts'
import { makeConversa, makeConversas, makeSentMensagem, minutesAgo } from './sample-conversas.ts'
import { button, composer, conversaRow, createGate, openName, sentBodies, setupAtendimento } from './tab.ts'

/** The cursor, emojis and marks of the field, and its size. */

const realMatchMedia = globalThis.matchMedia
const open = setupAtendimento(() => {
  globalThis.matchMedia = realMatchMedia
  localStorage.removeItem('emojis-usados')
  sessionStorage.clear()
})
const C2 = '/dashboard?aba=atendimento&c=c2'
const panel = page.getByRole('dialog', { name: 'Emojis e formatação' })

function field(): HTMLTextAreaElement {
  const element = composer.element()
  if (!(element instanceof HTMLTextAreaElement)) throw new Error('the field is not a textarea')
  return element
}

async function writeAndSelect(text: string, start: number, end: number): Promise<void> {
  await composer.fill(text)
  field().setSelectionRange(start, end)
}

const width = (): number => field().getBoundingClientRect().width

describe('Cursor', () => {
  it('enters the field after a click and after Enter, also on the open conversa', async () => {
    open()
    await conversaRow('Marina').click()
    await expect.element(composer).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(openName('Marina Duarte')).toHaveFocus()
    await conversaRow('Marina').click()
    await expect.element(composer).toHaveFocus()
    await userEvent.keyboard('{Escape}j{Enter}')
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    await expect.element(composer).toHaveFocus()
    await expect.element(composer).toHaveValue('')
  })

  it.for([
    ['of a colleague', { status: 'em_atendimento', operadorId: 'u2', operador: 'Bruno' }],
    ['that is finished', { status: 'finalizada', finalizadaEm: minutesAgo(1) }],
  ] as const)('stays on the title of a conversa %s', async ([, fields]) => {
    const conversa = makeConversa(fields)
    open(
      fields.status === 'finalizada' ? { open: [], finished: [conversa] } : { open: [conversa] },
      '/dashboard?aba=atendimento&c=c1',
    )
    await expect.element(openName('Marina Duarte')).toHaveFocus()
  })

  it('opens no keyboard on touch', async () => {
    globalThis.matchMedia = (query) => realMatchMedia(query.replace('pointer: fine', 'pointer: none'))
    open({}, C2)
    await expect.element(openName('João Pedro Alves')).toHaveFocus()
  })
})

describe('Emojis and formatting', () => {
  it('inserts an emoji at the cursor with two presses and offers it first the next time', async () => {
    open({}, C2)
    await writeAndSelect('Olá!', 3, 3)
    await button('Emojis e formatação').click()
    await panel.getByRole('button', { name: 'festa parabéns' }).click()
    await expect.element(composer).toHaveValue('Olá🎉!')
    await expect.element(composer).toHaveFocus()
    await userEvent.keyboard('?')
    await expect.element(composer).toHaveValue('Olá🎉?!')
    await button('Emojis e formatação').click()
    await expect.element(panel.getByRole('searchbox', { name: 'Buscar emoji' })).toHaveFocus()
    await expect.element(panel.getByRole('heading', { name: 'Usados' })).toBeVisible()
    await expectAccessible()
    await userEvent.keyboard('cafe')
    await expect.element(panel.getByRole('heading', { name: 'Encontrados' })).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(composer).toHaveValue('Olá🎉?☕!')
    await expect.element(panel).not.toBeInTheDocument()
  })

  it.for([
    ['{Control>}b{/Control}', '*'],
    ['{Control>}i{/Control}', '_'],
    ['{Control>}{Shift>}X{/Shift}{/Control}', '~'],
  ] as const)('marks the words of the selection by %s', async ([keys, mark]) => {
    open({}, C2)
    await writeAndSelect('Bom dia', 0, 4)
    await userEvent.keyboard(keys)
    await expect.element(composer).toHaveValue(`${mark}Bom${mark} dia`)
    await userEvent.keyboard('!')
    await expect.element(composer).toHaveValue(`${mark}Bom${mark}! dia`)
  })

  it('marks by button and never writes more than a message holds', async () => {
    open({}, C2)
    await writeAndSelect('Bom dia', 4, 7)
    await button('Emojis e formatação').click()
    await panel.getByRole('button', { name: 'Riscado' }).click()
    await expect.element(composer).toHaveValue('Bom ~dia~')
    await expect.element(composer).toHaveFocus()
    await writeAndSelect('a'.repeat(4096), 0, 0)
    await userEvent.keyboard('{Control>}b{/Control}')
    await expect.element(composer).toHaveValue('a'.repeat(4096))
  })
})

describe('Size of the field', () => {
  it('grows to six lines, then scrolls', async () => {
    open({}, C2)
    const lines = (count: number): string => Array.from({ length: count }, (_, index) => `linha ${index}`).join('\n')
    const scrolls = (): boolean => field().scrollHeight > field().clientHeight
    await composer.fill(lines(6))
    expect(scrolls()).toBe(false)
    const { height } = field().getBoundingClientRect()
    await composer.fill(lines(8))
    expect(scrolls()).toBe(true)
    expect(field().getBoundingClientRect().height - height).toBeLessThan(24)
  })

  it('folds the buttons into one at 360 px', async () => {
    await page.viewport(360, 740)
    open({}, C2)
    await expect.element(composer).toBeVisible()
    expect(width()).toBeGreaterThanOrEqual(170)
    await button('Anexar e formatar').click()
    const items = page.getByRole('menuitem')
    await expect
      .poll(() => items.elements().map((item) => item.textContent.trim()))
      .toEqual(expect.arrayContaining(['Anexar arquivo', 'Enviar produto', 'Emojis e formatação', 'Enviar mais tarde']))
    await page.getByRole('menuitem', { name: 'Emojis e formatação' }).click()
    await expect.element(panel).toBeInViewport({ ratio: 1 })
    await expectAccessible()
    await panel.getByRole('button', { name: 'sorriso feliz' }).click()
    await expect.element(composer).toHaveValue('😊')
    expect(width()).toBeGreaterThanOrEqual(240)
    expect(button('Gravar áudio').query()).toBeNull()
  })

  it.for([360, 1366])('says Enviando... at %i px without moving the field', async (screen) => {
    await page.viewport(screen, 740)
    const { api } = open({}, C2)
    const gate = createGate()
    api.on('POST /atendimento/conversas/c2/mensagem', async () => {
      await gate.wait
      return ok({ mensagem: makeSentMensagem('Já saiu'), conversaId: 'c2' })
    })
    await expect.element(composer).toBeVisible()
    const before = width()
    await composer.fill('Já saiu')
    await userEvent.keyboard('{Enter}')
    const sending = button('Enviando...')
    await expect.element(sending).toBeDisabled()
    expect(sending.element().querySelector('.sr-only')).toBeNull()
    expect(sending.element().scrollWidth).toBeLessThanOrEqual(sending.element().clientWidth)
    expect(width()).toBe(before)
    gate.open()
    await expect.element(button('Enviar')).toBeVisible()
    expect(width()).toBe(before)
  })
})

it('answers the open conversa with one action after the click that opens it', async () => {
  const app = open({ open: makeConversas() })
  await conversaRow('Marina').click()
  await expect.element(composer).toHaveFocus()
  await userEvent.keyboard('Sim, entregamos{Enter}')
  await expect
    .poll(() => sentBodies(app, 'POST /atendimento/conversas/c1/mensagem'))
    .toEqual([expect.objectContaining({ mensagem: 'Sim, entregamos' })])
})
