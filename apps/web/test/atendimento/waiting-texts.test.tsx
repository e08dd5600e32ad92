import '../dashboard/fake-socket.ts'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatWait } from '#features/atendimento/lista/waiting-time.ts'
import { ok } from '#test/fake-api.ts'
import { makeConversa, makeMensagem, makeSentMensagem, minutesAgo } from './sample-conversas.ts'
import { chat, composer, sentBodies, setupAtendimento } from './tab.ts'

const SEND = 'POST /atendimento/conversas/c2/mensagem'
const READ = 'GET /atendimento/conversas/c2'
const THEIRS = makeMensagem({ id: 'j1', texto: 'Tem bolo?', timestamp: minutesAgo(12) })
const SERVED = makeConversa({
  ...{ id: 'c2', operadorId: 'u1', operador: 'Ana Ribeiro', status: 'em_atendimento' },
  mensagens: [THEIRS],
})

it.each([
  [59, '59 min'],
  [60, '1 h'],
  [119, '1 h 59'],
  [125, '2 h 05'],
  [3_000, '2 d'],
])('formats a wait of %d min as %s', (minutes, said) => {
  expect(formatWait(minutes)).toBe(said)
})

const openTab = setupAtendimento(() => {
  Reflect.deleteProperty(navigator, 'onLine')
  localStorage.removeItem('textos-em-espera')
})
const open = () => openTab({ open: [SERVED] }, '/dashboard?aba=atendimento&c=c2')
const goOffline = (): void => {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
  dispatchEvent(new Event('offline'))
}
const goOnline = (): void => {
  Reflect.deleteProperty(navigator, 'onLine')
  dispatchEvent(new Event('online'))
}
async function writeOffline(...texts: readonly string[]): Promise<void> {
  await expect.element(composer).toBeVisible()
  goOffline()
  for (const text of texts) {
    await composer.fill(text)
    await userEvent.keyboard('{Enter}')
    await expect.element(chat.getByText(text)).toBeVisible()
  }
}

describe('Texts written without a connection', () => {
  it('wait, survive a reload and leave once in order', async () => {
    const first = open()
    await writeOffline('Tem, sim', 'De cenoura')
    expect(chat.getByText('aguardando conexão').elements()).toHaveLength(2)
    expect(sentBodies(first, SEND)).toEqual([])
    const painel = open()
    painel.api.on(READ, () => ok({ conversa: SERVED }))
    painel.api.on(SEND, ({ body }) => {
      const { mensagem: texto, idTemporario: id } = Object(body)
      return ok({ conversaId: 'c2', idTemporario: id, mensagem: makeSentMensagem(texto, { id: `s-${id}` }) })
    })
    await expect.element(chat.getByText('De cenoura')).toBeVisible()
    goOnline()
    await expect.poll(() => sentBodies(painel, SEND).length).toBe(2)
    await expect.poll(() => chat.getByText('aguardando conexão').elements().length).toBe(0)
    dispatchEvent(new Event('online'))
    await expect.element(chat.getByText('De cenoura')).toBeVisible()
    expect(sentBodies(painel, SEND)).toMatchObject([{ mensagem: 'Tem, sim' }, { mensagem: 'De cenoura' }])
  })

  it('are offered again when the customer wrote meanwhile', async () => {
    const painel = open()
    await writeOffline('Tem, sim')
    const ultimaMensagem = { texto: 'Já comprei', timestamp: new Date().toISOString() }
    painel.api.on(READ, () => ok({ conversa: { ...SERVED, ultimaMensagem } }))
    painel.api.on(SEND, () => ok({ conversaId: 'c2', mensagem: makeSentMensagem('Tem, sim', { id: 's' }) }))
    goOnline()
    await expect.element(chat.getByText(/Chegaram mensagens depois que você escreveu/)).toBeVisible()
    expect(sentBodies(painel, SEND)).toEqual([])
    await chat.getByRole('button', { name: 'Enviar' }).click()
    await expect.poll(() => sentBodies(painel, SEND).length).toBe(1)
    await expect.element(page.getByText(/Enviar assim mesmo/)).not.toBeInTheDocument()
  })
})
