import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { refusal } from '#test/fake-api.ts'
import { openAvisosCenter, openLojaTab, avisos, button, type LojaTestApp, cardNames } from './tab.ts'

const [PAO, BOLO, CAFE, CESTA] = [
  'Pão de queijo (dúzia)',
  'Bolo de fubá cremoso',
  'Café coado 300 ml',
  'Cesta de café da manhã',
]

let loja: LojaTestApp | null = null
async function abrir(): Promise<LojaTestApp> {
  loja = openLojaTab()
  await expect.poll(() => cardNames().length).toBe(4)
  return loja
}

afterEach(() => loja?.unmount())

function enviadas({ api }: LojaTestApp): string[] {
  return api.calls
    .filter(({ route }) => route === 'PUT /produtos/ordem')
    .map(({ body }) =>
      [...JSON.stringify(body).matchAll(/"(p\d)","ordem":(\d)/g)].map(([, id, n]) => `${id}=${n}`).join(' '),
    )
}

function cartao(nome: string): HTMLElement {
  const found = page.getByRole('listitem').filter({ hasText: nome }).element()
  if (!(found instanceof HTMLElement)) throw new Error('card of the produto not found')
  return found
}

function alca(nome: string): HTMLElement {
  const achada = cartao(nome).querySelector('[data-alca]')
  if (!(achada instanceof HTMLElement)) throw new Error('drag handle of the produto not found')
  return achada
}

function meio(onde: Element): { clientX: number; clientY: number } {
  const { x, y, width, height } = onde.getBoundingClientRect()
  return { clientX: x + width / 2, clientY: y + height / 2 }
}

const DEDO = { pointerId: 7, pointerType: 'touch', isPrimary: true, bubbles: true, cancelable: true }

function pegar(nome: string): void {
  alca(nome).dispatchEvent(new PointerEvent('pointerdown', { ...DEDO, ...meio(alca(nome)) }))
}

function levar(de: string, sobre: string): void {
  alca(de).dispatchEvent(new PointerEvent('pointermove', { ...DEDO, ...meio(alca(sobre)) }))
}

it('moves by buttons with one notice and one undo for any distance', async () => {
  const screen = await abrir()
  await button(`Descer ${PAO}`).click()
  await expect.poll(cardNames).toEqual([BOLO, PAO, CAFE, CESTA])
  await expect.element(button(`Descer ${PAO}`)).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(cardNames).toEqual([BOLO, CAFE, PAO, CESTA])
  await userEvent.keyboard('{Enter}')
  await expect.poll(cardNames).toEqual([BOLO, CAFE, CESTA, PAO])
  await expect.element(page.getByText(`${PAO} movido para a posição 4 de 4`).first()).toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(button(`Descer ${PAO}`)).toHaveFocus()
  await expect.poll(() => enviadas(screen).at(-1)).toBe('p2=0 p3=1 p4=2 p1=3')
  const central = await openAvisosCenter()
  await central.getByRole('button', { name: 'Desfazer' }).first().click()
  await expect.poll(cardNames).toEqual([PAO, BOLO, CAFE, CESTA])
  await expect.poll(() => screen.loja.produtos.map(({ id }) => id)).toEqual(['p1', 'p2', 'p3', 'p4'])
})

it('moves by mouse while the others make room', async () => {
  const screen = await abrir()
  await userEvent.dragAndDrop(page.elementLocator(alca(CESTA)), page.elementLocator(alca(BOLO)))
  await expect.poll(cardNames).toEqual([PAO, CESTA, BOLO, CAFE])
  await expect.poll(() => enviadas(screen)).toEqual(['p1=0 p4=1 p2=2 p3=3'])
  expect(cartao(BOLO).style.translate).toBe('')
  await expect.element(avisos.getByText(`${CESTA} movido para a posição 2 de 4`)).toBeVisible()
})

it('moves by touch and reverts on Esc or a cancelled gesture', async () => {
  const screen = await abrir()
  pegar(PAO)
  levar(PAO, CAFE)
  await expect.poll(() => cartao(CAFE).style.translate).toMatch(/^-\d/)
  await userEvent.keyboard('{Escape}')
  expect(cartao(CAFE).style.translate).toBe('')
  pegar(PAO)
  levar(PAO, CAFE)
  alca(PAO).dispatchEvent(new PointerEvent('pointercancel', DEDO))
  expect(cardNames()).toEqual([PAO, BOLO, CAFE, CESTA])
  pegar(PAO)
  alca(PAO).dispatchEvent(new PointerEvent('pointerup', { ...DEDO, ...meio(alca(CAFE)) }))
  await expect.poll(cardNames).toEqual([BOLO, CAFE, PAO, CESTA])
  await expect.poll(() => enviadas(screen)).toEqual(['p2=0 p3=1 p1=2 p4=3'])
})

it('moves past visible cards under a filter', async () => {
  const screen = await abrir()
  await page.getByRole('searchbox').fill('café')
  await expect.poll(cardNames).toEqual([CAFE, CESTA])
  await button(`Subir ${CESTA}`).click()
  await expect.poll(cardNames).toEqual([CESTA, CAFE])
  await expect.poll(() => enviadas(screen)).toEqual(['p1=0 p2=1 p4=2 p3=3'])
})

it('reverts an order that could not be saved and says why', async () => {
  const { api } = await abrir()
  let reply: (() => void) | undefined
  const held = new Promise<void>((resolve) => (reply = resolve))
  api.on('PUT /produtos/ordem', async () => {
    await held
    return refusal(409, 'conflito', 'A lista mudou em outra janela.')
  })
  await button(`Subir ${CAFE}`).click()
  await expect.poll(cardNames).toEqual([PAO, CAFE, BOLO, CESTA])
  reply?.()
  await expect.poll(cardNames).toEqual([PAO, BOLO, CAFE, CESTA])
  await expect.element(avisos.getByText('A lista mudou em outra janela.')).toBeVisible()
  await expect.element(page.getByText('A ordem voltou a ser a de antes')).toBeInTheDocument()
})
