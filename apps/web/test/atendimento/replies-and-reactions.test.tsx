import { fakeSocket } from '../dashboard/fake-socket.ts'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID, makeBotStatus } from '#test/dashboard/panel.tsx'
import { makeConversa, makeSentMensagem, minutesAgo, makeMensagem } from './sample-conversas.ts'
import {
  type AtendimentoTestApp,
  aviso,
  button,
  chat,
  composer,
  sentBodies,
  waitForSocket,
  setupAtendimento,
} from './tab.ts'

const SEND = 'POST /atendimento/conversas/c2/mensagem'
const REACT = 'POST /atendimento/conversas/c2/mensagens/j1/reacao'
const THEIRS = makeMensagem({ id: 'j1', texto: 'Meu pedido ```BR 12*3*4``` não chegou', timestamp: minutesAgo(12) })

const openTab = setupAtendimento(() => void Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'))
function open(conector: 'whatsapp' | 'oficial' | null): AtendimentoTestApp {
  const served = makeConversa({
    ...{ id: 'c2', operadorId: 'u1', operador: 'Ana Ribeiro' },
    status: 'em_atendimento',
    mensagens: [
      THEIRS,
      makeSentMensagem('Não saiu', { id: 'j2', estado: 'falhou', timestamp: minutesAgo(11) }),
      makeSentMensagem('Já vou ver', { id: 'j3', estado: 'lida', timestamp: minutesAgo(10) }),
    ],
  })
  const bot = makeBotStatus({
    status: 'CONECTADO',
    isRunning: true,
    inicializado: true,
    ...(conector === null ? {} : { conector }),
  })
  return openTab({ open: [served] }, '/dashboard?aba=atendimento&c=c2', { bot })
}

const triggers = chat.getByRole('button', { name: 'Ações da mensagem' })
const menu = page.getByRole('menu', { name: 'Ações da mensagem' })
const reaction = (emoji: string) => chat.getByText(`Reações: ${emoji}`, { exact: true })

describe('Chat: reactions', () => {
  it('reacts by keyboard at 360 px and reverts a change that the server refuses', async () => {
    await page.viewport(360, 740)
    const painel = open('whatsapp')
    const { api } = painel
    // A failed message reached no customer, so it has no button.
    await expect.poll(() => triggers.elements().length).toBe(2)
    const wide = document.documentElement.scrollWidth
    expect(wide).toBeLessThanOrEqual(360)
    triggers.first().element().focus()
    api.on(REACT, ({ body }) => {
      const { emoji } = Object(body)
      return ok({ conversaId: 'c2', mensagem: { ...THEIRS, reacoes: [emoji], reacaoLoja: emoji } })
    })
    await userEvent.keyboard('{Enter}')
    await expect.element(menu.getByRole('menuitemradio', { name: 'Joinha' })).toHaveFocus()
    await expectAccessible()
    await userEvent.keyboard('{ArrowRight}{Enter}')
    await expect.element(reaction('❤️')).toBeVisible()
    await expect.element(triggers.first()).toHaveFocus()
    expect(sentBodies(painel, REACT)).toEqual([{ emoji: '❤️' }])

    api.on(REACT, () => refusal(409, 'conversaAssumida', 'Esta conversa já foi assumida por outro operador.'))
    await userEvent.keyboard('{Enter}')
    await expect.element(menu.getByRole('menuitemradio', { name: 'Coração' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(aviso(/^Erro ao reagir à mensagem/)).toBeVisible()
    await expect.element(reaction('❤️')).toBeVisible()
    expect(sentBodies(painel, REACT).at(-1)).toEqual({ emoji: null })
  })

  it('shows the newest reaction when events and the answer arrive in another order', async () => {
    const { api } = open('whatsapp')
    await waitForSocket()
    await expect.poll(() => triggers.elements().length).toBe(2)
    const marked = (revisao: number, emoji: string) => ({ ...THEIRS, revisao, reacoes: [emoji], reacaoLoja: emoji })
    const mark = (revisao: number, emoji: string) =>
      fakeSocket.emit('mensagemConversaHumana', {
        ...{ userId: CONTA_ID, conversaId: 'c2', mensagem: marked(revisao, emoji), marcada: true },
      })
    mark(2, '🙏')
    mark(1, '😮')
    await expect.element(reaction('🙏')).toBeVisible()
    // Another operador reacts on another node after this request is stored and before its answer arrives.
    api.on(REACT, async () => {
      mark(4, '😂')
      await expect.element(reaction('😂')).toBeVisible()
      return ok({ conversaId: 'c2', mensagem: marked(3, '👍') })
    })
    triggers.first().element().focus()
    await userEvent.keyboard('{Enter}')
    await menu.getByRole('menuitemradio', { name: 'Joinha' }).click()
    await expect.element(reaction('😂')).toBeVisible()
    await expect.poll(() => api.calls.filter(({ route }) => route === REACT).length).toBe(1)
    const answer = makeSentMensagem('Já vou ver', { id: 'j3', timestamp: minutesAgo(10), reacoes: ['🎉'] })
    fakeSocket.emit('mensagemConversaHumana', {
      ...{ userId: CONTA_ID, conversaId: 'c2', mensagem: answer, marcada: true },
    })
    await expect.element(reaction('🎉')).toBeVisible()
    await expect.element(reaction('😂')).toBeVisible()
  })

  it('ignores a reaction to a message not loaded and shows one on screen', async () => {
    open('whatsapp')
    await waitForSocket()
    await expect.element(chat.getByText('Já vou ver')).toBeVisible()
    const mark = (uma: typeof THEIRS) =>
      fakeSocket.emit('mensagemConversaHumana', {
        ...{ userId: CONTA_ID, conversaId: 'c2', mensagem: uma, marcada: true },
      })
    mark(makeMensagem({ id: 'antiga', texto: 'de outro dia', reacoes: ['😮'] }))
    mark(makeSentMensagem('Já vou ver', { id: 'j3', estado: 'lida', timestamp: minutesAgo(10), reacoes: ['🙏'] }))
    await expect.element(reaction('🙏')).toBeVisible()
    expect(chat.getByText('de outro dia').elements()).toEqual([])
  })
})

describe('Chat: replies', () => {
  it('quotes a mensagem, keeps the quote after a failure and removes it on request', async () => {
    const painel = open('whatsapp')
    const { api } = painel
    await expect.poll(() => triggers.elements().length).toBe(2)
    // Marks inside monospace text are not parsed.
    expect(document.querySelector('[data-mensagem=j1] code')?.textContent).toBe('BR 12*3*4')
    const reply = async (): Promise<void> => {
      triggers.first().element().focus()
      await userEvent.keyboard('{Enter}')
      await menu.getByRole('menuitem', { name: 'Responder' }).click()
    }
    const citando = page.getByText('Respondendo a Marina Duarte')
    await reply()
    await expect.element(citando).toBeVisible()
    await expect.element(composer).toHaveFocus()
    await expectAccessible()
    await button('Não responder a esta mensagem').click()
    await expect.element(citando).not.toBeInTheDocument()
    await expect.element(composer).toHaveFocus()

    await reply()
    api.on(SEND, () => refusal(500, 'interno', 'Erro interno do servidor. Tente novamente.'))
    await composer.fill('O código está certo?')
    await userEvent.keyboard('{Enter}')
    await expect.element(composer).toHaveValue('O código está certo?')
    await expect.element(citando).toBeVisible()

    const fresh = makeSentMensagem('O código está certo?', { citada: { texto: THEIRS.texto, nossa: false } })
    api.on(SEND, () => ok({ mensagem: fresh, conversaId: 'c2' }))
    await userEvent.keyboard('{Enter}')
    await expect.element(chat.getByRole('blockquote')).toBeVisible()
    expect(chat.getByRole('blockquote').element().textContent).toBe(THEIRS.texto)
    await expect.element(citando).not.toBeInTheDocument()
    const bodies = sentBodies(painel, SEND)
    expect(bodies).toMatchObject([{ citadaId: 'j1' }, { citadaId: 'j1', mensagem: 'O código está certo?' }])
  })

  it('sends a file as a reply and previews it with the quoted mensagem', async () => {
    const { api } = open('whatsapp')
    await expect.poll(() => triggers.elements().length).toBe(2)
    triggers.first().element().focus()
    await userEvent.keyboard('{Enter}')
    await menu.getByRole('menuitem', { name: 'Responder' }).click()
    await expect.element(composer).toHaveFocus()
    const clipboardData = new DataTransfer()
    for (const nome of ['nota.pdf', 'boleto.pdf']) {
      clipboardData.items.add(new File(['%PDF-1.7'], nome, { type: 'application/pdf' }))
    }
    composer.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    const dialogo = page.getByRole('dialog', { name: /^Enviar para/ })
    await expect.element(dialogo.getByText('Respondendo a Marina Duarte')).toBeVisible()
    await expectAccessible()
    const quoted: unknown[] = []
    api.on('POST /atendimento/conversas/c2/midia', ({ body }) => {
      if (body instanceof FormData) quoted.push(body.get('citadaId'))
      const citada = { texto: THEIRS.texto, nossa: false }
      return ok({ mensagem: makeSentMensagem('', { id: `f${quoted.length}`, citada }), conversaId: 'c2' })
    })
    await dialogo.getByRole('button', { name: 'Enviar 2 arquivos' }).click()
    await expect.element(chat.getByRole('blockquote').first()).toBeVisible()
    await expect.element(page.getByText('Respondendo a Marina Duarte')).not.toBeInTheDocument()
    // Only one of the two files carries the quote.
    await expect.poll(() => new Set(quoted)).toEqual(new Set(['j1', null]))
  })

  it('offers no reply or reaction while the connector is unknown', async () => {
    open(null)
    await expect.poll(() => triggers.elements().length).toBe(2)
    await waitForSocket()
    triggers.first().element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(menu.getByRole('menuitem', { name: 'Encaminhar' })).toBeVisible()
    expect(menu.getByRole('menuitemradio').elements()).toEqual([])
    expect(menu.getByRole('menuitem', { name: 'Responder' }).elements()).toEqual([])
  })
})

describe('Official API: audio formats', () => {
  it('refuses an audio format unknown to Meta before sending and before recording', async () => {
    open('oficial')
    await expect.poll(() => triggers.elements().length).toBe(2)
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['som'], 'voz.webm', { type: 'audio/webm' }))
    composer.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    await expect.element(page.getByRole('alert').getByText(/não aceita áudio em WebM/)).toBeVisible()
    await expect.element(button('Enviar arquivo')).toBeDisabled()
    await userEvent.keyboard('{Escape}')
    // Simulates a browser that records only WebM, until the test ends.
    const sabe = Object.getOwnPropertyDescriptor(MediaRecorder, 'isTypeSupported') ?? {}
    const soWebm = (tipo: string): boolean => tipo.startsWith('audio/webm')
    Object.defineProperty(MediaRecorder, 'isTypeSupported', { ...sabe, value: soWebm })
    try {
      const value = async () => new AudioContext().createMediaStreamDestination().stream
      Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value, configurable: true })
      await button('Gravar áudio').click()
      await expect.element(page.getByText(/grava num formato que a API oficial/)).toBeVisible()
    } finally {
      Object.defineProperty(MediaRecorder, 'isTypeSupported', sabe)
    }
  })
})
