import { describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { socketDeMentira } from '../dashboard/fake-socket.ts'
import { CONTA, umStatus } from '../dashboard/painel.tsx'
import {
  aviso,
  botao,
  chat,
  compositor,
  conversa,
  esperarSocket,
  ha,
  linha,
  lista,
  mensagem,
  nomeAberto,
  umaFila,
  usarAtendimento,
} from './aba.ts'

/** What tires, or misleads, whoever answers all day. */

const abrir = usarAtendimento(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'onLine')
  dispatchEvent(new Event('online'))
})

const alturas = (): number[] =>
  [...document.querySelectorAll('[data-linha]')].map((linhaDaLista) => linhaDaLista.getBoundingClientRect().height)

describe('the rows', () => {
  it('have one height whatever the name, a whole first letter, and say which words are ours', async () => {
    const nosso = { tipo: 'enviada', origem: 'bot', remetente: 'Bot', texto: 'Um atendente já vem.' } as const
    abrir({
      abertas: [
        conversa({ nome: 'Maria Aparecida da Conceição Albuquerque dos Santos', aguardandoDesde: ha(24) }),
        conversa({ id: 'c2', nome: '👩‍🍳 Confeitaria da Zezé', naoLidas: 1, mensagens: [mensagem(nosso)] }),
      ],
    })
    await expect.poll(() => linha('Maria').query()?.textContent).toContain('24 min')
    await expect.poll(() => new Set(alturas()).size).toBe(1)
    expect(alturas()).toHaveLength(2)
    expect(linha('Confeitaria').element().firstElementChild?.textContent).toBe('👩‍🍳')
    const previa = linha('Confeitaria').getByText('Bot: Um atendente já vem.')
    await expect.element(previa).toBeVisible()
    expect(getComputedStyle(previa.element()).fontWeight).toBe('400')
  })

  it('have every filter in sight above them, and the width of a wide screen', async () => {
    abrir()
    await expect.element(lista).toBeVisible()
    const coluna = page.getByRole('region', { name: 'Lista de conversas' })
    const { right } = coluna.element().getBoundingClientRect()
    expect(botao('Finalizadas').element().getBoundingClientRect().right).toBeLessThan(right)
    await page.viewport(1920, 1080)
    await expect
      .poll(() => page.getByRole('main').element().getBoundingClientRect().width, { message: 'the whole screen' })
      .toBeGreaterThan(1_500)
  })
})

describe('the words', () => {
  it('lead where their addresses lead, to the web alone, marks and full stops apart', async () => {
    const texto =
      'Veja *https://aurora.com.br/_bolos_/fubá?x=1*, (www.aurora.com.br). Não javascript:alert(1) nem ~ontem~ ```http://local.test```'
    abrir({ abertas: [conversa({ mensagens: [mensagem({ texto })] })] }, '/dashboard?aba=atendimento&c=c1')
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
    const dito = links[0]?.closest('p')
    expect(dito?.textContent).toBe(texto.replaceAll(/(?<= )\*|\*(?=,)|~|`/g, ''))
    expect(dito?.querySelector('s')?.textContent).toBe('ontem')
  })

  it('that nobody read are counted as they are: some of them may be further up', async () => {
    const mensagens = Array.from({ length: 60 }, (_, indice) =>
      mensagem({ id: `m${indice}`, texto: `Fala número ${indice}.` }),
    )
    abrir({ abertas: [conversa({ mensagens, naoLidas: 1_234 })] }, '/dashboard?aba=atendimento&c=c1')
    await expect.element(chat.getByText('Últimas 50 de 1.234 novas mensagens')).toBeVisible()
  })
})

describe('the hands', () => {
  it('leave a menu by Esc without leaving the conversation, and a transfer begins at the first sector', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c1')
    await botao('Mais ações').click()
    const devolver = page.getByRole('menuitem', { name: 'Devolver ao bot' })
    await expect.element(devolver).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(devolver).not.toBeInTheDocument()
    await expect.element(nomeAberto('Marina Duarte')).toBeVisible()
    await userEvent.keyboard('t')
    await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Suporte' })).toHaveFocus()
  })

  it('put a conversation back among the unread with U until it is read again, and hush the sound with M', async () => {
    abrir({ abertas: umaFila() }, '/dashboard?aba=atendimento&c=c2')
    await expect.element(nomeAberto('João Pedro Alves')).toHaveFocus()
    await userEvent.keyboard('u')
    await expect.element(linha('João').getByText('1 não lida')).toBeInTheDocument()
    await expect.element(linha('João')).toHaveFocus()
    await linha('João').click()
    await expect.element(nomeAberto('João Pedro Alves')).toBeVisible()
    await expect.element(linha('João').getByText('1 não lida')).not.toBeInTheDocument()
    await expect.poll(() => chat.getByText(/nova mensagem/).query()).toBeNull()
    await userEvent.keyboard('m')
    await expect.element(aviso('Som das notificações desligado.')).toBeVisible()
    await userEvent.keyboard('m')
    await expect.element(aviso('Som das notificações ligado.')).toBeVisible()
  })

  it('find the field where it was when the network goes', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c1')
    await expect.element(compositor).toBeVisible()
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
    dispatchEvent(new Event('offline'))
    await expect.element(page.getByText(/Sem internet neste aparelho/)).toBeVisible()
    await naTela()
    // The bar grows with the words on a phone, where a chat that is open has no bar of tabs under it.
    await page.viewport(360, 640)
    await naTela()
  })

  it('find the field where it was while the bot is in maintenance', async () => {
    // Told by the socket and by whoever asks again: neither takes the other back.
    const emManutencao = umStatus({ motivo: 'manutencao' })
    abrir({}, '/dashboard?aba=atendimento&c=c1').servidor.bot = emManutencao
    await expect.element(compositor).toBeVisible()
    await esperarSocket()
    socketDeMentira.emitir('botStatus', { ...emManutencao, userId: CONTA })
    await expect.element(page.getByText('Modo de manutenção ligado')).toBeVisible()
    await naTela()
  })
})

/** Nothing of the page is below the screen, the field least of all. */
async function naTela(): Promise<void> {
  await expect
    .poll(() => document.documentElement.scrollHeight - innerHeight, { message: 'what the page has below the screen' })
    .toBe(0)
  expect(compositor.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
}

it('what was said today is of yesterday after midnight, though nothing was said since', async () => {
  const meioDia = Date.parse('2026-11-21T15:00:00.000Z')
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: meioDia })
  abrir({ abertas: [conversa({ mensagens: [mensagem()] })] }, '/dashboard?aba=atendimento&c=c1')
  await expect.element(chat.getByText('Hoje', { exact: true })).toBeVisible()
  vi.setSystemTime(meioDia + 24 * 3_600_000)
  vi.advanceTimersByTime(15_000)
  await expect.element(chat.getByText('Ontem', { exact: true })).toBeVisible()
  expect(chat.getByText('Hoje', { exact: true }).query()).toBeNull()
})
