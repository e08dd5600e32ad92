import { fakeSocket } from '../dashboard/fake-socket.ts'
import { AVISO } from '@balcao/contract/constants'
import toast from 'react-hot-toast/headless'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { notify } from '#shared/avisos.ts'
import { expectAccessible } from '#test/axe.ts'
import { refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, minutesAgo, makeMensagem } from './sample-conversas.ts'
import { aviso, button, composer, emitCustomerMensagem, conversaList, setupAtendimento, waitForSocket } from './tab.ts'

const region = page.getByRole('region', { name: 'Avisos' })
const items = region.getByRole('status')
const open = setupAtendimento()

const STEP_PX = 6

function coveredElements(): string[] {
  const found = new Set<string>()
  for (const aviso of items.elements()) {
    const { left, right, top, bottom } = aviso.getBoundingClientRect()
    // The region clips what is scrolled away.
    const clip = region.element().getBoundingClientRect()
    for (let x = left; x < right; x += STEP_PX) {
      for (let y = Math.max(top, clip.top); y < Math.min(bottom, clip.bottom); y += STEP_PX) {
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
  ] as const)('covers no control at %i by %i', async ([width, altura]) => {
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
    const phone = width < 640
    await expect.poll(() => region.getByText('Mais 2 na Central de avisos').elements().length).toBe(phone ? 1 : 0)
    const newest = ['5', '4', '3', '2', '1'].slice(0, phone ? 3 : 5)
    await expect.poll(() => items.elements().map((one) => one.textContent?.slice(-1))).toEqual(newest)
    await expect.poll(coveredElements).toEqual([])
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

describe('Toasts: limit', () => {
  it.for([
    [640, 800],
    [1366, 768],
  ] as const)('draws 20 of 25 at %i by %i in a region that scrolls', async ([width, height]) => {
    await page.viewport(width, height)
    open({})
    await expect.element(conversaList).toBeVisible()
    for (let n = 1; n <= 25; n += 1) notify.info(`Aviso número ${n}`)
    await expect.poll(() => items.elements().length).toBe(20)
    await expect.element(aviso('Aviso número 25')).toBeVisible()
    const { clientHeight, scrollHeight } = region.element()
    expect(clientHeight).toBeLessThanOrEqual(Math.ceil(height * 0.6))
    expect(scrollHeight).toBeGreaterThan(clientHeight)
    aviso('Aviso número 6').element().scrollIntoView()
    await expect.element(aviso('Aviso número 6')).toBeInViewport({ ratio: 1 })
    expect(aviso('Aviso número 5').query()).toBeNull()
    await expect.poll(coveredElements).toEqual([])
    await expectAccessible()
  })

  it('draws three of 25 on a phone', async () => {
    await page.viewport(639, 640)
    open({})
    await expect.element(conversaList).toBeVisible()
    for (let n = 1; n <= 25; n += 1) notify.info(`Aviso número ${n}`)
    await expect.element(region.getByText('Mais 17 na Central de avisos')).toBeVisible()
    expect(items.elements()).toHaveLength(3)
  })
})

describe('Toasts: durations', () => {
  const { custom } = toast
  beforeEach(() => {
    // The setup of the tests keeps notices; here they expire.
    toast.custom = (text, options) => toast(text, options)
  })
  afterEach(() => {
    vi.useRealTimers()
    toast.custom = custom
  })

  async function openWithClock(): Promise<void> {
    open({})
    await expect.element(conversaList).toBeVisible()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  }

  async function expectVisibleFor(ms: number, show: (text: string) => unknown): Promise<void> {
    const end = Date.now() + ms
    show('Pronto')
    // Each poll moves the fake clock.
    await expect.element(aviso('Pronto')).toBeVisible()
    await vi.advanceTimersByTimeAsync(end - 1 - Date.now())
    expect(aviso('Pronto').query()).not.toBeNull()
    await vi.advanceTimersByTimeAsync(2)
    await expect.poll(() => aviso('Pronto').query()).toBeNull()
  }

  it.for([
    ['sucesso', 3_000],
    ['erro', 5_000],
    ['info', 4_000],
  ] as const)('shows %s for %i ms', async ([tipo, ms]) => {
    await openWithClock()
    await expectVisibleFor(ms, notify[tipo])
  })

  it('gives QR code and daily limit 6 s, a new conversa 4 s, a new message 3 s', async () => {
    const durations = new Map<unknown, number | undefined>()
    toast.custom = (text, options) => {
      durations.set(text, options?.duration)
      return custom(text, options)
    }
    const { api } = open({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(composer).toBeVisible()
    await waitForSocket()
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'AGUARDANDO_QR' })
    await expect.element(aviso('Aguardando QR Code')).toBeVisible()
    fakeSocket.emit('novaConversaHumana', {
      userId: CONTA_ID,
      conversa: makeConversa({ id: 'c9', nome: 'Dona Neide' }),
    })
    await expect.element(aviso('Nova conversa: Dona Neide')).toBeVisible()
    emitCustomerMensagem('c1', { texto: 'Alguém aí?' })
    await expect.element(aviso('Marina Duarte: Alguém aí?')).toBeVisible()
    const data = { usado: 1000, limite: 1000, resetEm: '2026-11-22T03:00:00.000Z' }
    api.on('POST /atendimento/conversas/c2/mensagem', () => refusal(429, 'limiteDiario', 'x', data))
    await composer.fill('Oi')
    await userEvent.keyboard('{Enter}')
    await expect.element(aviso(/^Limite diário/)).toBeVisible()
    expect([...durations.values()]).toEqual([6_000, 4_000, 3_000, 6_000])
  })

  it('keeps a running step until its result replaces it', async () => {
    await openWithClock()
    const replaces = notify.carregando('1/2 Lendo…')
    await expect.element(aviso('1/2 Lendo…')).toBeVisible()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(aviso('1/2 Lendo…').query()).not.toBeNull()
    notify.carregando('2/2 Salvando…', { replaces })
    await expect.element(aviso('2/2 Salvando…')).toBeVisible()
    expect(items.elements()).toHaveLength(1)
    await expectVisibleFor(AVISO.sucessoMs, (text) => notify.sucesso(text, { replaces }))
    expect(items.elements()).toHaveLength(0)
  })
})
