import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { CONTA_ID, makeBotStatus } from '#test/dashboard/panel.tsx'
import { makeConversa, minutesAgo, makeMensagem, makeConversas } from './sample-conversas.ts'
import {
  aviso,
  button,
  chat,
  composer,
  waitForSocket,
  conversaRow,
  conversaList,
  openName,
  sentBodies,
  openFilters,
  setupAtendimento,
} from './tab.ts'

const open = setupAtendimento(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'onLine')
  dispatchEvent(new Event('online'))
})

const heights = (): number[] =>
  [...document.querySelectorAll('[data-linha]')].map((linhaDaLista) => linhaDaLista.getBoundingClientRect().height)

describe('Conversa row', () => {
  it('has one height, shows a whole first grapheme and marks our own messages', async () => {
    const nosso = { tipo: 'enviada', origem: 'bot', remetente: 'Bot', texto: 'Um atendente já vem.' } as const
    open({
      open: [
        makeConversa({ nome: 'Maria Aparecida da Conceição Albuquerque dos Santos', aguardandoDesde: minutesAgo(24) }),
        makeConversa({ id: 'c2', nome: '👩‍🍳 Confeitaria da Zezé', naoLidas: 1, mensagens: [makeMensagem(nosso)] }),
      ],
    })
    await expect.poll(() => conversaRow('Maria').query()?.textContent).toContain('24 min')
    await expect.poll(() => new Set(heights()).size).toBe(1)
    expect(heights()).toHaveLength(2)
    expect(conversaRow('Confeitaria').element().firstElementChild?.textContent).toBe('👩‍🍳')
    const previa = conversaRow('Confeitaria').getByText('Bot: Um atendente já vem.')
    await expect.element(previa).toBeVisible()
    expect(getComputedStyle(previa.element()).fontWeight).toBe('400')
  })

  it('shows all filters above the list and uses a wide screen', async () => {
    open()
    await expect.element(conversaList).toBeVisible()
    await openFilters()
    await expect.element(button('Finalizadas')).toBeVisible()
    const column = page.getByRole('region', { name: 'Lista de conversas' })
    const { right } = column.element().getBoundingClientRect()
    expect(button('Finalizadas').element().getBoundingClientRect().right).toBeLessThan(right)
    await page.viewport(1920, 1080)
    await expect
      .poll(() => page.getByRole('main').element().getBoundingClientRect().width, { message: 'the whole screen' })
      .toBeGreaterThan(1_500)
  })
})

describe('Message text', () => {
  it('links only web URLs, without marks or trailing punctuation', async () => {
    const texto =
      'Veja *https://aurora.com.br/_bolos_/fubá?x=1*, (www.aurora.com.br). Não javascript:alert(1) nem ~ontem~ ```http://local.test```'
    open({ open: [makeConversa({ mensagens: [makeMensagem({ texto })] })] }, '/dashboard?aba=atendimento&c=c1')
    await expect.element(chat.getByRole('link')).toHaveLength(3)
    const links = [...chat.element().querySelectorAll('a')]
    expect(links.map((link) => [link.textContent, link.getAttribute('href'), link.rel, link.target])).toEqual(
      [
        ['https://aurora.com.br/_bolos_/fubá?x=1', 'https://aurora.com.br/_bolos_/fubá?x=1'],
        ['www.aurora.com.br', 'https://www.aurora.com.br'],
        ['http://local.test', 'http://local.test'],
      ].map((par) => [...par, 'noopener noreferrer nofollow', '_blank']),
    )
    expect(links[0]?.parentElement?.tagName).toBe('STRONG')
    const said = links[0]?.closest('p')
    expect(said?.textContent).toBe(texto.replaceAll(/(?<= )\*|\*(?=,)|~|`/g, ''))
    expect(said?.querySelector('s')?.textContent).toBe('ontem')
  })

  it('shows the full unread count when only 50 messages are loaded', async () => {
    const mensagens = Array.from({ length: 60 }, (_, index) =>
      makeMensagem({ id: `m${index}`, texto: `Fala número ${index}.` }),
    )
    open({ open: [makeConversa({ mensagens, naoLidas: 1_234 })] }, '/dashboard?aba=atendimento&c=c1')
    await expect.element(chat.getByText('Últimas 50 de 1.234 novas mensagens')).toBeVisible()
  })
})

describe('Chat: keyboard and layout', () => {
  it('closes only the menu on Esc and focuses the motivo of a transfer', async () => {
    open({}, '/dashboard?aba=atendimento&c=c1')
    await button('Mais ações').click()
    const giveBack = page.getByRole('menuitem', { name: 'Devolver ao bot' })
    await expect.element(giveBack).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(giveBack).not.toBeInTheDocument()
    await expect.element(openName('Marina Duarte')).toBeVisible()
    await userEvent.keyboard('t')
    await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Motivo (opcional)' })).toHaveFocus()
  })

  it('marks a conversa unread with U until it is opened and mutes with M', async () => {
    const app = open({ open: makeConversas() }, '/dashboard?aba=atendimento&c=c2')
    await expect.element(composer).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(composer).not.toHaveFocus()
    await userEvent.keyboard('u')
    await expect.poll(() => sentBodies(app, 'PUT /atendimento/conversas/c2/leitura').at(-1)).toEqual({ marcada: true })
    await expect.element(conversaRow('João').getByText('1 não lida')).toBeInTheDocument()
    await expect.element(conversaRow('João')).toHaveFocus()
    await conversaRow('João').click()
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    await expect.element(conversaRow('João').getByText('1 não lida')).not.toBeInTheDocument()
    await expect.poll(() => chat.getByText(/nova mensagem/).query()).toBeNull()
    await userEvent.keyboard('{Escape}m')
    await expect.element(aviso('Som das notificações desligado.')).toBeVisible()
    await userEvent.keyboard('m')
    await expect.element(aviso('Som das notificações ligado.')).toBeVisible()
  })

  it('keeps the field on screen when the network goes down', async () => {
    open({}, '/dashboard?aba=atendimento&c=c1')
    await expect.element(composer).toBeVisible()
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
    dispatchEvent(new Event('offline'))
    await expect.element(page.getByText(/Sem internet neste aparelho/)).toBeVisible()
    await onScreen()
    // On a phone the bar is taller, and an open chat has no tab bar below it.
    await page.viewport(360, 640)
    await onScreen()
  })

  it('keeps the field on screen while the bot is in maintenance', async () => {
    // Event and fetch send the same status, so that neither replaces the other.
    const emManutencao = makeBotStatus({ motivo: 'manutencao' })
    open({}, '/dashboard?aba=atendimento&c=c1').server.bot = emManutencao
    await expect.element(composer).toBeVisible()
    await waitForSocket()
    fakeSocket.emit('botStatus', { ...emManutencao, userId: CONTA_ID })
    await expect.element(page.getByText('Modo de manutenção ligado')).toBeVisible()
    await onScreen()
  })
})

async function onScreen(): Promise<void> {
  await expect
    .poll(() => document.documentElement.scrollHeight - innerHeight, { message: 'page height below the screen' })
    .toBe(0)
  expect(composer.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
}

it('moves today’s messages to Ontem after midnight, without new messages', async () => {
  const meioDia = Date.parse('2026-11-21T15:00:00.000Z')
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: meioDia })
  open({ open: [makeConversa({ mensagens: [makeMensagem()] })] }, '/dashboard?aba=atendimento&c=c1')
  await expect.element(chat.getByText('Hoje', { exact: true })).toBeVisible()
  vi.setSystemTime(meioDia + 24 * 3_600_000)
  vi.advanceTimersByTime(15_000)
  await expect.element(chat.getByText('Ontem', { exact: true })).toBeVisible()
  expect(chat.getByText('Hoje', { exact: true }).query()).toBeNull()
})
