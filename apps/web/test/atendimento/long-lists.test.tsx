import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, minutesAgo, makeMensagem } from './sample-conversas.ts'
import {
  type AtendimentoTestApp,
  aviso,
  button,
  composer,
  searchBox,
  chat,
  emitCustomerMensagem,
  waitForSocket,
  conversaRow,
  conversaList,
  openName,
  listedNames,
  listFrame,
  mensagemPageOf,
  serveConversa,
  setupAtendimento,
} from './tab.ts'

const open = setupAtendimento()

const TEN_THOUSAND = 10_000

/** Older activity means a longer wait, so the longest wait is on the last page. Every hundredth conversa waits. */
function makeCrowd(): Conversa[] {
  return Array.from({ length: TEN_THOUSAND }, (_, index) =>
    makeConversa({
      id: `c${index}`,
      nome: `Cliente ${index}`,
      status: index % 100 === 0 ? 'aguardando' : 'em_atendimento',
      operador: 'Bruno',
      operadorId: 'u2',
      aguardandoDesde: minutesAgo(index + 1),
      ultimaAtividade: minutesAgo(index),
    }),
  )
}

function longChat(count: number) {
  return Array.from({ length: count }, (_, index) =>
    makeMensagem({ id: `m${index}`, texto: `Fala número ${index}.`, timestamp: minutesAgo(count - index) }),
  )
}

/** Scrolls and waits until the page has handled the scroll event. */
async function scrollFrame(alvo: Element, top: number): Promise<void> {
  const heard = new Promise((resolve) => alvo.addEventListener('scroll', resolve, { once: true }))
  const before = alvo.scrollTop
  alvo.scrollTo({ top, behavior: 'instant' })
  if (alvo.scrollTop !== before) await heard
}
const listRequestCount = ({ api }: AtendimentoTestApp): number =>
  api.calls.filter(({ route }) => route === 'GET /atendimento/conversas').length

describe('Conversa list with 10,000 conversas', () => {
  it('draws only visible rows and puts the longest wait of all pages first', async () => {
    open({ open: makeCrowd() })
    await expect.element(conversaRow('Cliente 9900')).toBeVisible()
    expect(listedNames().slice(0, 2)).toEqual(['Cliente 9900', 'Cliente 9800'])
    expect(conversaList.getByRole('listitem').elements().length).toBeLessThan(40)
    expect(conversaRow('Cliente 9900').element().parentElement?.getAttribute('aria-setsize')).toBe('100')
  })

  it('loads more near the end and moves by keyboard to rows not drawn', async () => {
    const screen = open({ open: makeCrowd() })
    await expect.element(conversaList).toBeVisible()
    const before = listRequestCount(screen)
    await expect
      .poll(async () => {
        await scrollFrame(listFrame(), listFrame().scrollHeight)
        return listRequestCount(screen)
      })
      .toBeGreaterThan(before)
    const count = (): number =>
      Number(conversaList.getByRole('listitem').first().element().getAttribute('aria-setsize'))
    await expect
      .poll(async () => {
        await scrollFrame(listFrame(), listFrame().scrollHeight)
        return count()
      })
      .toBeGreaterThan(300)
    await scrollFrame(listFrame(), 0)
    await expect.element(conversaRow('Cliente 9900')).toBeVisible()
    conversaRow('Cliente 9900').element().closest<HTMLElement>('[data-conversa]')?.focus()
    await userEvent.keyboard('j'.repeat(60))
    await expect.poll(() => document.activeElement?.getAttribute('data-conversa')).toBe('c3900')
    await expect.element(conversaRow('Cliente 3900')).toBeVisible()
  })

  it('searches pages not loaded and fetches a conversa that receives a message', async () => {
    const screen = open({ open: makeCrowd() })
    await expect.element(conversaList).toBeVisible()
    await searchBox.fill('cliente 7777')
    await expect.poll(listedNames).toEqual(['Cliente 7777'])
    await searchBox.fill('')
    await expect.poll(() => listedNames().length).toBeGreaterThan(1)
    await waitForSocket()
    // Only the single fetch returns it; a page that is read again meanwhile does not.
    const fresh = makeConversa({ id: 'c5555', nome: 'Cliente 5555', aguardandoDesde: minutesAgo(20_000), naoLidas: 1 })
    screen.api.on('GET /atendimento/conversas/c5555', () => ok({ conversa: fresh }))
    emitCustomerMensagem('c5555', { texto: 'Ainda estou aqui' })
    await expect.poll(() => listedNames()[0]).toBe('Cliente 5555')
    expect(screen.api.calls.map(({ route }) => route)).toContain('GET /atendimento/conversas/c5555')
  })

  it('opens a conversa not loaded and a finished one by URL', async () => {
    const fim = makeConversa({ id: 'f1', nome: 'Carla Menezes', status: 'finalizada', finalizadaEm: minutesAgo(60) })
    open({ open: makeCrowd(), finished: [fim] }, '/dashboard?aba=atendimento&c=c9999')
    await expect.element(openName('Cliente 9999')).toBeVisible()
    open({ finished: [fim] }, '/dashboard?aba=atendimento&c=f1')
    await expect.element(openName('Carla Menezes')).toBeVisible()
    await expect.element(page.getByText(/Ela pode ser lida, não respondida/)).toBeVisible()
  })
})

describe('Long chat', () => {
  const comMensagens = (count: number): Partial<AtendimentoTestApp['conversaServer']> => ({
    open: [makeConversa({ mensagens: longChat(count) }), makeConversa({ id: 'c2', nome: 'João', setor: 'suporte' })],
  })

  it('loads older pages and keeps visible messages in place', async () => {
    open(comMensagens(600), '/dashboard?aba=atendimento&c=c1')
    await expect.element(chat.getByText('Fala número 599.')).toBeVisible()
    const alvo = chat.element()
    await scrollFrame(alvo, 1_200)
    const seen = chat.getByText('Fala número 560.').element()
    const before = seen.getBoundingClientRect().top - alvo.scrollTop
    expect(before).not.toBe(0)
    await scrollFrame(alvo, 400)
    const aqui = seen.getBoundingClientRect().top
    await expect.element(chat.getByText('Fala número 500.')).toBeInTheDocument()
    expect(Math.abs(seen.getBoundingClientRect().top - aqui)).toBeLessThan(2)
    for (let start = 450; start >= 0; start -= 50) {
      // oxlint-disable-next-line no-await-in-loop -- each page leads to the one before
      await scrollFrame(alvo, 0)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await expect.poll(() => document.querySelector(`[data-mensagem=m${start}]`)).not.toBeNull()
    }
    await expect.poll(() => chat.getByRole('button', { name: 'Mensagens anteriores' }).query()).toBeNull()
    expect(document.querySelectorAll('[data-mensagem]')).toHaveLength(600)
  })

  it('counts new messages while scrolled up and scrolls down on click', async () => {
    open(comMensagens(120), '/dashboard?aba=atendimento&c=c1')
    await expect.element(chat.getByText('Fala número 119.')).toBeVisible()
    await waitForSocket()
    await scrollFrame(chat.element(), 1_000)
    emitCustomerMensagem('c1', { id: 'nova-1', texto: 'Você viu?' })
    emitCustomerMensagem('c1', { id: 'nova-2', texto: 'Alô?' })
    await button('2 novas').click()
    await expect.element(chat.getByText('Alô?')).toBeVisible()
    await expect.poll(() => button('2 novas').query()).toBeNull()
  })

  it('retries an older page that failed by its button', async () => {
    const { api } = open(comMensagens(120), '/dashboard?aba=atendimento&c=c1')
    await expect.element(chat.getByText('Fala número 119.')).toBeVisible()
    // Only older pages fail, because the last page may be read again at any moment.
    let failure = true
    api.on('GET /atendimento/conversas/c1/mensagens', (request) => {
      if (failure && request.url.searchParams.has('cursor')) return refusal(503, 'x', 'Agora não.')
      return ok(mensagemPageOf(longChat(120), request))
    })
    await scrollFrame(chat.element(), 0)
    await expect.element(chat.getByText('Agora não.')).toBeInTheDocument()
    failure = false
    await button('Mensagens anteriores').click()
    await expect.element(chat.getByText('Fala número 20.')).toBeInTheDocument()
  })

  it('prefetches a chat on hover and adds messages that arrive later', async () => {
    const { api } = open(comMensagens(3))
    await expect.element(conversaRow('João')).toBeVisible()
    await waitForSocket()
    await conversaRow('Marina').hover()
    const rota = 'GET /atendimento/conversas/c1/mensagens'
    await expect.poll(() => api.calls.filter(({ route }) => route === rota).length).toBe(1)
    api.on(rota, () => new Promise(() => undefined))
    emitCustomerMensagem('c1', { texto: 'Depois da leitura' })
    await conversaRow('Marina').click()
    await expect.element(chat.getByText('Fala número 2.')).toBeVisible()
    await expect.element(chat.getByText('Depois da leitura')).toBeVisible()
  })

  it('keeps a message that arrived by socket during the page request', async () => {
    const screen = open(comMensagens(3))
    await expect.element(conversaRow('Marina')).toBeVisible()
    await waitForSocket()
    let reply = (): void => undefined
    const wait = new Promise<void>((resolve) => (reply = resolve))
    const paginaVelha = ok({ mensagens: longChat(3) })
    screen.api.on('GET /atendimento/conversas/c1/mensagens', async () => {
      await wait
      return paginaVelha
    })
    await conversaRow('Marina').click()
    emitCustomerMensagem('c1', { texto: 'No meio do caminho' })
    await expect.element(conversaRow('Marina').getByText('No meio do caminho')).toBeVisible()
    reply()
    await expect.element(chat.getByText('Fala número 2.')).toBeVisible()
    await expect.element(chat.getByText('No meio do caminho')).toBeVisible()
  })

  it('refetches after the connection was lost', async () => {
    const screen = open(comMensagens(3), '/dashboard?aba=atendimento&c=c1')
    await expect.element(chat.getByText('Fala número 2.')).toBeVisible()
    await waitForSocket()
    fakeSocket.drop()
    const fresh = makeConversa({ mensagens: [...longChat(3), makeMensagem({ id: 'perdida', texto: 'Enquanto caiu' })] })
    screen.conversaServer.open = [fresh, ...screen.conversaServer.open.slice(1)]
    serveConversa(screen, screen.conversaServer, 'c1')
    await expect.poll(() => fakeSocket.connectionCount()).toBe(0)
    fakeSocket.restore()
    await expect.element(chat.getByText('Enquanto caiu')).toBeVisible()
    fakeSocket.emit('conversaFinalizada', { userId: CONTA_ID, conversaId: 'c1' })
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
  })

  it('answers and finishes a conversa with 65,000 characters of marks per message', async () => {
    const marks = ['*a* '.repeat(16_000), ' *a'.repeat(21_000), ` ${'www.a '.repeat(10_000)}`]
    const mensagens = marks.map((texto, index) =>
      makeMensagem({ id: `m${index}`, texto, edicao: texto.slice(1), editada: true, timestamp: minutesAgo(9 - index) }),
    )
    open({ open: [makeConversa({ mensagens })] }, '/dashboard?aba=atendimento&c=c1')
    const more = chat.getByRole('button', { name: 'Mostrar tudo' })
    await expect.poll(() => more.elements().length).toBe(6)
    expect(document.body.textContent.length).toBeLessThan(7 * 4_096)
    await more.first().click()
    await expect.element(chat.getByText(marks[0]?.slice(1).trim() ?? '?', { exact: true })).toBeInTheDocument()
    expect(chat.element().querySelectorAll('strong, a')).toHaveLength(0)
    await expect.element(button('Mostrar menos')).toHaveFocus()
    await button('Assumir').click()
    await composer.fill('Recebi!')
    await userEvent.keyboard('{Enter}')
    await expect.element(chat.getByText('Recebi!')).toBeVisible()
    await button('Finalizar').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Finalizar' }).click()
    await expect.element(aviso('Conversa finalizada com sucesso')).toBeVisible()
  })

  it('reports a failure and shows the part stored in this browser', async () => {
    const { api } = open(comMensagens(3), '/dashboard?aba=atendimento&c=c1')
    // The panel may also read again without the user; the fake server answers only after a click.
    let requested = false
    const ask = ({ target }: Event): void => {
      requested ||= target instanceof HTMLButtonElement && target.textContent === 'Tentar de novo'
    }
    document.addEventListener('click', ask, { capture: true })
    api.on('GET /atendimento/conversas/c1/mensagens', () =>
      requested ? ok({ mensagens: longChat(3) }) : refusal(400, 'x', 'O servidor tropeçou.'),
    )
    await page.getByRole('banner').hover()
    await expect.element(page.getByText(/O servidor tropeçou. Esta é a parte guardada/)).toBeVisible()
    await expect.element(chat.getByText('Fala número 2.')).toBeVisible()
    await page.getByRole('alert').getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(chat.getByText('Fala número 0.')).toBeVisible()
    document.removeEventListener('click', ask, { capture: true })
  })
})
